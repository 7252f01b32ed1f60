//! `cargo xtask chaos`: faults, load and bad input for the program as it is built, and the results, counted.
//!
//! May not know how the program works: it is called as a user calls it. Read first: [`battery::BATTERIES`].

mod arena;
mod asked;
mod batteries;
mod battery;
mod chance;
mod guard;
mod mounts;
mod outcome;
mod page;
mod processes;
mod records;
mod server;
mod tally;

use crate::ChoreResult;
use crate::bench;
use crate::install;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use arena::Equipment;
use asked::AskedChaos;
use page::Played;
use std::fs;
use std::time::Instant;
use tally::Tally;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str =
    "faults, load and bad input [BATTERY...] [--part] [--rounds N] [--release] [--json] [--write]";

/// `cargo xtask chaos`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let asked = AskedChaos::read(words)?;
    install::programs(root)?;
    let (flag, folder) = if asked.release { ("--release", "release") } else { ("", "debug") };
    ChildTool::new(&format!("cargo build --workspace --bins --locked {flag}")).run(root)?;
    let equipment = Equipment::new(&root.join("target").join(folder), asked.part)?;
    let played = play(&equipment, &asked);
    drop(equipment);
    if asked.json {
        let rows = played.iter().map(|(battery, tally)| (battery.name, tally)).collect::<Vec<_>>();
        println!("{}", serde_json::to_string(&rows).map_err(|error| error.to_string())?);
    }
    if asked.write {
        write(root, &played)?;
    }
    let bad: Vec<_> = played.iter().filter(|(_, tally)| !tally.is_clean()).map(|(one, _)| one.name).collect();
    if bad.is_empty() { Ok(()) } else { Err(format!("not clean: {}", bad.join(", "))) }
}

/// The size that fits into every check. What it needs is there and built.
pub(crate) fn part(root: &RepositoryRoot) -> ChoreResult {
    run(root, &["--part".to_owned()])
}

fn play(equipment: &Equipment, asked: &AskedChaos) -> Played {
    let mut played = Vec::new();
    if !asked.json {
        println!("{}", page::heading());
    }
    for battery in &asked.batteries {
        let (begun, mut tally) = (Instant::now(), Tally::default());
        if let Err(sentence) = (battery.play)(equipment, asked.rounds(battery), &mut tally) {
            tally.wrong(format!("the battery could not be played to its end: {sentence}"));
        }
        if !asked.json {
            println!("{}  {:>4}s", page::line(battery.name, &tally), begun.elapsed().as_secs());
            tally.found.iter().for_each(|words| println!("    {words}"));
        }
        played.push((*battery, tally));
    }
    played
}

fn write(root: &RepositoryRoot, played: &Played) -> ChoreResult {
    let path = root.join(page::PATH);
    let failed = |error: std::io::Error| format!("{}: {error}", page::PATH);
    let there = fs::read_to_string(&path).map_err(failed)?;
    let part = page::part(played, &bench::here(root)?);
    let renewed = page::renew(&there, &part).ok_or_else(|| format!("{}: a mark is missing", page::PATH))?;
    fs::write(&path, renewed).map_err(failed)
}
