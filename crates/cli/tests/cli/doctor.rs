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
    "configuration",
    "state folder",
    "open files",
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
