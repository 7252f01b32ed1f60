//! `write_input`: text and keys for a session.

use super::ToolCall;
use super::schema::answer_schema;
use super::sheet::AnswerSheet;
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, GivenArguments, field};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::core::render::sentence;
use runward_engine::registry::{Live, bytes_of_key};
use runward_engine::{Code, ErrorView};

pub(super) const NAME: &str = "write_input";

const DESCRIPTION: &str = "Type into a session: `input`, then `keys`, then the end of input if asked.";

const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("sessionId", ArgumentKind::Text, ""),
        field("input", ArgumentKind::Text, "Sent as it is"),
        field("newline", ArgumentKind::Truth, "Add one"),
        field("keys", ArgumentKind::Words, "ctrl-c, up, enter, f1, alt-b"),
        field("eof", ArgumentKind::Truth, ""),
    ],
    required: &["sessionId"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(answer_schema(&["success"]))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    // Before anything is typed: all of it can be, or none of it is.
    let typed = typed(&mut given)?;
    let live = call.session(&given.needed("sessionId"))?;
    if let Some(receipt) = live.standing().receipt {
        return Err(ended(&live, &sentence(&receipt)));
    }
    if !typed.is_empty() {
        live.write(typed).await?;
    }
    if given.truth("eof") == Some(true) {
        live.close_input().await?;
    }
    let mut sheet = AnswerSheet::default();
    sheet.plain("success", true);
    Ok(sheet.answer(CallVerdict::Well))
}

/// The bytes that text and keys come to.
fn typed(given: &mut GivenArguments) -> Result<Vec<u8>, CallFailure> {
    let mut bytes = given.text("input").unwrap_or_default().into_bytes();
    if given.truth("newline") == Some(true) {
        bytes.push(b'\n');
    }
    for key in given.words("keys").unwrap_or_default() {
        let pressed = bytes_of_key(&key).map_err(|error| {
            let hint = "Use names such as `enter`, `tab`, `up`, `ctrl-c`, `alt-b`, `f1`, or one character.";
            CallFailure::bad_value(error.to_string(), hint)
        })?;
        bytes.extend(pressed);
    }
    Ok(bytes)
}

fn ended(live: &Live, how: &str) -> CallFailure {
    CallFailure(ErrorView {
        code: Code::SessionEnded,
        message: format!("the session {} has ended already: {how}", live.id()),
        hint: Some("Read its output with `read_output`, or start a new one.".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_that_there_is_not_leaves_nothing_typed() {
        let read = |arguments: serde_json::Value| {
            let given = TABLE.read(arguments.as_object().cloned());
            given.and_then(|mut given| typed(&mut given)).map_err(|failure| failure.sentence())
        };
        let all =
            read(json!({"sessionId": "x", "input": "ab", "newline": true, "keys": ["ctrl-c"]})).unwrap();
        assert_eq!(all, b"ab\n\x03");
        assert!(
            read(json!({"sessionId": "x", "input": "ab", "keys": ["moon"]})).unwrap_err().contains("moon")
        );
    }
}
