//! The classes of input that must be refused, and their look-alikes that must run, through the real engine.
//!
//! A test begins with the name of its class. Refused means: by policy, before anything started, with every file of the
//! place as it was. Linux only: the programs and folders are Linux's.
//!
//! Not here, because nothing in the judgement of a command could keep them: what a sandbox alone can hold (replacing a
//! root or what lies above a protected file, making a protected file that was missing, hard links and the doors of
//! `/proc`, files that may not be read, rules nested in rules), and the paths of Windows.
#![cfg(target_os = "linux")]

mod d1_evaluation;
mod d1_further;
mod d1_shell;
mod d2_arguments;
mod d2_further;
mod d2_git;
mod d2_starters;
mod d3_environment;
mod d4_identity;
mod d5_paths;
mod d8_plane;
mod policies;

/// A file that is not named above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/threats");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
