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
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doors")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(module) = name.strip_suffix(".rs") else { continue };
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is not a module");
    }
}
