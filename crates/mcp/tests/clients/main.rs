//! Real agent programs, offline, against a scripted model: what a model is shown of `runward mcp`, and what is left when
//! a client stops or dies.
#![cfg(target_os = "linux")]

mod claude;
mod codex;
mod gemini;
mod gone;
mod hooks;
mod listed;
mod loads;
mod opencode;
mod shown;
mod told;
mod wrapped;

/// A file that is not in the list above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
