//! A run reported as one object at the end.

use super::telling::RunOver;
use crate::output::{OutputFormat, VerbFailure, emit, tell};
use crate::verbs::exec::{self, InterruptGuard, OutputTarget, sentences};
use runward::core::output::StreamText;
use runward::{CommandSpec, Session, Wish};
use runward_flow::run::BuiltAgent;
use serde::Serialize;

/// Bytes of each stream that the object holds, unless the configuration says otherwise.
const KEPT: u64 = 64 * 1024 * 1024;

/// What `--json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunJson<'a> {
    pub(super) exit_code: i32,
    /// None for a text that no command is run for.
    pub(super) command: Option<&'a str>,
    pub(super) args: &'a [String],
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The messages that go to standard error too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<&'a str>,
}

/// Everything to report about a file.
pub(super) fn notes(ready: &BuiltAgent) -> Vec<&str> {
    ready.account.remarks.iter().chain(&ready.account.notes).map(String::as_str).collect()
}

/// The same command, with enough output kept for the object.
pub(super) fn keeping(mut spec: CommandSpec, configured: bool) -> CommandSpec {
    if !configured {
        spec.limits.keep = Wish::At(KEPT);
    }
    spec
}

/// Drives a running agent to its end, and prints the object.
pub(super) async fn attend(
    session: Session,
    guard: &mut InterruptGuard,
    ready: &BuiltAgent,
) -> Result<RunOver, VerbFailure> {
    let ended = exec::attend(session, guard, None, OutputTarget::Kept).await?;
    let over = match ended.interrupted {
        Some(code) => RunOver::told(code),
        None => RunOver::itself(ended.receipt.end.exit_code()),
    };
    let told = RunJson {
        exit_code: over.code,
        command: Some(&ready.command.executable),
        args: &ready.command.args,
        stdout: StreamText::of(&ended.receipt.stdout.kept).text,
        stderr: StreamText::of(&ended.receipt.stderr.kept).text,
        notes: notes(ready),
    };
    emit(&told, OutputFormat::Json)?;
    sentences(&ended.receipt).iter().for_each(|sentence| tell(sentence));
    Ok(over)
}

/// The object of a text that no command is run for.
pub(super) fn text_alone(text: String, notes: Vec<&str>) -> Result<(), VerbFailure> {
    let told = RunJson { exit_code: 0, command: None, args: &[], stdout: text, stderr: String::new(), notes };
    emit(&told, OutputFormat::Json)
}
