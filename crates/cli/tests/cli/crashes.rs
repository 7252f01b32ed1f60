//! Killed at any point, again and again: the journal opens, its chain holds, what was interrupted is marked, and no
//! output lies about without a record.
//!
//! `RUNWARD_CRASH_ROUNDS` says how often; CI does a few, `RUNWARD_CRASH_ROUNDS=200` is the whole test.

use crate::runner::Place;
use serde_json::Value;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Prints more than memory keeps, so that the spool is written, and leaves something running.
const SCRIPT: &str = "echo begun; head -c 3000000 /dev/zero; sleep 0.02; exit 3";

fn rounds() -> u64 {
    std::env::var("RUNWARD_CRASH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

fn start(place: &Place) -> Child {
    let args = ["exec", "--json", "--max-output", "1000", "--shell", SCRIPT];
    place.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn recorded(place: &Place) -> Vec<Value> {
    let said = place.run(["log", "--json"]);
    assert_eq!(said.code, 0, "{said:?}");
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn killed_at_random_points_the_journal_opens_and_its_chain_holds() {
    let place = Place::new();
    let begun = Instant::now();
    start(&place).wait().unwrap();
    let whole = u64::try_from(begun.elapsed().as_micros()).unwrap();
    let chance = RandomState::new();
    for round in 0..rounds() {
        // Two at a time share the journal; each is killed somewhere between its beginning and its end.
        let mut runners = [start(&place), start(&place)];
        for (number, runner) in runners.iter_mut().enumerate() {
            let point = Duration::from_micros(chance.hash_one((round, number)) % whole);
            // The point in time is what this test is about: nothing is waited for.
            std::thread::sleep(point / 2);
            runner.kill().unwrap();
            runner.wait().unwrap();
        }
        if round % 10 == 0 {
            let said = place.run(["log", "--verify"]);
            assert_eq!(said.code, 0, "round {round}: {said:?}");
        }
    }
    // One more opens what they left, and marks it.
    start(&place).wait().unwrap();
    let said = place.run(["log", "--verify"]);
    assert_eq!(said.code, 0, "{said:?}");
    let all = recorded(&place);
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    all.iter().for_each(|one| *states.entry(one["state"].as_str().unwrap()).or_default() += 1);
    assert!(states.keys().all(|state| ["ended", "interrupted"].contains(state)), "{states:?}");
    assert!(states["ended"] >= 2, "the first and the last were left alone: {states:?}");
    let known: Vec<&str> = all.iter().map(|one| one["id"].as_str().unwrap()).collect();
    for entry in std::fs::read_dir(place.state().join("spool")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let run = name.split('.').next().unwrap();
        assert!(known.contains(&run), "{name} belongs to no command in the journal");
    }
    println!("{states:?}");
}
