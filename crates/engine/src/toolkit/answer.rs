//! The answer of `exec_command`: nine fields, and further facts beside them.

use super::arguments::ExecCommandOptions;
use runward_core::output::{Encoding, head};
use runward_core::plan::RunId;
use runward_core::record::{EndedBy, Receipt, Signal, StopCause};
use runward_core::render::word;
use serde::Serialize;

/// How one call of `exec_command` ended: the nine fields of the tool's output schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExecCommandOutput {
    /// The absolute path of the directory it ran in.
    pub cwd: String,
    /// The tokens, as given.
    pub command: Vec<String>,
    /// The command's exit code; 124 at its time limit, 128+n when signal n ended it.
    pub exit_code: i32,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Whether `stdout` is only its head.
    pub stdout_truncated: bool,
    /// Whether `stderr` is only its head.
    pub stderr_truncated: bool,
    /// Whether it reached its time limit.
    pub timed_out: bool,
    /// How long it took.
    pub duration_ms: u64,
}

/// Further facts; a protocol puts them into `_meta`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExecCommandMeta {
    /// The run.
    pub id: RunId,
    /// The rule that allowed it, or the person.
    pub rule: String,
    /// The layers of the sandbox that was around it.
    pub sandbox: Vec<String>,
    /// The signal that ended it.
    pub signal: Option<Signal>,
    /// How many processes outlived it, where that is known.
    pub leftovers: Option<u32>,
    /// `utf-8`, or `binary` where bytes are shown as `\xNN`.
    pub stdout_encoding: &'static str,
    /// The same for `stderr`.
    pub stderr_encoding: &'static str,
    /// How many bytes of standard output.
    pub stdout_bytes: u64,
    /// How many bytes of standard error.
    pub stderr_bytes: u64,
    /// Sentences worth telling.
    pub notes: Vec<String>,
}

/// The answer to one call of `exec_command`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecCommandAnswer {
    /// What the model is given.
    pub output: ExecCommandOutput,
    /// Further facts, for programs.
    pub meta: ExecCommandMeta,
}

impl ExecCommandAnswer {
    /// The answer for a receipt.
    pub(super) fn of(receipt: &Receipt, command: Vec<String>, options: &ExecCommandOptions) -> Self {
        let letters = usize::try_from(options.letters()).unwrap_or(usize::MAX);
        let (stdout, stdout_truncated) = head(&receipt.stdout.kept, letters);
        let (stderr, stderr_truncated) = head(&receipt.stderr.kept, letters);
        let mut notes = receipt.notes.clone();
        for (name, text) in [("stdout", &stdout), ("stderr", &stderr)] {
            if text.encoding == Encoding::Binary {
                notes.push(format!(
                    "{name} is not UTF-8: every byte outside it is shown as `\\xNN`, and every backslash as `\\x5c`"
                ));
            }
        }
        Self {
            meta: ExecCommandMeta {
                id: receipt.id,
                rule: receipt.permitted_by.name(),
                sandbox: receipt.sandbox.clone(),
                signal: if let EndedBy::Signaled(signal) = receipt.end.how { Some(signal) } else { None },
                leftovers: receipt.end.leftovers.count(),
                stdout_encoding: stdout.encoding.name(),
                stderr_encoding: stderr.encoding.name(),
                stdout_bytes: receipt.stdout.kept.total,
                stderr_bytes: receipt.stderr.kept.total,
                notes,
            },
            output: ExecCommandOutput {
                cwd: word(receipt.cwd.as_os_str()),
                command,
                exit_code: receipt.end.exit_code(),
                stdout: stdout.text,
                stderr: stderr.text,
                stdout_truncated,
                stderr_truncated,
                timed_out: receipt.end.stopped == Some(StopCause::Timeout),
                duration_ms: u64::try_from(receipt.duration.as_millis()).unwrap_or(u64::MAX),
            },
        }
    }
}
