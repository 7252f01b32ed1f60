//! Markdown agents from file to command, each rule of theirs by name.

mod built;
mod filters;
mod gather;
mod gather_data;
mod gather_fetch;
#[cfg(unix)]
mod gather_links;
mod gather_world;
mod insets;
mod liquid;
mod listed;
mod remote;
mod remote_fetch;
#[cfg(unix)]
mod run_at_once;
#[cfg(unix)]
mod run_commands;
#[cfg(unix)]
mod run_examples;
#[cfg(unix)]
mod run_hooks;
#[cfg(unix)]
mod run_inputs;
#[cfg(unix)]
mod run_prompt;
#[cfg(unix)]
mod run_steps;
#[cfg(unix)]
mod run_translated;
#[cfg(unix)]
mod run_whole;
#[cfg(unix)]
mod run_world;
mod steps;
mod template;
mod timeouts;

/// A file that is not in the list above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/flow");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
