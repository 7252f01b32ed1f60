//! The page about the gateway is true: its files are written, its commands are run, and what it shows comes out.
//!
//! A block with the first line `json NAME` is a file of that name. The folder it lies in is the home, too.

use crate::guide::blocks;
use crate::readme::holds_true;
use crate::runner::Place;

const PAGE: &str = include_str!("../../../../docs/gateway.md");

fn place() -> Place {
    let place = Place::new();
    for (kind, text) in blocks(PAGE) {
        if let Some(name) = kind.strip_prefix("json ") {
            std::fs::create_dir_all(place.work().join(name).parent().unwrap()).unwrap();
            place.file(name, &text);
        }
    }
    place
}

#[test]
fn every_console_block_of_the_page_shows_what_comes_out() {
    holds_true(&place(), PAGE, 5, "export HOME=\"$PWD\"; ");
}

#[test]
fn every_list_of_the_page_is_one() {
    for (kind, text) in blocks(PAGE) {
        match kind.strip_prefix("json ") {
            Some("wrong.json") => {}
            Some(name) => {
                let environment = |name: &str| (name == "HOME").then(|| "/home/ann".to_owned());
                let read = runward_mcp::gateway::config::Roster::read(name, &text, &environment);
                assert!(read.is_ok(), "{}", read.unwrap_err());
            }
            None => assert_eq!(kind, "console"),
        }
    }
}

#[test]
fn every_client_that_is_looked_at_is_on_the_page() {
    let help = crate::runner::run(["gateway", "import", "--help"]).stdout;
    let (_, names) = help.split_once("[possible values: ").unwrap();
    let names: Vec<&str> = names.split(']').next().unwrap().split(',').map(str::trim).collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        assert!(PAGE.contains(&format!("`{name}`")), "{name}");
    }
}
