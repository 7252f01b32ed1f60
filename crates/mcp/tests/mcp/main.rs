//! The server as a client meets it: the real binary, real commands, the wire.
#![cfg(unix)]

mod approvals;
mod client;
mod execute;
mod foreign;
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
mod resources;
mod roots;
mod scenarios;
mod sessions;
mod toolkit;
mod transcripts;
mod typescript;

/// A file that is not in the list above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp");
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|ending| ending == "rs") && stem != "main" {
            assert!(listed.contains(&format!("mod {stem};")), "{stem}.rs is not listed in main.rs");
        }
    }
}
