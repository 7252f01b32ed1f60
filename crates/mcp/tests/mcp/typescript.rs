//! The official TypeScript client. The conversations are in `conversation.mjs`.

use crate::foreign::{Speaker, cancel, converse, killed, narrow};
use crate::place::Place;

fn typescript() -> Speaker {
    let program = testkit::python().with_file_name("node");
    let target = program.ancestors().nth(3).unwrap();
    let packages = target.join("node/node_modules");
    assert!(packages.is_dir(), "the packages of node are not there: run `cargo xtask install`");
    Speaker { packages, program, script: "conversation.mjs" }
}

#[test]
fn the_whole_conversation_is_held_over_stdio_and_http() {
    converse(&typescript(), "talk,run,progress,live", Place::open);
}

#[test]
fn a_refusal_is_an_answer_with_its_reason() {
    converse(&typescript(), "refused", narrow);
}

#[test]
fn a_cancelled_call_ends_its_tree() {
    cancel(&typescript(), "cancel", Place::open);
}

#[test]
fn a_client_that_is_killed_leaves_nothing_within_a_second() {
    killed(&typescript());
}
