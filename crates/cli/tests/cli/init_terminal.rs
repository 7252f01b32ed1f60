//! `runward init` on a real terminal: it shows, asks, and writes what the person says.

use crate::runner::Place;
use crate::tmux::Tmux;
use testkit::until;

fn line() -> String {
    format!("PATH=/usr/bin:/bin {} init; echo \"[ended with $?]\"", env!("CARGO_BIN_EXE_runward"))
}

fn home() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.home().join(".cursor")).unwrap();
    std::fs::write(place.home().join(".cursor/mcp.json"), "{}").unwrap();
    std::fs::write(place.home().join(".claude.json"), "{}").unwrap();
    place
}

fn text(place: &Place, file: &str) -> String {
    std::fs::read_to_string(place.home().join(file)).unwrap()
}

#[test]
fn a_no_writes_nothing_and_one_by_one_writes_what_is_chosen() {
    let place = home();
    let tmux = Tmux::open(&place);
    tmux.enters(&line());
    tmux.shows("Write these 2 files?");
    tmux.enters("n");
    tmux.shows("[ended with 0]");
    assert_eq!(
        (text(&place, ".cursor/mcp.json"), text(&place, ".claude.json")),
        ("{}".to_owned(), "{}".to_owned())
    );
    tmux.enters("clear");
    tmux.enters(&line());
    tmux.shows("Write these 2 files?");
    tmux.enters("o");
    tmux.shows("Write ~/.claude.json? [Y/n]");
    tmux.enters("n");
    tmux.shows("Write ~/.cursor/mcp.json? [Y/n]");
    tmux.enters("");
    tmux.shows("Tried: it answered in ");
    assert_eq!(text(&place, ".claude.json"), "{}");
    assert!(text(&place, ".cursor/mcp.json").contains("runward"));
}

#[test]
fn a_file_that_changes_while_a_person_thinks_is_shown_again() {
    let place = home();
    let tmux = Tmux::open(&place);
    tmux.enters(&line());
    tmux.shows("Write these 2 files?");
    std::fs::write(place.home().join(".claude.json"), "{\"new\": 1}").unwrap();
    tmux.enters("y");
    tmux.shows("Write this file?");
    assert_eq!(text(&place, ".claude.json"), "{\"new\": 1}", "not without another word");
    tmux.enters("y");
    tmux.shows("Tried: it answered in ");
    until("it is written", || text(&place, ".claude.json").contains("runward"));
    assert!(
        text(&place, ".claude.json").starts_with("{\"new\": 1, \"mcpServers\""),
        "{}",
        text(&place, ".claude.json")
    );
}
