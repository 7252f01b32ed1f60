//! The official Python client. The conversations are in `conversation.py`.

use crate::flows;
use crate::foreign::{Speaker, cancel, converse, killed, narrow};
use crate::place::Place;

fn python() -> Speaker {
    let program = testkit::python();
    // A Python finds its packages by itself.
    Speaker { packages: program.ancestors().nth(2).unwrap().to_owned(), program, script: "conversation.py" }
}

#[test]
fn the_whole_conversation_is_held_over_stdio_and_http() {
    converse(&python(), "talk,run,progress,live", Place::open);
}

#[test]
fn a_person_is_asked_through_the_client() {
    converse(&python(), "approve", || {
        Place::with("[policy]\nask = [\"touch\"]\nask_timeout_ms = 5000\n").set("ALLOWED_COMMANDS", None)
    });
}

#[test]
fn a_refusal_is_an_answer_with_its_reason() {
    converse(&python(), "refused", narrow);
}

#[test]
fn a_cancelled_call_ends_its_tree() {
    cancel(&python(), "cancel", Place::open);
}

/// A place with markdown agents, one of which starts a tree.
fn agents() -> Place {
    let script = "---\nexpose: tool\n$1: c\n---\nsetsid sleep {{ mark }} & sleep {{ mark }}\n";
    flows::with(Place::open(), &[("greet.echo.md", flows::WHOLE), ("script.sh.md", script)])
}

#[test]
fn markdown_agents_are_listed_expanded_and_called() {
    converse(&python(), "agents", agents);
}

#[test]
fn a_cancelled_agent_ends_its_tree() {
    cancel(&python(), "cancel_agent", agents);
}

#[test]
fn a_client_that_is_killed_leaves_nothing_within_a_second() {
    killed(&python());
}
