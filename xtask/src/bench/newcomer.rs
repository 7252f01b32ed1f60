//! What a newcomer waits for: a fresh clone, an empty target folder, and the README's first command; and how many crates
//! are compiled for it.
//!
//! May not touch the folders of this checkout: what is built for it is removed again.

use super::measured::{Bound, MeasuredRow};
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::collections::BTreeSet;
use std::fs;
use std::time::Instant;

/// Crates that may be in the program.
const MOST_CRATES: u32 = 200;

/// Seconds until the first command's output, on two processors with nothing else to do.
const MOST_SECONDS: f64 = 180.0;

const PLACE: &str = "target/bench/newcomer";

/// Both rows.
pub(crate) fn rows(root: &RepositoryRoot) -> Result<Vec<MeasuredRow>, String> {
    Ok(vec![
        row("crates in the program", "number", f64::from(crates(root)?), f64::from(MOST_CRATES)),
        row(
            "fresh clone: `cargo run -- exec -- echo hello`",
            "us",
            first_output(root)? * 1e6,
            MOST_SECONDS * 1e6,
        ),
    ])
}

fn row(what: &str, unit: &str, product: f64, most: f64) -> MeasuredRow {
    MeasuredRow {
        section: "build".to_owned(),
        what: what.to_owned(),
        unit: unit.to_owned(),
        baseline: None,
        product,
        ratio: None,
        spread: [product, product],
        bound: Bound::Within,
        target: Some(most),
        pass: product <= most,
    }
}

fn crates(root: &RepositoryRoot) -> Result<u32, String> {
    let said =
        ChildTool::new("cargo tree --locked --package runward --edges normal --prefix none").answer(root)?;
    if !said.status.success() {
        return Err(format!("`cargo tree` failed ({})", said.status));
    }
    u32::try_from(names(&String::from_utf8(said.stdout).unwrap_or_default()).len())
        .map_err(|error| error.to_string())
}

/// Each crate and version once. What else stands in a line is where it comes from, and that it was there before.
fn names(tree: &str) -> BTreeSet<String> {
    let name = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    tree.lines().filter(|line| !line.is_empty()).map(name).collect()
}

/// Seconds. What is fetched is fetched before: the network is not ours.
fn first_output(root: &RepositoryRoot) -> Result<f64, String> {
    let place = root.join(PLACE);
    let _ = fs::remove_dir_all(&place);
    let failed = |error| format!("`{PLACE}`: {error}");
    fs::create_dir_all(&place).map_err(failed)?;
    ChildTool::new(&format!("git clone --quiet . {PLACE}/clone")).run(root)?;
    ChildTool::new("cargo fetch --quiet --locked").run(root)?;
    let begun = Instant::now();
    let line = "cargo run --quiet --locked --offline --manifest-path";
    let clone = place.join("clone");
    let manifest = clone.join("Cargo.toml").display().to_string();
    let said = ChildTool::new(line)
        .args([manifest.as_str(), "--", "exec", "--", "echo", "hello"])
        .env("CARGO_TARGET_DIR", clone.join("target"))
        .env("RUNWARD_STATE_DIR", place.join("state"))
        .answer(root)?;
    let took = begun.elapsed();
    fs::remove_dir_all(&place).map_err(failed)?;
    if said.status.success() && said.stdout == b"hello\n" {
        return Ok(took.as_secs_f64());
    }
    Err(format!(
        "the README's first command ended with {}\n{}",
        said.status,
        String::from_utf8(said.stderr).unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_counted_once_and_two_versions_are_two() {
        let tree = "runward v0.1.0 (/x)\nsyn v2.0.1\nsyn v3.0.0 (proc-macro)\nsyn v2.0.1 (*)\n\n";
        assert_eq!(names(tree).len(), 3);
    }

    #[test]
    fn one_crate_too_many_misses_the_target() {
        assert!(row("x", "number", 200.0, 200.0).pass);
        assert!(row("x", "number", 201.0, 200.0).missed());
    }
}
