//! `list_commands`: every session of this client.

use super::Call;
use super::schema::answer_schema;
use crate::answer::{Answer, Failure, Verdict};
use crate::arguments::read;
use crate::veil::Veil;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::core::render::Yaml;
use runward::sessions::Live;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) const NAME: &str = "list_commands";

const DESCRIPTION: &str = "List the sessions of this connection, running and finished, oldest first.";

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {}

/// One session.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    session_id: String,
    name: Option<String>,
    command: String,
    pid: u32,
    state: &'static str,
    #[serde(rename = "age_ms")]
    age_ms: u64,
    #[serde(rename = "exit_code")]
    exit_code: Option<i32>,
    #[serde(rename = "stdout_bytes")]
    stdout_bytes: u64,
    #[serde(rename = "stderr_bytes")]
    stderr_bytes: u64,
}

pub(super) fn definition() -> Tool {
    let properties = json!({ "commands": { "type": "array", "items": {
        "type": "object",
        "properties": {
            "sessionId": { "type": "string" },
            "name": { "type": ["string", "null"] },
            "command": { "type": "string" },
            "pid": { "type": "integer" },
            "state": { "type": "string" },
            "age_ms": { "type": "integer" },
            "exit_code": { "type": ["integer", "null"] },
            "stdout_bytes": { "type": "integer" },
            "stderr_bytes": { "type": "integer" }
        },
        "required": ["sessionId", "command", "pid", "state"]
    } } });
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("List sessions")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(answer_schema(properties, &["commands"]))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let Arguments {} = read(NAME, arguments)?;
    let listed: Vec<Listed> =
        call.sessions.list(&call.client.owner).iter().map(|live| listed(live, &call.veil)).collect();
    let mut yaml = Yaml::default();
    yaml.list("commands", listed.iter().map(row));
    Ok(Answer {
        text: yaml.finish(),
        fields: json!({ "commands": listed }),
        verdict: Verdict::Well,
        meta: None,
    })
}

fn listed(live: &Live, veil: &Veil) -> Listed {
    let standing = live.standing();
    let age = live.started().elapsed().unwrap_or_default();
    Listed {
        session_id: live.id(),
        name: live.name().map(str::to_owned),
        command: veil.over(live.command_line()).into_owned(),
        pid: live.pid(),
        state: live.state().name(),
        age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
        exit_code: standing.receipt.map(|receipt| receipt.end.exit_code()),
        stdout_bytes: standing.stdout,
        stderr_bytes: standing.stderr,
    }
}

fn row(listed: &Listed) -> Yaml {
    let mut row = Yaml::default();
    row.text("sessionId", &listed.session_id);
    if let Some(name) = &listed.name {
        row.text("name", name);
    }
    row.text("command", &listed.command).plain("pid", listed.pid).plain("state", listed.state);
    row.plain("age_ms", listed.age_ms);
    if let Some(code) = listed.exit_code {
        row.plain("exit_code", code);
    }
    row.plain("stdout_bytes", listed.stdout_bytes).plain("stderr_bytes", listed.stderr_bytes);
    row
}
