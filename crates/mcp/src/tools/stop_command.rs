//! `stop_command`: the end of a session and of everything it started.

use super::Call;
use super::reading::Sheet;
use super::schema::answer_schema;
use crate::answer::{Answer, Failure};
use crate::arguments::read;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::Signal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(super) const NAME: &str = "stop_command";

const DESCRIPTION: &str = "End a session and everything it started: the signal goes to the whole tree, and what is left \
after a short grace is killed. A session that has ended already stays as it is, and its ending is reported.";

/// The arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// The session, as `start_command` named it.
    session_id: String,
    /// The signal to begin with. Default: `SIGTERM`.
    #[serde(default)]
    signal: Option<String>,
}

pub(super) fn definition() -> Tool {
    let properties = json!({
        "success": { "const": true },
        "exit_code": { "type": "integer" },
        "signal": { "type": "string" },
        "stopped": { "type": "string" },
        "leftovers": { "type": "integer" }
    });
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("Stop a session")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(answer_schema(properties, &["success", "exit_code"]))
        .with_annotations(
            ToolAnnotations::new().read_only(false).destructive(true).idempotent(true).open_world(false),
        )
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let arguments: Arguments = read(NAME, arguments)?;
    let signal = lower(arguments.signal.as_deref().unwrap_or("SIGTERM"))?;
    let live = call.session(&arguments.session_id)?;
    if live.is_active() {
        live.stop(signal);
    }
    let receipt = live.ended().await;
    let mut sheet = Sheet::under(&call.veil);
    sheet.plain("success", true).ending(&receipt);
    Ok(sheet.into())
}

fn lower(name: &str) -> Result<Signal, Failure> {
    Signal::named(name).ok_or_else(|| {
        let message = format!("`signal` is `{name}`, and there is no signal of that name");
        Failure::bad_value(message, "Use a name such as `SIGTERM`, `SIGINT` or `SIGKILL`.")
    })
}
