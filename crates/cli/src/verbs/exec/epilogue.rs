//! The messages after a command that did not simply end: one sentence for each thing worth knowing.

use crate::output::was_told_at_start;
use runward::core::network::NetworkReport;
use runward::core::record::SandboxDenials;
use runward::core::render::{bytes, duration};
use runward::{Receipt, StopCause};
use std::time::Duration;

/// The sentences, in order.
pub(in crate::verbs) fn sentences(receipt: &Receipt) -> Vec<String> {
    // A person is told each refusal in a line of its own.
    let denied = receipt.denied.as_ref().map(SandboxDenials::sentence);
    let is_told = |note: &String| Some(note) == denied.as_ref();
    receipt
        .end
        .stopped
        .and_then(|cause| stopped(cause, receipt))
        .into_iter()
        .chain(receipt.network.iter().flat_map(refused))
        .chain(receipt.denied.as_ref().map(SandboxDenials::instead))
        .chain(receipt.notes.iter().filter(|note| !was_told_at_start(note) && !is_told(note)).cloned())
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

/// Refused connections that are told one by one.
const MOST_TOLD: usize = 5;

/// Which connections were refused, each host and port once.
fn refused(report: &NetworkReport) -> Vec<String> {
    let told = report.denied.iter().take(MOST_TOLD).map(|denied| {
        let (connections, were) =
            if denied.times == 1 { ("connection", "was") } else { ("connections", "were") };
        let why = if denied.why == "not listed" { "not in sandbox.network" } else { denied.why.as_str() };
        format!("{} {connections} to {}:{} {were} refused: {why}", denied.times, denied.host, denied.port)
    });
    let further: u64 = report.denied.iter().skip(MOST_TOLD).map(|denied| denied.times).sum();
    let further = further.saturating_add(report.denied_further);
    let rest = (further > 0).then(|| format!("{further} further connections were refused"));
    told.chain(rest).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use runward::core::network::DeniedConnection;

    #[test]
    fn refused_connections_are_told_each_host_once_and_never_at_length() {
        let denied = |host: &str, times, why: &str| DeniedConnection {
            host: host.to_owned(),
            port: 443,
            times,
            why: why.to_owned(),
        };
        let mut report = NetworkReport { connections: 5, ..NetworkReport::default() };
        assert!(refused(&report).is_empty());
        report.denied =
            vec![denied("evil.example", 3, "not listed"), denied("a.example", 1, "tls name evil.example")];
        assert_eq!(
            refused(&report),
            [
                "3 connections to evil.example:443 were refused: not in sandbox.network",
                "1 connection to a.example:443 was refused: tls name evil.example",
            ]
        );
        report.denied = (0..100).map(|n| denied(&format!("n{n}.example"), 2, "not listed")).collect();
        report.denied_further = 7;
        assert_eq!(refused(&report)[5..], ["197 further connections were refused"]);
    }
}
