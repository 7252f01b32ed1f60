//! `wait_command`: waits until something is true of a session, without polling.

use super::schema::answer_schema;
use super::sheet::AnswerSheet;
use super::until::{self, WORDS};
use super::{MAX_CHARS, ToolCall, max_chars};
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, field};
use crate::progress::alive;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use std::time::Duration;

pub(super) const NAME: &str = "wait_command";

const DESCRIPTION: &str = "Wait until a session has ended, printed a match, was quiet, listens on a port or waits for \
input; `met` says which (or `timeout`), with what `read_output` gives.";

pub(super) const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("sessionId", ArgumentKind::Text, ""),
        field("until", ArgumentKind::Loose(WORDS), "Default exit"),
        field("pattern", ArgumentKind::Text, "Regex, for output"),
        field("port", ArgumentKind::Whole(1, 65_535), ""),
        field("idle_ms", ArgumentKind::Whole(1, 600_000), ""),
        field("timeout", ArgumentKind::Whole(0, 600_000), "ms. Default 30000"),
        field("max_chars", MAX_CHARS, ""),
    ],
    required: &["sessionId"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(answer_schema(&["met", "exit_code", "state"]))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    let timeout = Duration::from_millis(given.whole("timeout").unwrap_or(30_000));
    let max_chars = max_chars(&given, &call);
    let until = until::lower(&mut given)?;
    let live = call.session(&given.needed("sessionId"))?;
    let ask = call.ask(max_chars);
    let met = alive(&call.line.now(), live.wait_and_read(&until, timeout, &ask)).await;
    let mut sheet = AnswerSheet::default();
    sheet.plain("met", met.what);
    call.tell(&mut sheet, &met.reading);
    Ok(sheet.answer(CallVerdict::Well))
}
