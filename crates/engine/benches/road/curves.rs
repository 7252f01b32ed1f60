//! What one more of something costs when there are many already: a line of output, a journal record, a rule.

use crate::journal::recorded;
use crate::large::fill;
use crate::policy::Bench;
use crate::spawn::{engine, one_thread, ours};
use runward_engine::Engine;
use runward_engine::core::output::{Capture, Stream};
use std::time::Duration;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, median, time};
use tokio::runtime::Runtime;

/// What is kept of a stream by default.
const KEEP: u64 = 1024 * 1024;
const LINE: &[u8] = b"2026-01-01T00:00:00Z INFO something happened\n";
const LINES: [u32; 5] = [1, 100, 10_000, 1_000_000, 10_000_000];
/// Below a thousand, one record is lost in what the commands themselves take.
const RECORDS: [u32; 4] = [1000, 10_000, 100_000, 1_000_000];
const RULES: [u32; 5] = [1, 10, 100, 1000, 10_000];

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let points = |numbers: &[u32], of: &dyn Fn(u32) -> Duration| -> Vec<(u32, Amount)> {
        numbers.iter().map(|number| (*number, Amount::Time(of(*number)))).collect()
    };
    let rounds = plan.rounds;
    vec![
        ResultRow::curve(
            "one more line of output",
            "lines",
            TargetSide::Flat(2.0),
            points(&LINES, &|n| line(n, rounds)),
        ),
        ResultRow::curve(
            "one more journal record",
            "records",
            TargetSide::Flat(2.0),
            points(&RECORDS, &|n| record(n, rounds)),
        ),
        ResultRow::curve(
            "a decision, with so many rules",
            "rules",
            TargetSide::ToKnow,
            points(&RULES, &|n| decision(n, rounds)),
        ),
    ]
}

/// One more line, after so many: the window is full after some twenty thousand.
fn line(before: u32, rounds: usize) -> Duration {
    const BLOCK: u32 = 1000;
    let mut capture = Capture::new(KEEP);
    let mut append = |lines: u32| (0..lines).for_each(|_| _ = capture.append(Stream::Stdout, LINE));
    append(before);
    let mut times: Vec<Duration> = (0..50 * rounds).map(|_| time(|| append(BLOCK)) / BLOCK).collect();
    median(&mut times)
}

/// What a record costs until it is safe: commands with a journal, all of it written down, against commands without.
fn record(before: u32, rounds: usize) -> Duration {
    const BLOCK: u32 = 50;
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    let (runtime, off, on) = (one_thread(), engine(), recorded(&journal));
    block(&runtime, &on, 1);
    on.journal().expect("it has one").close();
    if before > 2 {
        fill(&journal, u64::from(before / 2 - 1));
    }
    block(&runtime, &on, 1);
    let mut times: Vec<Duration> = (0..10 * rounds)
        .map(|_| {
            let without = block(&runtime, &off, BLOCK);
            block(&runtime, &on, BLOCK).saturating_sub(without) / (2 * BLOCK)
        })
        .collect();
    median(&mut times)
}

fn block(runtime: &Runtime, engine: &Engine, commands: u32) -> Duration {
    let still = testkit::still();
    time(|| {
        for _ in 0..commands {
            ours(runtime, engine, &still);
        }
        if let Some(journal) = engine.journal() {
            journal.flush();
        }
    })
}

fn decision(rules: u32, rounds: usize) -> Duration {
    match Bench::with(rules).typical_time("git log --oneline -5 | head -3", 50 * rounds) {
        Amount::Time(time) => time,
        other => panic!("{other} is no time"),
    }
}
