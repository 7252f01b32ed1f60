//! `doctor`: one line for each thing, and what to do about it.

use crate::runner::Place;

const LINES: &[&str] = &[
    "shell",
    "bash",
    "python3",
    "node",
    "npm",
    "npx",
    "memory limit",
    "process limit",
    "pty",
    "namespaces",
    "landlock",
    "seccomp",
    "configuration",
    "state folder",
    "journal",
    "open files",
    "clients",
];

#[test]
fn every_line_is_there_in_both_forms() {
    let place = Place::new();
    let said = place.run(["doctor"]);
    let object: serde_json::Value = serde_json::from_str(&place.run(["doctor", "--json"]).stdout).unwrap();
    for name in LINES {
        assert!(said.stdout.lines().any(|line| line.contains(name)), "{name}: {}", said.stdout);
        let checks = object["checks"].as_array().unwrap();
        assert!(checks.iter().any(|check| check["name"] == *name && check["state"].is_string()), "{name}");
    }
    assert_eq!(said.code, 0);
}

#[test]
fn what_is_missing_comes_with_a_cure() {
    let place = Place::new();
    let output = place.command(["doctor", "--json"]).env("PATH", "").output().unwrap();
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let python =
        object["checks"].as_array().unwrap().iter().find(|check| check["name"] == "python3").unwrap();
    assert_eq!((&python["state"], python["fix"].is_string()), (&"missing".into(), true));
}

#[test]
fn a_broken_configuration_is_told_like_anything_else() {
    let place = Place::new();
    place.owner("nonsense = 1");
    let said = place.run(["doctor"]);
    assert_eq!(said.code, 125);
    assert!(said.stdout.contains("broken   configuration"), "{}", said.stdout);
    assert!(said.stdout.contains("unknown key `nonsense`"), "{}", said.stdout);
    assert!(said.stdout.contains("open files"), "the rest is told too: {}", said.stdout);
}

#[test]
fn the_configured_node_is_the_one_that_is_shown() {
    let place = Place::new();
    let node = place.file("node", "#!/bin/sh\n");
    place.owner(&format!("runtimes.node.path = {:?}", node.to_str().unwrap()));
    let said = place.run(["doctor"]);
    let shown = format!("{} (through runtimes.node.path)", node.display());
    assert!(said.stdout.contains(&shown), "{}", said.stdout);
}

fn journal(place: &Place) -> (String, String, String, i32) {
    let said = place.run(["doctor", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let all = object["checks"].as_array().unwrap();
    let line = all.iter().find(|check| check["name"] == "journal").expect("a line for the journal");
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    (text("state"), text("found"), text("fix"), said.code)
}

#[test]
fn the_journal_is_told_with_its_path_and_its_number_of_records() {
    let place = Place::new();
    let folder = place.state().join("journal");
    let nothing = format!("{}, nothing is recorded yet", folder.display());
    assert_eq!(journal(&place), ("ok".to_owned(), nothing, String::new(), 0));
    assert!(!folder.exists(), "looking begins no journal");
    place.run(["exec", "--", "true"]);
    place.run(["exec", "--", "false"]);
    let four = format!("{}, 4 records", folder.display());
    assert_eq!(journal(&place), ("ok".to_owned(), four, String::new(), 0));
}

#[test]
fn a_journal_that_is_off_is_told_to_be_off() {
    let place = Place::new();
    place.owner("[journal]\nenabled = false\n");
    assert_eq!(journal(&place).1, "off; commands are not recorded");
}

#[test]
fn a_journal_that_cannot_be_written_comes_with_a_cure_and_where_it_is_required_it_is_broken() {
    let place = Place::new();
    std::fs::create_dir_all(place.state()).unwrap();
    std::fs::write(place.state().join("journal"), "in the way").unwrap();
    let (state, found, fix, code) = journal(&place);
    assert_eq!((state.as_str(), code), ("missing", 0), "{found}");
    let folder = place.state().join("journal");
    assert!(found.starts_with(&format!("{} cannot be written: ", folder.display())), "{found}");
    assert!(fix.contains("RUNWARD_STATE_DIR") && fix.contains("enabled = false"), "{fix}");
    place.owner("[journal]\nrequired = true\n");
    let (state, _, _, code) = journal(&place);
    assert_eq!((state.as_str(), code), ("broken", 125));
}

#[test]
fn a_journal_that_is_none_is_told_to_be_unreadable() {
    let place = Place::new();
    std::fs::create_dir_all(place.state().join("journal")).unwrap();
    std::fs::write(
        place.state().join("journal/journal.db"),
        "no database at all, but longer than a head of one is",
    )
    .unwrap();
    let (state, found, fix, _) = journal(&place);
    assert_eq!(state, "missing", "{found}");
    assert!(found.contains("the journal cannot be read") && !fix.is_empty(), "{found} {fix}");
}
