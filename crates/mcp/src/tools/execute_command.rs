//! `execute_command`: one short command for a shell, run to its end.

use super::attend::{AttendedFor, attend_for};
use super::ran::RanAnswer;
use super::reading::goes_on;
use super::schema::ran_schema;
use super::{MAX_CHARS, ToolCall};
use crate::answer::{CallFailure, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, GivenArguments, field};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::{CommandSpec, Request};
use std::time::Duration;

pub(super) const NAME: &str = "execute_command";

const DESCRIPTION: &str = "Run a non-interactive, short-lived shell command to its end: exit_code, stdout, stderr. \
At the time limit it is killed with all it started. For interactive or long-running ones (servers, watchers, prompts) \
use `start_command` instead.";

/// What to do about a command that was stopped at its limit.
const LONGER: &str = "The command may be waiting for input, or takes longer than that; use `start_command` instead for \
interactive or long-running commands.";

/// Milliseconds that a command may be given.
pub(super) const TIMEOUT_MS: ArgumentKind = ArgumentKind::Whole(1, 600_000);

const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("command", ArgumentKind::Text, "Text for bash -c"),
        field("cwd", ArgumentKind::Text, "Default: the server's"),
        field("input", ArgumentKind::Text, "Its stdin; else none"),
        field("timeout_ms", TIMEOUT_MS, "Default 30000, at most 600000"),
        field("max_chars", MAX_CHARS, "Of output in the answer"),
    ],
    required: &["command"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(ran_schema())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    let spec = CommandSpec::shell(given.needed("command"));
    run(call, spec, given).await
}

/// Runs a command with what both tools that run one to its end take.
pub(super) async fn run(
    call: ToolCall,
    spec: CommandSpec,
    mut given: GivenArguments,
) -> Result<ToolAnswer, CallFailure> {
    let limit = given.whole("timeout_ms");
    let spec = common(spec, &mut given);
    let max_chars = super::max_chars(&given, &call);
    let asked = spec.program.clone();
    let request = Request::by(call.caller.clone(), spec);
    // A command that ends within that time anyway is waited for.
    let patience = call
        .answers
        .yield_after
        .filter(|patience| limit.is_some_and(|limit| u128::from(limit) > patience.as_millis()));
    match attend_for(request, &call, patience).await? {
        AttendedFor::Ran(receipt) => {
            Ok(RanAnswer { receipt: &receipt, asked: &asked, max_chars, longer: LONGER }.render(&call))
        }
        AttendedFor::GoesOn(live) => Ok(goes_on(&live, max_chars, limit, &call).await),
        AttendedFor::Refused(refusal) => Err(refusal.into()),
    }
}

fn common(mut spec: CommandSpec, given: &mut GivenArguments) -> CommandSpec {
    spec.cwd = given.text("cwd").map(Into::into);
    if let Some(input) = given.text("input") {
        spec = spec.stdin(input);
    }
    if let Some(millis) = given.whole("timeout_ms") {
        spec = spec.timeout(Duration::from_millis(millis));
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lowered(arguments: serde_json::Value) -> Result<CommandSpec, String> {
        let serde_json::Value::Object(arguments) = arguments else { panic!("an object") };
        let mut given = TABLE.read(Some(arguments)).map_err(|failure| failure.sentence())?;
        let spec = CommandSpec::shell(given.needed("command"));
        Ok(common(spec, &mut given))
    }

    #[test]
    fn a_call_becomes_a_script_for_the_shell() {
        let spec = lowered(json!({"command": "ls | wc", "cwd": "a", "input": "x", "timeout_ms": 5})).unwrap();
        let same = CommandSpec::shell("ls | wc").cwd("a").stdin("x").timeout(Duration::from_millis(5));
        assert_eq!(spec, same);
    }

    #[test]
    fn what_is_out_of_range_or_unknown_is_refused() {
        for millis in [0, 600_001] {
            let error = lowered(json!({"command": "ls", "timeout_ms": millis})).unwrap_err();
            assert!(
                error.contains(&format!("`timeout_ms` is {millis}, which is not between 1 and 600000")),
                "{error}"
            );
        }
        assert!(lowered(json!({"command": "ls", "timeout_ms": -1})).unwrap_err().contains("`timeout_ms`"));
        assert!(lowered(json!({"command": "ls", "shell": "zsh"})).unwrap_err().contains("`shell`"));
    }

    #[test]
    fn the_description_guides_agents() {
        assert!(
            DESCRIPTION.contains("non-interactive, short-lived")
                && DESCRIPTION.contains("use `start_command` instead")
        );
    }
}
