//! The result of a snippet: `{success, exit_code?, stdout, stderr, error?}`.

use super::CodeIssue;
use super::prepare::OUTPUT_LIMIT;
use runward_core::output::{KeptOutput, middle};
use runward_core::plan::RunId;
use runward_core::record::{End, EndedBy, Receipt, StopCause};
use serde::Serialize;

/// The answer's own fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeResult {
    /// Whether it ran to its end with exit code 0, and its output is UTF-8.
    pub success: bool,
    /// Its exit code, 128+n when signal n ended it; none when it was stopped, or never started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// What went wrong besides a non-zero exit code: `exec: ISSUE (CODE)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An answer, and what a door may need beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeAnswer {
    /// The answer's own fields.
    pub result: CodeResult,
    /// The exit code for a command line.
    pub status: i32,
    /// The run, if it started.
    pub id: Option<RunId>,
    /// The rule that allowed it, or the person.
    pub rule: Option<String>,
    /// The layers of the sandbox that was around it.
    pub sandbox: Vec<String>,
}

impl CodeAnswer {
    /// Nothing was started.
    pub fn before_start(issue: &CodeIssue) -> Self {
        let result = CodeResult {
            success: false,
            exit_code: None,
            stdout: String::new(),
            stderr: String::new(),
            error: Some(issue.to_string()),
        };
        let status = i32::from(issue.view().code.exit());
        Self { result, status, id: None, rule: None, sandbox: Vec::new() }
    }

    pub(super) fn of(receipt: &Receipt, return_output: bool) -> Self {
        let printed = if return_output { PrintedStreams::of(receipt) } else { PrintedStreams::default() };
        let end = &receipt.end;
        let ended = ending(end, limit_ms(receipt));
        let result = CodeResult {
            success: end.stopped.is_none() && end.how == EndedBy::Exited(0) && !printed.binary,
            exit_code: end.stopped.is_none().then(|| end.exit_code()),
            error: ended.or(printed.error),
            stdout: printed.stdout,
            stderr: printed.stderr,
        };
        let rule = Some(receipt.permitted_by.name());
        let sandbox = receipt.sandbox.clone();
        Self { result, status: end.exit_code(), id: Some(receipt.id), rule, sandbox }
    }
}

/// Both streams, as they are answered.
#[derive(Default)]
struct PrintedStreams {
    stdout: String,
    stderr: String,
    binary: bool,
    error: Option<String>,
}

impl PrintedStreams {
    fn of(receipt: &Receipt) -> Self {
        let (stdout, stderr) = (&receipt.stdout.kept, &receipt.stderr.kept);
        let (out_share, err_share) = shares(stdout, stderr);
        let (out, err) = (middle(stdout, out_share), middle(stderr, err_share));
        let binary = out.text.is_none() || err.text.is_none();
        let cut = out.left_out + err.left_out > 0;
        let error = if binary {
            Some("exec: Output is not valid UTF-8 (BINARY_OUTPUT)".to_owned())
        } else {
            cut.then(|| "exec: Output size exceeded 1 MiB (OUTPUT_LIMIT)".to_owned())
        };
        // Bytes that are not UTF-8 are left out rather than shown as something else.
        Self { stdout: out.text.unwrap_or_default(), stderr: err.text.unwrap_or_default(), binary, error }
    }
}

/// How many bytes of each stream are answered: what one does not need, the other may have.
fn shares(stdout: &KeptOutput, stderr: &KeptOutput) -> (usize, usize) {
    let half = OUTPUT_LIMIT / 2;
    let out = stdout.total.min(OUTPUT_LIMIT - stderr.total.min(half));
    let err = stderr.total.min(OUTPUT_LIMIT - out);
    let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    (size(out), size(err))
}

fn limit_ms(receipt: &Receipt) -> u64 {
    let limit = receipt.limits.iter().find(|limit| limit.name == "timeout_ms");
    limit.map_or(0, |limit| limit.value)
}

/// The message for an ending that was not the code's own choice.
fn ending(end: &End, limit_ms: u64) -> Option<String> {
    let (issue, code) = match (end.stopped, end.how) {
        (Some(StopCause::Timeout), _) => (format!("Process timeout after {}s", seconds(limit_ms)), "TIMEOUT"),
        (Some(StopCause::Memory), _) => ("Out of memory".to_owned(), "ENOMEM"),
        (Some(StopCause::Output), _) => ("Process stopped at its output limit".to_owned(), "OUTPUT_LIMIT"),
        (Some(StopCause::Idle), _) => ("Process stopped because it was silent".to_owned(), "IDLE"),
        (Some(StopCause::Caller | StopCause::Shutdown), _) => ("Process was stopped".to_owned(), "STOPPED"),
        (None, EndedBy::Signaled(signal)) => (format!("Process killed by signal {signal}"), "SIGNAL"),
        (None, EndedBy::Unknown) => ("Process ended in an unknown way".to_owned(), "INTERNAL"),
        (None, EndedBy::Exited(_)) => return None,
    };
    Some(format!("exec: {issue} ({code})"))
}

/// `30`, `0.2`, `1.005`.
fn seconds(millis: u64) -> String {
    let (whole, rest) = (millis / 1000, millis % 1000);
    let text = format!("{whole}.{rest:03}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_core::record::{Leftovers, Signal};

    fn kept(total: u64) -> KeptOutput {
        KeptOutput { total, ..KeptOutput::default() }
    }

    #[test]
    fn what_one_stream_does_not_need_the_other_may_have() {
        let mib = 1024 * 1024;
        let half = mib / 2;
        for (out, err, expected) in [
            (10, 20, (10, 20)),
            (2 * mib, 0, (mib, 0)),
            (2 * mib, 100, (mib - 100, 100)),
            (100, 2 * mib, (100, mib - 100)),
            (2 * mib, 2 * mib, (half, half)),
        ] {
            let (a, b) = shares(&kept(out), &kept(err));
            assert_eq!((a as u64, b as u64), expected, "{out} and {err}");
        }
    }

    #[test]
    fn endings_are_told_in_fixed_words() {
        let told = |stopped, how| ending(&End { how, stopped, leftovers: Leftovers::None }, 30_000);
        let killed = EndedBy::Signaled(Signal::KILL);
        assert_eq!(
            told(Some(StopCause::Timeout), killed).unwrap(),
            "exec: Process timeout after 30s (TIMEOUT)"
        );
        assert_eq!(told(Some(StopCause::Memory), killed).unwrap(), "exec: Out of memory (ENOMEM)");
        assert_eq!(told(None, killed).unwrap(), "exec: Process killed by signal SIGKILL (SIGNAL)");
        assert_eq!(told(None, EndedBy::Exited(1)), None);
    }

    #[test]
    fn seconds_are_written_as_people_do() {
        assert_eq!([30_000, 200, 1_500, 1_005].map(seconds), ["30", "0.2", "1.5", "1.005"]);
    }
}
