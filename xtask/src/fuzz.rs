//! `cargo xtask fuzz`: the fuzz targets, each for a while.
//!
//! May not be part of the workspace's own build: libFuzzer needs flags that only a nightly compiler takes by itself.

use crate::ChoreResult;
use crate::process::{ChildTool, Errors};
use crate::root::RepositoryRoot;
use std::fs;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str =
    "fuzz how shell text is read and judged, with bash as the judge [SECONDS for each target]";

/// How long by default.
pub(crate) const SECONDS: u64 = 30;

/// One target: its name, and how many texts it takes among the checks.
struct FuzzTarget {
    name: &'static str,
    runs: u32,
}

const TARGETS: [FuzzTarget; 2] =
    [FuzzTarget { name: "reading", runs: 2500 }, FuzzTarget { name: "effects", runs: 1500 }];

/// `cargo xtask fuzz`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let seconds = match words {
        [] => SECONDS,
        [seconds] => seconds.parse().map_err(|_| format!("`{seconds}` is not a number of seconds"))?,
        _ => return Err("give one number of seconds".to_owned()),
    };
    ChildTool::new("cargo build --quiet --package testkit --bins --locked").run(root)?;
    TARGETS.iter().try_for_each(|target| one(root, target, seconds, words.is_empty()))
}

fn one(root: &RepositoryRoot, target: &FuzzTarget, seconds: u64, is_check: bool) -> ChoreResult {
    let name = target.name;
    // What was found on the way, apart from the corpus that is kept.
    let found = format!("target/fuzz/found/{name}");
    fs::create_dir_all(root.join(&found)).map_err(|error| format!("`{found}` cannot be made: {error}"))?;
    // Among the checks it takes the same way each time; a longer run looks further.
    let way = if is_check { format!("-seed=1 -runs={}", target.runs) } else { String::new() };
    let flags = format!(
        "-max_total_time={seconds} {way} -timeout=10 -max_len=2000 -print_final_stats=1 -dict=fuzz/reading.dict"
    );
    let line = format!(
        "cargo fuzz run --fuzz-dir fuzz --sanitizer none {name} {found} fuzz/corpus/{name} -- {flags}"
    );
    ChildTool::new(&line)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", root.join("target/fuzz"))
        .env("RUNWARD_RECORDER", root.join("target/debug/runward-recorder"))
        .errors(Errors::Joined)
        .run(root)
}
