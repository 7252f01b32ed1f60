//! What `cargo xtask test --help` says, and what a run says before it begins: how long it will take, and how much room.

use super::steps::{CheckStep, STEPS};
use std::fmt::Write;

/// Minutes that a step takes the first time on two cores, with everything to be built; later it is a fraction.
const MINUTES: &[(&str, u32)] = &[
    ("install", 8),
    ("clippy", 3),
    ("docs", 1),
    ("rustdoc", 1),
    ("features", 3),
    ("api", 1),
    ("build", 3),
    ("nextest", 6),
    ("conformance", 1),
    ("doctest", 1),
    ("chaos", 2),
    ("counts", 2),
    ("fuzz", 2),
];

/// Room that `target` takes: for lints and documentation alone, with the tests, and with everything.
const LITTLE_GB: u32 = 2;
const TESTS_GB: u32 = 5;
const ALL_GB: u32 = 6;

/// The line before the first step.
pub(super) fn expectation(steps: &[&CheckStep]) -> String {
    let has = |name: &str| steps.iter().any(|step| step.name == name);
    let minutes: u32 = steps.iter().map(|step| minutes(step.name)).sum();
    let room = match (has("nextest"), has("fuzz")) {
        (true, true) => ALL_GB,
        (true, false) | (false, true) => TESTS_GB,
        (false, false) => LITTLE_GB,
    };
    let steps = if steps.len() == 1 { "1 step".to_owned() } else { format!("{} steps", steps.len()) };
    format!(
        "{steps}: about {} and {room} GB below target the first time on two cores, much less later",
        if minutes < 2 { "a minute".to_owned() } else { format!("{minutes} minutes") }
    )
}

fn minutes(step: &str) -> u32 {
    MINUTES.iter().find(|(name, _)| *name == step).map_or(0, |(_, minutes)| *minutes)
}

/// The page.
pub(super) fn page() -> String {
    let all: Vec<&CheckStep> = STEPS.iter().collect();
    let fast: Vec<&CheckStep> = STEPS.iter().filter(|step| !step.slow).collect();
    let mut text = format!(
        "usage: cargo xtask test [--fast] [--advisories] [--only STEP]\n\n\
         Runs every check, in order, and stops at the first that fails.\n\n\
         \x20 --fast         leave out the steps that are marked slow\n\
         \x20 --only STEP    install what one step needs, and run it alone\n\
         \x20 --advisories   also ask the advisory database, which has to be fetched\n\
         \x20 -h, --help     print this\n\n\
         Everything is {}.\nWith --fast it is {}.\n\nSteps:\n",
        expectation(&all),
        expectation(&fast)
    );
    for step in STEPS {
        let slow = if step.slow { " (slow)" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<12} {}{slow}", step.name, step.about);
    }
    text.push_str(
        "\nMissing programs are installed with apt-get, as root or with sudo; elsewhere the command to type is printed.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_step_and_flag() {
        let page = page();
        for step in STEPS {
            assert!(page.contains(&format!("\n  {:<12} {}", step.name, step.about)), "{}", step.name);
        }
        for flag in ["--fast", "--only STEP", "--advisories", "minutes", " GB "] {
            assert!(page.contains(flag), "{flag}: {page}");
        }
        for (name, _) in MINUTES {
            assert!(STEPS.iter().any(|step| step.name == *name), "{name} is no step any more");
        }
    }

    #[test]
    fn a_run_says_how_long_it_takes() {
        let only: Vec<&CheckStep> = STEPS.iter().filter(|step| step.name == "tidy").collect();
        assert_eq!(
            expectation(&only),
            "1 step: about a minute and 2 GB below target the first time on two cores, much less later"
        );
        let all: Vec<&CheckStep> = STEPS.iter().collect();
        assert!(expectation(&all).contains("6 GB"), "{}", expectation(&all));
    }
}
