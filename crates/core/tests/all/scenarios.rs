//! Every file in `scenarios` gives what its golden section says. A bug report becomes a file there.
#![expect(clippy::disallowed_methods, reason = "scenarios are files beside this test")]

use crate::scenario::Scenario;
use std::fs;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_scenario_comes_to_its_golden_section() {
    let mut wrong = Vec::new();
    for file in files() {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        let scenario: Scenario = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!scenario.says.is_empty(), "{name} says nothing");
        let outcome = scenario.outcome();
        if outcome != scenario.golden {
            wrong.push(format!(
                "{name}\n--- golden\n{}\n--- came to\n{}",
                toml::to_string(&scenario.golden).unwrap(),
                toml::to_string(&outcome).unwrap()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn only_scenarios_lie_there_and_there_are_many() {
    let files = files();
    assert!(files.iter().all(|file| file.extension().is_some_and(|ending| ending == "toml")), "{files:?}");
    assert!(files.len() >= 25, "only {} scenarios", files.len());
}
