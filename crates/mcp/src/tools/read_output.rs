//! `read_output`: what a session has printed since the last time, or from anywhere.

use super::Call;
use super::reading::{Sheet, properties};
use super::schema::answer_schema;
use crate::answer::{Answer, Failure};
use crate::arguments::{read, regex, within};
use crate::progress::alive;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::Stream;
use runward::sessions::{Begin, ReadAsk, Which, read_recalled};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::RangeInclusive;
use std::time::Duration;

pub(super) const NAME: &str = "read_output";

const DESCRIPTION: &str = "Read what a session has printed since the last read. Output that is there is returned at \
once; with `timeout` an empty read waits for the first output or for the end. `state` says whether it waits for input. \
A finished session stays readable, with its `exit_code`. With `offset` any part can be read again.";

const TIMEOUT_MS: RangeInclusive<u64> = 0..=600_000;
const CHARACTERS: RangeInclusive<u64> = 1..=200_000;

/// The arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// The session, as `start_command` named it.
    session_id: String,
    /// Milliseconds to wait if there is nothing to read yet. Default: 0.
    #[serde(default)]
    #[schemars(range(max = 600_000))]
    timeout: Option<u64>,
    /// Which stream: `stdout`, `stderr` or `both`. Default: `both`; with `offset`, `stdout`.
    #[serde(default)]
    stream: Option<Choice>,
    /// The byte of one stream to read from; negative counts from the end. Reading so consumes nothing.
    #[serde(default)]
    offset: Option<i64>,
    /// Characters of each stream, at most; what is left stays for the next read. Default: 20000.
    #[serde(default, rename = "max_chars")]
    #[schemars(range(min = 1, max = 200_000))]
    max_chars: Option<u64>,
    /// Keep only lines that match this regular expression.
    #[serde(default)]
    grep: Option<String>,
    /// Whether to add the screen of a terminal, as a person would see it. Default: false.
    #[serde(default)]
    screen: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Stdout,
    Stderr,
    Both,
}

pub(super) fn definition() -> Tool {
    let own =
        json!({ "screen": { "type": "string", "description": "What a person would see on its terminal." } });
    let required = ["isActive", "state", "next_offset"];
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("Read a session's output")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(answer_schema(properties(own), &required))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let arguments: Arguments = read(NAME, arguments)?;
    let ask = ReadAsk { hiding: call.veil.hiding(), ..lower(&arguments)? };
    let live = match call.session(&arguments.session_id) {
        Ok(live) => live,
        Err(unknown) => return recalled(&call, &arguments, &ask).await.ok_or(unknown),
    };
    let reading = alive(&call.line.now(), live.read(&ask)).await;
    let mut sheet = Sheet::under(&call.veil);
    sheet.reading(&reading);
    if arguments.screen == Some(true) {
        let no_terminal = || runward::Error::NoTerminal { id: live.id() };
        sheet.text("screen", &live.screen().await.ok_or_else(no_terminal)?);
    }
    Ok(sheet.into())
}

/// A session that nobody keeps any more, from the journal.
async fn recalled(call: &Call, arguments: &Arguments, ask: &ReadAsk) -> Option<Answer> {
    let recalled = call.sessions.recall(&call.client.owner, &arguments.session_id).await?;
    let mut sheet = Sheet::under(&call.veil);
    sheet.recalled(&read_recalled(&recalled, ask), recalled.exit_code);
    Some(sheet.into())
}

fn lower(arguments: &Arguments) -> Result<ReadAsk, Failure> {
    let which = match (arguments.stream, arguments.offset) {
        (Some(Choice::Stderr), _) => Which::One(Stream::Stderr),
        (Some(Choice::Stdout), _) | (None, Some(_)) => Which::One(Stream::Stdout),
        (Some(Choice::Both), Some(offset)) => {
            let message =
                format!("`offset` is {offset}, which is a place in one stream, and `stream` is `both`");
            return Err(Failure::bad_value(message, "Set `stream` to `stdout` or `stderr`."));
        }
        (Some(Choice::Both) | None, None) => Which::Both,
    };
    let max_chars = within("max_chars", arguments.max_chars.unwrap_or(20_000), &CHARACTERS)?;
    Ok(ReadAsk {
        which,
        begin: arguments.offset.map_or(Begin::LastTime, Begin::Offset),
        max_chars: usize::try_from(max_chars).unwrap_or(usize::MAX),
        timeout: Duration::from_millis(within("timeout", arguments.timeout.unwrap_or(0), &TIMEOUT_MS)?),
        grep: arguments.grep.as_deref().map(|text| regex("grep", text)).transpose()?,
        hiding: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(arguments: serde_json::Value) -> Result<ReadAsk, String> {
        let serde_json::Value::Object(arguments) = arguments else { panic!("an object") };
        read(NAME, Some(arguments)).and_then(|it| lower(&it)).map_err(|failure| failure.sentence())
    }

    #[test]
    fn an_offset_is_a_place_in_one_stream() {
        let ask = lowered(json!({"sessionId": "x", "offset": -5})).unwrap();
        assert_eq!((ask.which, ask.begin), (Which::One(Stream::Stdout), Begin::Offset(-5)));
        let ask = lowered(json!({"sessionId": "x"})).unwrap();
        assert_eq!((ask.which, ask.begin, ask.max_chars), (Which::Both, Begin::LastTime, 20_000));
        let error = lowered(json!({"sessionId": "x", "offset": 0, "stream": "both"})).unwrap_err();
        assert!(error.contains("`stream` is `both`"), "{error}");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(lowered(json!({"sessionId": "x", "grep": "("})).unwrap_err().contains("`grep`"));
        assert!(lowered(json!({"sessionId": "x", "max_chars": 0})).unwrap_err().contains("`max_chars` is 0"));
        assert!(lowered(json!({"sessionId": "x", "stream": "in"})).unwrap_err().contains("`stream`"));
        assert!(lowered(json!({"sessionID": "x"})).unwrap_err().contains("`sessionID`"));
    }
}
