//! `execute_command`: one short command without a terminal, run to its end.

mod render;

pub(crate) use render::yaml as receipt_yaml;

use super::attend::{Attended, attend};
use super::{Call, receipt_schema};
use crate::answer::{Answer, Failure};
use crate::arguments::{read, within};
use crate::trim;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::{CommandSpec, Request, Wish};
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;
use std::time::Duration;

pub(super) const NAME: &str = "execute_command";

const DESCRIPTION: &str = "Run one shell command to its end and return its exit code, stdout and stderr as YAML. \
This tool is for non-interactive, short-lived commands: stdin holds `input` and is then closed, or is closed at \
once. For interactive or long-running commands (prompts, servers, watchers, REPLs) use `start_command` instead. \
The command, and everything it started, is killed at the time limit.";

/// Milliseconds that a command may be given.
const TIMEOUT_MS: RangeInclusive<u64> = 1..=600_000;

/// The arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The text that the shell reads (`bash -c`).
    command: String,
    /// The directory to run in; relative to the server's own. Default: the server's own.
    #[serde(default)]
    cwd: Option<String>,
    /// Written to the command's standard input, which is then closed.
    #[serde(default)]
    input: Option<String>,
    /// Milliseconds after which the command is stopped. Default: 30000.
    #[serde(default)]
    #[schemars(range(min = 1, max = 600_000))]
    timeout_ms: Option<u64>,
}

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("Run a command")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(receipt_schema::schema())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let spec = lower(read(NAME, arguments)?)?;
    match attend(Request::by(call.caller.clone(), spec), &call).await? {
        Attended::Ran(receipt) => Ok(render::render(&receipt, &call.veil)),
        Attended::Refused(refusal) => Err(refusal.into()),
    }
}

fn lower(arguments: Arguments) -> Result<CommandSpec, Failure> {
    let mut spec = CommandSpec::shell(arguments.command);
    spec.cwd = arguments.cwd.map(Into::into);
    if let Some(input) = arguments.input {
        spec = spec.stdin(input);
    }
    if let Some(millis) = arguments.timeout_ms {
        spec = spec.timeout(Duration::from_millis(within("timeout_ms", millis, &TIMEOUT_MS)?));
    }
    spec.limits.keep = Wish::At(trim::KEEP_BYTES);
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn lowered(arguments: serde_json::Value) -> Result<CommandSpec, String> {
        let serde_json::Value::Object(arguments) = arguments else { panic!("an object") };
        read(NAME, Some(arguments)).and_then(lower).map_err(|failure| failure.sentence())
    }

    #[test]
    fn a_call_becomes_a_script_for_the_shell() {
        let spec = lowered(json!({"command": "ls | wc", "cwd": "a", "input": "x", "timeout_ms": 5})).unwrap();
        let mut same = CommandSpec::shell("ls | wc").cwd("a").stdin("x").timeout(Duration::from_millis(5));
        same.limits.keep = Wish::At(800_000);
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
