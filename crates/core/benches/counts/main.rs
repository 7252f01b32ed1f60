//! Work to be counted: `counts SCENARIO TIMES` does one thing so many times on an input that is made before.
//!
//! `cargo xtask counts` runs it under valgrind and compares with `counts.json` beside this file. May not look at the
//! machine, so that the same program does the same work everywhere. Read first: [`SCENARIOS`].

mod digest;
mod host;
mod life;
mod policy;
mod told;
mod window;

use std::process::ExitCode;

/// Something to do over and over, with everything it needs.
type Work = Box<dyn FnMut()>;

/// One kind of work.
struct Scenario {
    name: &'static str,
    /// How often it is done at least, to tell it from what comes before it.
    times: u32,
    prepare: fn() -> Work,
}

const fn scenario(name: &'static str, times: u32, prepare: fn() -> Work) -> Scenario {
    Scenario { name, times, prepare }
}

/// Everything that is counted.
const SCENARIOS: &[Scenario] = &[
    scenario("policy-typical", 20, policy::typical),
    scenario("policy-hostile", 1, policy::hostile),
    scenario("answer-tests", 1, digest::tests),
    scenario("answer-errors", 1, digest::errors),
    scenario("answer-events", 1, digest::events),
    scenario("answer-unknown", 1, digest::unknown),
    scenario("answer-colours", 1, digest::colours),
    scenario("receipt-yaml", 20, told::yaml),
    scenario("receipt-json", 20, told::json),
    scenario("window-lines", 10, window::lines),
    scenario("window-chunks", 10, window::chunks),
    scenario("life", 1000, life::life),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match &words[..] {
        [] => list(),
        [name, times] => times.parse().is_ok_and(|times| repeat(name, times)),
        _ => false,
    };
    if done {
        return ExitCode::SUCCESS;
    }
    eprintln!("usage: counts [SCENARIO TIMES]; without words it lists the scenarios");
    ExitCode::FAILURE
}

/// Says what there is to count, and how often each is to be done.
fn list() -> bool {
    for Scenario { name, times, .. } in SCENARIOS {
        println!("{name} {times}");
    }
    true
}

/// Whether there is such a scenario; then it is done.
fn repeat(name: &str, times: u32) -> bool {
    let Some(scenario) = SCENARIOS.iter().find(|scenario| scenario.name == name) else { return false };
    let mut work = (scenario.prepare)();
    for _ in 0..times {
        work();
    }
    true
}
