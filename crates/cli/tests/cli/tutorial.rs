//! The tutorial is true: its commands are run in order in one project, and its entry for a client starts a server that
//! does what the page says.

use crate::agent::Agent;
use crate::guide::blocks;
use crate::readme::holds_true;
use crate::runner::Place;
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../../docs/tutorial.md");

#[test]
fn every_console_block_of_the_tutorial_shows_what_comes_out() {
    // Not in the temporary folder, of which a sandboxed command has one of its own.
    holds_true(&Place::aside(), PAGE, 15, "");
}

#[test]
fn the_entry_for_a_client_starts_a_server_that_keeps_to_the_rules() {
    let place = Place::new();
    place.file("Makefile", "test:\n\t@echo '2 tests passed'\n");
    let (_, entry) = blocks(PAGE).into_iter().find(|(kind, _)| kind == "json").unwrap();
    let entry: Value = serde_json::from_str(&entry).unwrap();
    let entry = &entry["mcpServers"]["runward"];
    assert_eq!(entry["command"], "runward");
    let args: Vec<&str> =
        entry["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let mut agent = Agent::serve_bare(&place, &args, &[]);
    let ran = agent.calls("execute_command", &json!({"command": "make test"}));
    assert_eq!((&ran["exit_code"], &ran["stdout"]), (&0.into(), &"2 tests passed\n".into()), "{ran}");
    let refused = agent.calls("execute_command", &json!({"command": "rm -rf build"}));
    assert_eq!(refused["error"]["code"], "policy.denied", "{refused}");
}

#[test]
fn every_block_of_the_tutorial_is_tried() {
    assert!(blocks(PAGE).iter().all(|(kind, _)| ["console", "json"].contains(&kind.as_str())));
}

#[test]
fn the_index_begins_with_the_tutorial_and_names_every_page() {
    let index = include_str!("../../../../docs/README.md");
    let first = index.find("](").map(|at| &index[at + 2..]).unwrap();
    assert!(first.starts_with("tutorial.md)"), "{first}");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") && name != "README.md" {
            assert!(index.contains(&format!("]({name}")), "{name} is in no list");
        }
    }
}
