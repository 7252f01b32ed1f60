//! `start_command`: something interactive or long-running, started now and read later.

use super::Call;
use super::reading::{Sheet, properties};
use super::schema::answer_schema;
use crate::answer::{Answer, Failure};
use crate::arguments::{read, within};
use crate::progress::alive;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::sessions::{ReadAsk, StartedSession};
use runward::{CommandSpec, Request, StdinSpec, Terminal, Wish};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::RangeInclusive;
use std::time::Duration;

pub(super) const NAME: &str = "start_command";

const DESCRIPTION: &str = "Start an interactive or long-running shell command (a server, a watcher, a REPL, anything \
that prompts) and return its `sessionId` at once. Read it with `read_output`, type into it with `write_input`, wait for \
it with `wait_command`, end it with `stop_command`. With `pty: true` it runs on a terminal. It ends with this connection.";

const TIMEOUT_MS: RangeInclusive<u64> = 0..=600_000;
const DEADLINE_MS: RangeInclusive<u64> = 1..=86_400_000;
const SIDE: RangeInclusive<u64> = 1..=1000;

/// The arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The text that the shell reads (`bash -c`).
    command: String,
    /// The directory to run in; relative to the server's own. Default: the server's own.
    #[serde(default)]
    cwd: Option<String>,
    /// Milliseconds to wait for first output or the end before answering. Default: 0.
    #[serde(default)]
    #[schemars(range(max = 600_000))]
    timeout: Option<u64>,
    /// Whether it runs on a terminal. Default: false.
    #[serde(default)]
    pty: Option<bool>,
    /// Columns of the terminal. Default: 80.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    cols: Option<u64>,
    /// Rows of the terminal. Default: 24.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    rows: Option<u64>,
    /// A name of your own for it.
    #[serde(default)]
    name: Option<String>,
    /// Milliseconds after which it is stopped. Default: never.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    deadline_ms: Option<u64>,
}

pub(super) fn definition() -> Tool {
    let own = json!({ "sessionId": { "type": "string" }, "pid": { "type": "integer" } });
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("Start a command")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(answer_schema(properties(own), &["sessionId", "pid"]))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let arguments: Arguments = read(NAME, arguments)?;
    let timeout = within("timeout", arguments.timeout.unwrap_or(0), &TIMEOUT_MS)?;
    let name = arguments.name.clone();
    let request = Request::by(call.caller.clone(), lower(arguments)?);
    let live = match call.sessions.start(&call.client.owner, request, name).await? {
        StartedSession::Running(live) => live,
        StartedSession::Refused(refusal) => return Err(refusal.into()),
    };
    let mut sheet = Sheet::under(&call.veil);
    sheet.text("sessionId", &live.id()).plain("pid", live.pid());
    if timeout > 0 {
        let ask = ReadAsk { timeout: Duration::from_millis(timeout), ..ReadAsk::default() };
        sheet.reading(&alive(&call.line.now(), live.read(&ask)).await);
    }
    Ok(sheet.into())
}

fn lower(arguments: Arguments) -> Result<CommandSpec, Failure> {
    let mut spec = CommandSpec::shell(arguments.command);
    spec.cwd = arguments.cwd.map(Into::into);
    spec.stdin = StdinSpec::Open;
    let side = |name, value: Option<u64>, usual| {
        let side = within(name, value.unwrap_or(usual), &SIDE)?;
        Ok::<_, Failure>(u16::try_from(side).unwrap_or(u16::MAX))
    };
    let (rows, cols) = (side("rows", arguments.rows, 24)?, side("cols", arguments.cols, 80)?);
    if arguments.pty == Some(true) {
        spec.terminal = Terminal::Pty { rows, cols };
    }
    spec.limits.wall = match arguments.deadline_ms {
        None => Wish::Off,
        Some(millis) => Wish::At(Duration::from_millis(within("deadline_ms", millis, &DEADLINE_MS)?)),
    };
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(arguments: serde_json::Value) -> Result<CommandSpec, String> {
        let serde_json::Value::Object(arguments) = arguments else { panic!("an object") };
        read(NAME, Some(arguments)).and_then(lower).map_err(|failure| failure.sentence())
    }

    #[test]
    fn a_session_has_no_time_limit_unless_it_is_given_one() {
        let spec = lowered(json!({"command": "cat"})).unwrap();
        assert_eq!(
            (spec.limits.wall, spec.terminal, spec.stdin),
            (Wish::Off, Terminal::Pipes, StdinSpec::Open)
        );
        let spec = lowered(json!({"command": "cat", "deadline_ms": 9, "pty": true, "cols": 100})).unwrap();
        assert_eq!(spec.limits.wall, Wish::At(Duration::from_millis(9)));
        assert_eq!(spec.terminal, Terminal::Pty { rows: 24, cols: 100 });
    }

    #[test]
    fn sides_out_of_range_are_refused() {
        assert!(lowered(json!({"command": "cat", "rows": 0})).unwrap_err().contains("`rows` is 0"));
        assert!(lowered(json!({"command": "cat", "cols": 1001})).unwrap_err().contains("between 1 and 1000"));
    }
}
