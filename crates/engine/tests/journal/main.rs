//! The journal, with real processes: what is recorded, when, and how long it is kept.
#![cfg(unix)]

mod battery;
mod chain;
mod contents;
mod cut;
#[cfg(target_os = "linux")]
mod hung;
mod many;
mod older;
mod outage;
mod place;
mod recovery;
mod taken;

/// A file that is not named above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/journal");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
