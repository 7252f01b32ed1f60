//! The promises of `docs/promises.md`, kept with real processes.
//!
//! A comment `promise: P01` above a test ties it to its promise; `cargo xtask tidy` checks both ways.
//! Linux only: what is left of a tree is looked for in `/proc`.
#![cfg(target_os = "linux")]

mod account;
mod capture;
mod ground;
mod heavy;
mod hung;
mod input;
mod launch;
mod leave;
mod limits;
mod resolution;
mod shutdown;
mod terminal;
mod tree;
mod turns;

/// A file that is not named above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/promises");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
