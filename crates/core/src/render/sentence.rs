//! One line for each ending of a command (exit code, signal, timeout).

use super::duration;
use crate::record::{End, EndedBy, Leftovers, Receipt, StopCause};

/// One line on how a command ended.
pub fn sentence(receipt: &Receipt) -> String {
    let took = duration(receipt.duration);
    let how = match receipt.end.how {
        EndedBy::Exited(code) => format!("exit {code}"),
        EndedBy::Signaled(signal) => format!("ended by {signal}"),
        EndedBy::Unknown => "ending unknown".to_owned(),
    };
    match receipt.end.stopped {
        None => format!("{how} after {took}"),
        Some(cause) => format!("{how} after {took}, {}", stopped(cause)),
    }
}

fn stopped(cause: StopCause) -> &'static str {
    match cause {
        StopCause::Timeout => "stopped at its time limit",
        StopCause::Idle => "stopped for printing nothing",
        StopCause::Output => "stopped for printing too much",
        StopCause::Memory => "stopped at its memory limit",
        StopCause::Caller => "stopped because it was asked to",
        StopCause::Shutdown => "stopped because Runward ended",
    }
}

/// What is worth telling beside the result.
pub fn notes(end: &End) -> Vec<String> {
    match end.leftovers {
        Leftovers::None => Vec::new(),
        Leftovers::Killed { count: 1 } => vec!["1 process outlived the command and was killed".to_owned()],
        Leftovers::Killed { count } => {
            vec![format!("{count} processes outlived the command and were killed")]
        }
        Leftovers::Left { count: 1 } => {
            vec!["1 process could not be killed in time and is still there".to_owned()]
        }
        Leftovers::Left { count } => {
            vec![format!("{count} processes could not be killed in time and are still there")]
        }
        Leftovers::Unknown => vec!["whether anything outlived the command is not known".to_owned()],
    }
}
