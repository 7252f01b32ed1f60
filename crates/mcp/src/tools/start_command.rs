//! `start_command`: something interactive or long-running, started now and read later.

use super::schema::answer_schema;
use super::sheet::AnswerSheet;
use super::{MAX_CHARS, ToolCall, max_chars};
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, GivenArguments, field};
use crate::progress::alive;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::registry::{ReadAsk, StartedSession};
use runward_engine::{CommandSpec, Request, StdinSpec, Terminal, Wish};
use std::time::Duration;

pub(super) const NAME: &str = "start_command";

const DESCRIPTION: &str = "Start an interactive or long-running shell command (server, watcher, REPL) and return its \
`sessionId` at once. It ends with this connection.";

const SIDE: ArgumentKind = ArgumentKind::Whole(1, 1000);

const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("command", ArgumentKind::Text, ""),
        field("cwd", ArgumentKind::Text, ""),
        field("timeout", ArgumentKind::Whole(0, 600_000), "ms to wait for first output. Default 0"),
        field("pty", ArgumentKind::Truth, "Run on a terminal"),
        field("cols", SIDE, ""),
        field("rows", SIDE, ""),
        field("name", ArgumentKind::Text, ""),
        field("deadline_ms", ArgumentKind::Whole(1, 86_400_000), "Stop it then. Default: never"),
        field("max_chars", MAX_CHARS, ""),
    ],
    required: &["command"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(answer_schema(&["sessionId", "pid"]))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    let timeout = Duration::from_millis(given.whole("timeout").unwrap_or(0));
    let (name, max_chars) = (given.text("name"), max_chars(&given, &call));
    let request = Request::by(call.caller.clone(), lower(&mut given));
    let live = match call.sessions.start(&call.client.owner, request, name).await? {
        StartedSession::Running(live) => live,
        StartedSession::Refused(refusal) => return Err(refusal.into()),
    };
    let mut sheet = AnswerSheet::default();
    sheet.text("sessionId", live.id()).plain("pid", live.pid());
    if !timeout.is_zero() {
        let ask = ReadAsk { timeout, ..call.ask(max_chars) };
        call.tell(&mut sheet, &alive(&call.line.now(), live.read(&ask)).await);
    }
    Ok(sheet.answer(CallVerdict::Well))
}

fn lower(given: &mut GivenArguments) -> CommandSpec {
    let mut spec = CommandSpec::shell(given.needed("command"));
    spec.cwd = given.text("cwd").map(Into::into);
    spec.stdin = StdinSpec::Open;
    let side = |name, usual| u16::try_from(given.whole(name).unwrap_or(usual)).unwrap_or(u16::MAX);
    let (rows, cols) = (side("rows", 24), side("cols", 80));
    if given.truth("pty") == Some(true) {
        spec.terminal = Terminal::Pty { rows, cols };
    }
    spec.limits.wall = given.whole("deadline_ms").map(Duration::from_millis).map_or(Wish::Off, Wish::At);
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lowered(arguments: &serde_json::Value) -> Result<CommandSpec, String> {
        let given = TABLE.read(arguments.as_object().cloned());
        given.map(|mut given| lower(&mut given)).map_err(|failure| failure.sentence())
    }

    #[test]
    fn a_session_has_no_time_limit_unless_it_is_given_one() {
        let spec = lowered(&json!({"command": "cat"})).unwrap();
        assert_eq!(
            (spec.limits.wall, spec.terminal, spec.stdin),
            (Wish::Off, Terminal::Pipes, StdinSpec::Open)
        );
        let spec = lowered(&json!({"command": "cat", "deadline_ms": 9, "pty": true, "cols": 100})).unwrap();
        assert_eq!(spec.limits.wall, Wish::At(Duration::from_millis(9)));
        assert_eq!(spec.terminal, Terminal::Pty { rows: 24, cols: 100 });
    }

    #[test]
    fn sides_out_of_range_are_refused() {
        assert!(lowered(&json!({"command": "cat", "rows": 0})).unwrap_err().contains("`rows` is 0"));
        let wide = lowered(&json!({"command": "cat", "cols": 1001})).unwrap_err();
        assert!(wide.contains("between 1 and 1000"), "{wide}");
    }
}
