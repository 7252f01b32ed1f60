//! `cargo xtask digest`: what models are shown of every recorded tool, and what 65 000 accidents do to it.
//!
//! May not judge anything itself: the tests of core do, and print the table.

use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "what models are shown of recorded tools, with many mutations of each, as a table [COUNT for each recording]";

/// How many for each recording by default: 65 000 in all.
const MUTATIONS: u32 = 700;

/// `cargo xtask digest`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let count = match words {
        [] => MUTATIONS,
        [count] => count.parse().map_err(|_| format!("`{count}` is not a number of mutations"))?,
        _ => return Err("give one number of mutations".to_owned()),
    };
    let line = "cargo test --quiet --release --package runward-core --test all --locked -- digest::mutations --nocapture";
    ChildTool::new(line).env("RUNWARD_DIGEST_MUTATIONS", count.to_string()).run(root)
}
