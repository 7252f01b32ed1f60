//! Retention: of too much the oldest goes, with its output, and the rest is still whole.

use crate::runner::Place;
use serde_json::Value;

/// Runs this and gives the command's id.
fn runs(place: &Place, more: &[&str], script: &str) -> String {
    let said = place.run(["exec", "--json"].iter().chain(more).chain(&["--shell", script]));
    assert_eq!(said.code, 0, "{said:?}");
    let newest = place.run(["log", "--json", "-n", "1"]);
    let one: Value = serde_json::from_str(newest.stdout.trim()).unwrap_or_else(|_| panic!("{newest:?}"));
    one["id"].as_str().unwrap().to_owned()
}

#[test]
fn beyond_keep_bytes_old_records_go_with_their_spool_files_and_verify_still_holds() {
    const KEPT: u64 = 1 << 20;
    let place = Place::new();
    place.owner(&format!("[journal]\nkeep_bytes = {KEPT}\n"));
    let spooled = runs(&place, &["--max-output", "1000"], "head -c 3000000 /dev/zero");
    let file = place.state().join(format!("spool/{spooled}.stdout"));
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 3_000_000);
    // Each takes a quarter of what may be kept.
    let print = "head -c 262144 /dev/zero | tr '\\0' x";
    let mut ids: Vec<String> = (0..3).map(|_| runs(&place, &[], print)).collect();
    assert!(file.exists() && place.run(["log", &spooled]).code == 0, "there was room for all");
    ids.extend((0..5).map(|_| runs(&place, &[], print)));
    // A process that has to end leaves what it had no time for to the next one.
    for _ in 0..5 {
        if file.exists() {
            ids.push(runs(&place, &[], print));
        }
    }
    assert!(!file.exists(), "nobody knows of it any more");
    let said = place.run(["log", &spooled]);
    assert!(said.code == 125 && said.stderr.contains("[journal.unknown]"), "{said:?}");
    let newest = ids.last().unwrap();
    assert_eq!(place.run(["log", newest, "--output"]).stdout.len(), 262_144);
    let said = place.run(["log", "--verify", "--json"]);
    let verified: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"));
    let (first, sealed) = (verified["first"].as_u64().unwrap(), verified["sealed"].as_u64().unwrap());
    assert!(sealed >= 2 && first == sealed + 1, "{verified}");
    let said = place.run(["log", "--verify"]);
    assert!(said.stdout.contains(&format!("{sealed} older records were dropped in order")), "{said:?}");
    // One command may be over: what it printed is written after the look at how much there is.
    let left = place.run(["log", "--json"]).stdout.lines().count();
    assert!((2..=5).contains(&left), "{left} are left");
}
