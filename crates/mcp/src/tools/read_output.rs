//! `read_output`: the output of a session since the last read, or of any run from any offset.

use super::schema::answer_schema;
use super::sheet::AnswerSheet;
use super::{MAX_CHARS, ToolCall, max_chars};
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, GivenArguments, field, regex};
use crate::finished::KnownCommand;
use crate::progress::alive;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::Stream;
use runward_engine::registry::{OutputReading, ReadAsk, ReadFrom, Which, read_ended};
use std::time::Duration;

pub(super) const NAME: &str = "read_output";

const DESCRIPTION: &str = "Read what a session printed since the last read; `state` says whether it waits for input. \
With `offset`, any part of any run, by its `id`.";

const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("sessionId", ArgumentKind::Text, ""),
        field("timeout", ArgumentKind::Whole(0, 600_000), "ms to wait if there is nothing yet. Default 0"),
        field("stream", ArgumentKind::Choice(&["stdout", "stderr", "both"]), ""),
        field(
            "offset",
            ArgumentKind::Whole(i64::MIN, i64::MAX),
            "Byte of one stream; negative: from the end",
        ),
        field("max_chars", MAX_CHARS, ""),
        field("grep", ArgumentKind::Text, "Regex: only lines that match"),
        field("screen", ArgumentKind::Truth, "Add the terminal's screen"),
    ],
    required: &["sessionId"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(answer_schema(&["exit_code", "state"]))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    let id = given.needed("sessionId");
    let usual = call.ask(max_chars(&given, &call));
    let ask = lower(&mut given, usual)?;
    let wants_screen = given.truth("screen") == Some(true);
    let mut sheet = AnswerSheet::default();
    match call.session(&id) {
        Ok(live) => {
            call.tell(&mut sheet, &alive(&call.line.now(), live.read(&ask)).await);
            if wants_screen {
                let no_terminal = || runward_engine::Error::NoTerminal { id: live.id() };
                let screen = live.screen().await.ok_or_else(no_terminal)?;
                sheet.text("screen", call.veil.over(&screen));
            }
        }
        Err(unknown) if wants_screen => return Err(unknown),
        Err(unknown) => call.tell(&mut sheet, &ended(&call, &id, &ask).await.ok_or(unknown)?),
    }
    Ok(sheet.answer(CallVerdict::Well))
}

/// A run of this client that has ended and is no session: from memory, or from the journal.
async fn ended(call: &ToolCall, id: &str, ask: &ReadAsk) -> Option<OutputReading> {
    match call.client.shelf.find(id).await {
        Some(KnownCommand::Here(finished)) => {
            let reading = read_ended(&finished.ledger, ask);
            Some(OutputReading { receipt: Some(finished.receipt), ..reading })
        }
        Some(KnownCommand::Recalled(recalled)) => {
            Some(OutputReading { recalled_code: recalled.exit_code, ..read_ended(&recalled.ledger, ask) })
        }
        None => {
            let recalled = call.sessions.recall(&call.client.owner, id).await?;
            Some(OutputReading { recalled_code: recalled.exit_code, ..read_ended(&recalled.ledger, ask) })
        }
    }
}

fn lower(given: &mut GivenArguments, usual: ReadAsk) -> Result<ReadAsk, CallFailure> {
    let (stream, offset) = (given.text("stream"), given.signed("offset"));
    let which = match (stream.as_deref(), offset) {
        (Some("stderr"), _) => Which::One(Stream::Stderr),
        (Some("stdout"), _) | (None, Some(_)) => Which::One(Stream::Stdout),
        (Some(_), Some(offset)) => {
            let message =
                format!("`offset` is {offset}, which is a place in one stream, and `stream` is `both`");
            return Err(CallFailure::bad_value(message, "Set `stream` to `stdout` or `stderr`."));
        }
        (_, None) => Which::Both,
    };
    Ok(ReadAsk {
        which,
        begin: offset.map_or(ReadFrom::LastTime, ReadFrom::Offset),
        timeout: Duration::from_millis(given.whole("timeout").unwrap_or(0)),
        grep: given.text("grep").as_deref().map(|text| regex("grep", text)).transpose()?,
        ..usual
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lowered(arguments: &serde_json::Value) -> Result<ReadAsk, String> {
        let given = TABLE.read(arguments.as_object().cloned());
        given
            .and_then(|mut given| lower(&mut given, ReadAsk::default()))
            .map_err(|failure| failure.sentence())
    }

    #[test]
    fn an_offset_is_a_place_in_one_stream() {
        let ask = lowered(&json!({"sessionId": "x", "offset": -5})).unwrap();
        assert_eq!((ask.which, ask.begin), (Which::One(Stream::Stdout), ReadFrom::Offset(-5)));
        let ask = lowered(&json!({"sessionId": "x"})).unwrap();
        assert_eq!((ask.which, ask.begin), (Which::Both, ReadFrom::LastTime));
        let error = lowered(&json!({"sessionId": "x", "offset": 0, "stream": "both"})).unwrap_err();
        assert!(error.contains("`stream` is `both`"), "{error}");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(lowered(&json!({"sessionId": "x", "grep": "("})).unwrap_err().contains("`grep`"));
        let none = lowered(&json!({"sessionId": "x", "max_chars": 0})).unwrap_err();
        assert!(none.contains("`max_chars` is 0"), "{none}");
        assert!(lowered(&json!({"sessionId": "x", "stream": "in"})).unwrap_err().contains("`stream`"));
        assert!(lowered(&json!({"session": "x"})).unwrap_err().contains("did you mean `sessionId`?"));
    }
}
