//! How long an answer about a megabyte takes. May not fail a check: a busy machine says nothing about the code.
#![expect(clippy::disallowed_methods, reason = "this measures")]

use super::recording::{RecordedRun, recording};
use super::shapes::large_test_run;
use runward_core::digest::AnswerLimits;
use std::time::{Duration, Instant};

/// One line for each kind of a megabyte: the best of some tries.
pub(crate) fn table() -> String {
    let mut runs =
        vec![("test run", repeated(large_test_run())), ("go events", repeated(recording("go-test-json")))];
    runs.push(("unknown tool", RecordedRun { programs: Vec::new(), ..repeated(recording("ls-recursive")) }));
    runs.push(("compiler errors", repeated(recording("tsc-fail"))));
    let line = |(name, run): &(&str, RecordedRun)| format!("{name:<28} {:>9.2?} for 1 MiB\n", best(run));
    runs.iter().map(line).collect()
}

/// The same over and over, up to a megabyte.
fn repeated(mut run: RecordedRun) -> RecordedRun {
    let times = (1 << 20) / run.streams[0].len().max(1);
    run.streams[0] = run.streams[0].repeat(times);
    run
}

fn best(run: &RecordedRun) -> Duration {
    let once = || {
        let (begun, worked) = (Instant::now(), worked());
        let answer = run.answer(AnswerLimits::default());
        assert!(answer.stdout.len() < 30_000);
        self::worked().zip(worked).map_or(begun.elapsed(), |(now, before)| now.saturating_sub(before))
    };
    (0..20).map(|_| once()).min().unwrap_or_default()
}

/// How long this thread has had a processor, where the host says so: others may be using it too.
fn worked() -> Option<Duration> {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
