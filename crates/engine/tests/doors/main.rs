//! The doors of the library, with real processes: the agent toolkit, code by language, and questions to a person.
#![cfg(unix)]

mod approve;
mod code;
mod code_edges;
mod definition;
mod ground;
mod order;
mod toolkit;
mod workspace;

/// A file that is not named above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doors");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
