//! Output that cannot be written: every verb says so and exits with 125. A reader that went away is no failure to tell.

use crate::runner::{Place, said};
use std::fs::OpenOptions;
use std::process::Stdio;

/// What prints something in a place where one command was recorded.
const VERBS: &[&[&str]] = &[
    &["--version"],
    &["--help"],
    &["exec", "--help"],
    &["exec", "--", "echo", "hi"],
    &["exec", "--json", "--", "echo", "hi"],
    &["exec", "--yaml", "--", "true"],
    &["explain", "--", "echo", "hi"],
    &["explain", "--json", "--", "echo", "hi"],
    &["resolve", "sh"],
    &["doctor"],
    &["doctor", "--json"],
    &["log"],
    &["log", "--json"],
    &["log", "--yaml"],
    &["log", "--verify"],
    &["log", "--stats"],
    &["log", "--export"],
    &["log", "--follow"],
    &["log", "--follow", "--json"],
    &["config", "show"],
    &["config", "show", "--json"],
    &["policy", "check", "--", "ls"],
    &["policy", "suggest"],
    &["completions", "bash"],
    &["help-markdown"],
    &["flows"],
    &["ps"],
    &["ps", "--json"],
    &["approvals"],
    &["approvals", "--json"],
];

fn recorded() -> Place {
    let place = Place::new();
    assert_eq!(place.run(["exec", "--", "echo", "hi"]).code, 0);
    place
}

#[test]
fn a_full_device_is_told_by_every_verb() {
    let place = recorded();
    let mut wrong = Vec::new();
    for args in VERBS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let said = said(&place.command(*args).stdout(full).stderr(Stdio::piped()).output().unwrap());
        let told = said.stderr.contains("No space left on device") && said.stderr.contains("runward:");
        if said.code != 125 || !told || said.stderr.matches("No space left").count() != 1 {
            wrong.push(format!("{args:?}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_reader_that_is_gone_is_left_alone() {
    let place = recorded();
    let mut wrong = Vec::new();
    for args in VERBS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let said = said(&place.command(*args).stdout(writer).stderr(Stdio::piped()).output().unwrap());
        if said.code != 141 || !said.stderr.is_empty() {
            wrong.push(format!("{args:?}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn where_even_words_find_no_room_the_exit_code_says_it() {
    let place = recorded();
    for args in VERBS {
        let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = place.command(*args).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(125), "{args:?}");
    }
}
