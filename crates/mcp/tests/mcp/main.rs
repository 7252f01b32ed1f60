//! The server as a client meets it: the real binary, real commands, the wire.
#![cfg(unix)]

mod absent;
mod answers;
mod approvals;
mod both_forms;
#[cfg(target_os = "linux")]
mod bounded;
mod client;
mod elsewhere;
mod execute;
mod flows;
mod foreign;
mod gateway;
mod gone;
mod hangup;
mod heavy;
mod http;
mod official;
mod place;
mod plane;
mod progress;
mod protocol;
mod python;
mod real;
mod remembered;
mod remote;
mod resources;
mod roots;
mod scenarios;
mod seed;
mod sessions;
mod silence;
mod toolkit;
mod transcripts;
mod typescript;
mod unread;
mod yaml;

/// A file that is not in the list above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
