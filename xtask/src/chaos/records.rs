//! What the journal tells: which commands are in it, how they ended, and whether it is whole.
//!
//! May not look into the database: it is asked as a person would ask.

use super::arena::Arena;
use super::outcome::BoundedRun;
use super::processes::comes;
use super::server::{GRACE, PipedServer};
use super::tally::Tally;
use serde_json::Value;

/// What a battery runs, each with a word that no other command has.
pub(crate) fn word(number: usize) -> String {
    format!("chaosword{number:05}x")
}

/// A command of that word, which does nothing.
pub(crate) fn text(number: usize) -> String {
    format!("true {}", word(number))
}

/// Everything that `log --json` tells.
pub(crate) fn all(arena: &Arena<'_>) -> Result<BoundedRun, String> {
    arena.run(&["log", "--json"])
}

/// Which of these numbers are not in the journal.
pub(crate) fn missing(arena: &Arena<'_>, numbers: &[usize]) -> Result<Vec<usize>, String> {
    let told = all(arena)?.stdout;
    Ok(numbers.iter().copied().filter(|number| !told.contains(&word(*number))).collect())
}

/// Waits until all of them are there.
pub(crate) fn arrive(arena: &Arena<'_>, numbers: &[usize]) -> bool {
    comes(GRACE, || missing(arena, numbers).is_ok_and(|missing| missing.is_empty()))
}

/// Runs these numbers one after the other. Gives those that ran.
pub(crate) fn play(server: &mut PipedServer, numbers: &[usize], tally: &mut Tally) -> Vec<usize> {
    let mut ran = Vec::new();
    for number in numbers {
        match server.text(&text(*number), GRACE) {
            None => tally.hung(format!("the call of {}: {}", word(*number), server.fate())),
            Some(answer) if answer.is_fine() => ran.push(*number),
            Some(answer) => tally.wrong(format!("the call of {}: {}", word(*number), answer.words())),
        }
    }
    ran
}

/// The chain holds, and nothing is shown as running that has ended.
pub(crate) fn hold(arena: &Arena<'_>, when: &str, tally: &mut Tally) -> Result<(), String> {
    let verified = arena.run(&["log", "--verify"])?;
    tally.hold(verified.code == Some(0), || format!("{when}: {}", verified.told()));
    let told = all(arena)?;
    tally.hold(told.code == Some(0), || format!("{when}: {}", told.told()));
    let records = told.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let running = records.filter(|record| record["state"] == "running").count();
    tally.hold(running == 0, || format!("{when}: {running} commands are said to run still"));
    Ok(())
}
