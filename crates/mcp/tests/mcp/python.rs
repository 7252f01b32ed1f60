//! The official client of another language, which nobody here wrote. The conversations are in `conversation.py`.

use crate::http::{Server, TOKEN};
use crate::place::Place;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testkit::{Mark, until};

/// With a handshake, and without one.
const MODES: [&str; 2] = ["legacy", "auto"];

fn client(place: &Place, words: &[&str]) -> Command {
    let binary = testkit::binary("runward");
    client_of(place, binary.to_str().unwrap(), words)
}

/// A client of a binary to start, or of a server that runs.
fn client_of(place: &Place, target: &str, words: &[&str]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/conversation.py");
    let script = script.to_str().unwrap();
    let mut command =
        place.command(&testkit::python(), &[&[script], &words[..2], &[target], &words[2..]].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn converse(part: &str) {
    for mode in MODES {
        let said = client(&Place::open(), &[part, mode]).output().unwrap();
        let (printed, words) =
            (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
        assert_eq!(printed, "done\n", "{mode}: {words}");
    }
}

#[test]
fn tools_are_listed_and_commands_run() {
    converse("talk");
}

#[test]
fn sessions_are_typed_into_and_their_state_is_told() {
    converse("live");
}

#[test]
fn a_person_is_asked_through_the_client() {
    for mode in MODES {
        let place = Place::with("[policy]\nask = [\"touch\"]\n").set("ALLOWED_COMMANDS", None);
        let said = client(&place, &["approve", mode]).output().unwrap();
        let (printed, words) =
            (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
        assert_eq!(printed, "done\n", "{mode}: {words}");
        assert!(place.owners_text().contains("approved = true"), "{mode}");
    }
}

#[test]
fn the_same_is_said_over_http() {
    let server = Server::start(Some(TOKEN));
    for (part, mode) in [("talk", "legacy"), ("talk", "auto"), ("live", "legacy"), ("live", "auto")] {
        let url = format!("http://{}/mcp", server.address);
        let mut command = client_of(&server.place, &url, &[part, mode]);
        let said = command.env("RUNWARD_TOKEN", TOKEN).output().unwrap();
        let (printed, words) =
            (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
        assert_eq!(printed, "done\n", "{part} {mode}: {words}");
    }
}

#[test]
fn a_cancelled_call_ends_its_tree() {
    for mode in MODES {
        let (place, mark) = (Place::open(), Mark::new());
        let mut child = client(&place, &["cancel", mode, mark.text()]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        until("the command runs", || sleepers(&mark) >= 2);
        stdin.write_all(b"cancel\n").unwrap();
        let mut words = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert_eq!(words.next().as_deref(), Some("cancelled"));
        until("nothing of it is left", || sleepers(&mark) == 0);
        stdin.write_all(b"go on\n").unwrap();
        assert_eq!(words.next().as_deref(), Some("done"), "{mode}");
        child.wait().unwrap();
    }
}

#[test]
fn a_client_that_is_killed_leaves_nothing_within_a_second() {
    for mode in MODES {
        let (place, mark) = (Place::open(), Mark::new());
        let mut child: Child = client(&place, &["hold", mode, mark.text()]).spawn().unwrap();
        // Two shells, and three that sleep for each.
        until("both trees are there", || sleepers(&mark) >= 8);
        child.kill().unwrap();
        child.wait().unwrap();
        let begun = Instant::now();
        until("nothing is left", || mark.carriers().is_empty());
        let took = begun.elapsed();
        println!("{mode}: gone after {took:?}");
        assert!(took < Duration::from_secs(1), "{mode}: {took:?}");
    }
}

/// Processes with the mark, other than the client, which has it too.
fn sleepers(mark: &Mark) -> usize {
    mark.carriers().len().saturating_sub(1)
}
