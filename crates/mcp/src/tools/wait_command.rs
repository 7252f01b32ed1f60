//! `wait_command`: waits until something is true of a session, without asking again and again.

use super::Call;
use super::reading::{Sheet, properties};
use super::schema::answer_schema;
use crate::answer::{Answer, Failure};
use crate::arguments::{pattern, read, within};
use crate::progress::alive;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::sessions::Until;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::RangeInclusive;
use std::time::Duration;

pub(super) const NAME: &str = "wait_command";

const DESCRIPTION: &str = "Wait until something is true of a session: it ended, it printed something that matches, it \
was quiet for a while, something in it listens on a port, or it waits for input. Returns which condition held (`met`), \
plus what `read_output` gives. Running out of time is an answer (`met: timeout`), not an error.";

const TIMEOUT_MS: RangeInclusive<u64> = 0..=600_000;
const IDLE_MS: RangeInclusive<u64> = 1..=600_000;
const PORT: RangeInclusive<u64> = 1..=65_535;

/// The arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// The session, as `start_command` named it.
    session_id: String,
    /// What to wait for: an object with exactly one key.
    until: Condition,
    /// Milliseconds to wait at most. Default: 30000.
    #[serde(default)]
    #[schemars(range(max = 600_000))]
    timeout: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Condition {
    /// The command has ended.
    Exit(bool),
    /// Output that was not read yet matches this regular expression.
    Output(String),
    /// Nothing was printed for so many milliseconds.
    IdleMs(u64),
    /// Something in the tree listens on this TCP port.
    Port(u64),
    /// The command waits for input.
    Input(bool),
}

pub(super) fn definition() -> Tool {
    let own = json!({ "met": { "enum": ["exit", "output", "idle_ms", "port", "input", "timeout"] } });
    let required = ["met", "isActive", "state", "next_offset"];
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("Wait for a session")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(answer_schema(properties(own), &required))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let arguments: Arguments = read(NAME, arguments)?;
    let timeout = Duration::from_millis(within("timeout", arguments.timeout.unwrap_or(30_000), &TIMEOUT_MS)?);
    let until = lower(&arguments.until)?;
    let live = call.session(&arguments.session_id)?;
    let met = alive(&call.line.now(), live.wait(&until, timeout)).await;
    let mut sheet = Sheet::under(&call.veil);
    sheet.plain("met", met.what).reading(&met.reading);
    Ok(sheet.into())
}

fn lower(condition: &Condition) -> Result<Until, Failure> {
    match condition {
        Condition::Exit(true) => Ok(Until::Exit),
        Condition::Input(true) => Ok(Until::Input),
        Condition::Exit(false) | Condition::Input(false) => {
            let message = "`until` waits for something to become true, and is `false`".to_owned();
            Err(Failure::bad_value(message, "Use `{\"exit\": true}` or `{\"input\": true}`."))
        }
        Condition::Output(text) => Ok(Until::Output(pattern("until.output", text)?)),
        Condition::IdleMs(millis) => {
            Ok(Until::Idle(Duration::from_millis(within("until.idle_ms", *millis, &IDLE_MS)?)))
        }
        Condition::Port(port) => {
            let port = within("until.port", *port, &PORT)?;
            Ok(Until::Port(u16::try_from(port).unwrap_or(u16::MAX)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(until: &serde_json::Value) -> Result<Until, String> {
        let arguments = json!({"sessionId": "x", "until": until});
        let read = read::<Arguments>(NAME, arguments.as_object().cloned());
        read.and_then(|it| lower(&it.until)).map_err(|failure| failure.sentence())
    }

    #[test]
    fn every_condition_is_one_key() {
        let names = [
            json!({"exit": true}),
            json!({"output": "a+"}),
            json!({"idle_ms": 5}),
            json!({"port": 80}),
            json!({"input": true}),
        ]
        .map(|until| lowered(&until).unwrap().name());
        assert_eq!(names, ["exit", "output", "idle_ms", "port", "input"]);
    }

    #[test]
    fn anything_else_is_an_error() {
        for until in [
            json!({}),
            json!("exit"),
            json!({"exit": true, "port": 1}),
            json!({"exit": false}),
            json!({"port": 0}),
            json!({"output": "("}),
            json!({"idle_ms": 0}),
            json!({"moon": "full"}),
        ] {
            assert!(lowered(&until).unwrap_err().contains("`until"), "{until}");
        }
    }
}
