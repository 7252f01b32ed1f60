//! Every verb that prints, to a device that takes nothing: 125 and a word, everywhere.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::server::GRACE;
use crate::chaos::tally::Tally;
use std::fs::File;
use std::process::Stdio;

const VERBS: &[&[&str]] = &[
    &["--version"],
    &["--help"],
    &["exec", "--help"],
    &["exec", "--", "echo", "here"],
    &["exec", "--json", "--", "echo", "here"],
    &["exec", "--yaml", "--", "echo", "here"],
    &["code", "bash", "-c", "echo here"],
    &["explain", "--", "true"],
    &["explain", "--json", "--", "true"],
    &["resolve", "sh"],
    &["resolve", "--json", "sh"],
    &["doctor"],
    &["doctor", "--json"],
    &["config", "show"],
    &["config", "show", "--json"],
    &["policy", "check", "ls"],
    &["log"],
    &["log", "--json"],
    &["log", "--stats"],
    &["log", "--verify"],
    &["log", "--export"],
    &["ps"],
    &["ps", "--json"],
    &["approvals"],
    &["approvals", "--json"],
    &["flows"],
    &["flows", "--json"],
    &["completions", "bash"],
    &["completions", "fish"],
];

/// Every verb.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    arena.run(&["exec", "--", "true"])?.ends_with(&[0], tally);
    for _ in 0..rounds {
        for words in VERBS {
            let usual = arena.run(words)?;
            let device = File::options()
                .write(true)
                .open("/dev/full")
                .map_err(|error| format!("/dev/full: {error}"))?;
            let mut command = arena.runward(words);
            command.stdin(Stdio::null()).stdout(device).stderr(Stdio::piped());
            let said = outcome::finish(&words.join(" "), &mut command, GRACE)?;
            // What prints nothing on stdout has nothing to lose.
            if said.is_sound(tally) && !usual.stdout.is_empty() {
                let told = said.code == Some(125) && !said.stderr.trim().is_empty();
                tally.hold(told, || format!("to a full device {}", said.told()));
            }
            tally.round();
        }
    }
    arena.sweep("a full device", tally);
    Ok(())
}
