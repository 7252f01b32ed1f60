//! The messages after a command that did not simply end: one sentence for each thing worth knowing.

use crate::output::was_told_at_start;
use runward::core::render::{bytes, duration};
use runward::{Receipt, StopCause};
use std::time::Duration;

/// The sentences, in order.
pub(in crate::verbs) fn sentences(receipt: &Receipt) -> Vec<String> {
    receipt
        .end
        .stopped
        .and_then(|cause| stopped(cause, receipt))
        .into_iter()
        .chain(receipt.notes.iter().filter(|note| !was_told_at_start(note)).cloned())
        .collect()
}

/// How to give a command more time that was stopped at its limit.
pub(in crate::verbs) fn longer(receipt: &Receipt, by: &str) -> Option<String> {
    if receipt.end.stopped != Some(StopCause::Timeout) {
        return None;
    }
    let had = Duration::from_millis(limit(receipt, "timeout_ms").unwrap_or_default());
    let more = if had < Duration::from_secs(600) { "10m" } else { "24h" };
    Some(format!("Give it more with {by} {more}, or 0 for no limit; limits.timeout_ms changes the default."))
}

fn stopped(cause: StopCause, receipt: &Receipt) -> Option<String> {
    let time = |name| limit(receipt, name).map(|millis| duration(Duration::from_millis(millis)));
    let size = |name| limit(receipt, name).map(bytes);
    let of = |value: Option<String>| value.map(|value| format!(" of {value}")).unwrap_or_default();
    match cause {
        StopCause::Timeout => Some(format!("stopped at its time limit{}", of(time("timeout_ms")))),
        StopCause::Idle => {
            let silence = time("idle_timeout_ms").map(|time| format!(" for {time}")).unwrap_or_default();
            Some(format!("stopped after printing nothing{silence}"))
        }
        StopCause::Output => Some(format!("stopped at its output limit{}", of(size("output_bytes")))),
        StopCause::Memory => Some(format!("stopped at its memory limit{}", of(size("memory_bytes")))),
        // The caller stopped it and knows.
        StopCause::Caller | StopCause::Shutdown => None,
    }
}

fn limit(receipt: &Receipt, name: &str) -> Option<u64> {
    receipt.limits.iter().find(|limit| limit.name == name).map(|limit| limit.value)
}
