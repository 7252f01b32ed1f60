//! `list_commands`: every session of this client.

use super::ToolCall;
use super::schema::answer_schema;
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::arguments::ArgumentTable;
use crate::veil::Veil;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::core::render::Yaml;
use runward_engine::registry::Live;
use serde::Serialize;
use serde_json::json;

pub(super) const NAME: &str = "list_commands";

const DESCRIPTION: &str = "List the sessions of this connection, running and finished, oldest first.";

const TABLE: ArgumentTable = ArgumentTable { tool: NAME, fields: &[], required: &[] };

/// One session.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedCommand {
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    command: String,
    pid: u32,
    state: &'static str,
    #[serde(rename = "age_ms")]
    age_ms: u64,
    #[serde(rename = "exit_code", skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(rename = "stdout_bytes")]
    stdout_bytes: u64,
    #[serde(rename = "stderr_bytes")]
    stderr_bytes: u64,
}

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(answer_schema(&["commands"]))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    TABLE.read(arguments)?;
    let listed: Vec<ListedCommand> =
        call.sessions.list(&call.client.owner).iter().map(|live| listed(live, &call.veil)).collect();
    let mut yaml = Yaml::default();
    yaml.list("commands", listed.iter().map(row));
    Ok(ToolAnswer {
        text: yaml.finish(),
        fields: json!({ "commands": listed }),
        verdict: CallVerdict::Well,
        meta: None,
    })
}

fn listed(live: &Live, veil: &Veil) -> ListedCommand {
    let standing = live.standing();
    let age = live.started().elapsed().unwrap_or_default();
    ListedCommand {
        session_id: live.id(),
        name: live.name().map(str::to_owned),
        command: veil.over(live.command_line()).into_owned(),
        pid: live.pid(),
        state: live.state().name(),
        age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
        exit_code: standing.receipt.and_then(|receipt| receipt.end.own_exit_code()),
        stdout_bytes: standing.stdout,
        stderr_bytes: standing.stderr,
    }
}

fn row(listed: &ListedCommand) -> Yaml {
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
