//! A run told as one object at the end.

use super::telling::Over;
use crate::output::{Failure, Format, emit, tell};
use crate::verbs::exec::{self, Guard, Outlet, sentences};
use runward::core::output::Text;
use runward::{CommandSpec, Session, Wish};
use runward_flow::run::Ready;
use serde::Serialize;

/// Bytes of each stream that the object holds, unless the configuration says otherwise.
const KEPT: u64 = 64 * 1024 * 1024;

/// What `--json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Told<'a> {
    pub(super) exit_code: i32,
    /// None for a text that no command is run for.
    pub(super) command: Option<&'a str>,
    pub(super) args: &'a [String],
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// What people are told on standard error too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<&'a str>,
}

/// Everything that there is to tell about a file.
pub(super) fn notes(ready: &Ready) -> Vec<&str> {
    ready.remarks.iter().chain(&ready.notes).map(String::as_str).collect()
}

/// The same command, of whose output enough is kept for the object.
pub(super) fn keeping(mut spec: CommandSpec, configured: bool) -> CommandSpec {
    if !configured {
        spec.limits.keep = Wish::At(KEPT);
    }
    spec
}

/// Attends a running agent to its end, and prints the object.
pub(super) async fn attend(session: Session, guard: &mut Guard, ready: &Ready) -> Result<Over, Failure> {
    let ended = exec::attend(session, guard, None, Outlet::Kept).await?;
    let over = match ended.interrupted {
        Some(code) => Over::told(code),
        None => Over::itself(ended.receipt.end.exit_code()),
    };
    let told = Told {
        exit_code: over.code,
        command: Some(&ready.command),
        args: &ready.args,
        stdout: Text::of(&ended.receipt.stdout.kept).text,
        stderr: Text::of(&ended.receipt.stderr.kept).text,
        notes: notes(ready),
    };
    emit(&told, Format::Json)?;
    sentences(&ended.receipt).iter().for_each(|sentence| tell(sentence));
    Ok(over)
}

/// The object of a text that no command is run for.
pub(super) fn text_alone(text: String, notes: Vec<&str>) -> Result<(), Failure> {
    let told = Told { exit_code: 0, command: None, args: &[], stdout: text, stderr: String::new(), notes };
    emit(&told, Format::Json)
}
