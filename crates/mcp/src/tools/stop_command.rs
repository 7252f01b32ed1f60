//! `stop_command`: the end of a session and of everything it started.

use super::ToolCall;
use super::ran::{ending, leftovers};
use super::schema::answer_schema;
use super::sheet::AnswerSheet;
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, field};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::Signal;

pub(super) const NAME: &str = "stop_command";

const DESCRIPTION: &str = "End a session and everything it started, after a short grace by force.";

const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("sessionId", ArgumentKind::Text, ""),
        field("signal", ArgumentKind::Text, "Default SIGTERM"),
    ],
    required: &["sessionId"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(answer_schema(&["success", "exit_code"]))
        .with_annotations(
            ToolAnnotations::new().read_only(false).destructive(true).idempotent(true).open_world(false),
        )
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    let signal = lower(given.text("signal").as_deref().unwrap_or("SIGTERM"))?;
    let live = call.session(&given.needed("sessionId"))?;
    if live.is_active() {
        live.stop(signal);
    }
    let receipt = live.ended().await;
    let mut sheet = AnswerSheet::default();
    sheet.plain("success", true);
    ending(&mut sheet, &receipt);
    leftovers(&mut sheet, &receipt);
    Ok(sheet.answer(CallVerdict::Well))
}

fn lower(name: &str) -> Result<Signal, CallFailure> {
    Signal::named(name).ok_or_else(|| {
        let message = format!("`signal` is `{name}`, and there is no signal of that name");
        CallFailure::bad_value(message, "Use a name such as `SIGTERM`, `SIGINT` or `SIGKILL`.")
    })
}
