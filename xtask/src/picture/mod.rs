//! `cargo xtask picture`: the picture of the README, drawn from what the program really printed on a terminal.
//!
//! May not invent a line: commands are run ([`record`]), and what they print is drawn ([`draw`]).

mod draw;
mod record;

use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::fs;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "record the picture of the README on a terminal, and draw it";

/// The picture.
const FILE: &str = "docs/first-minute.svg";

/// What is typed: an agent's line is judged by each command in it, a tree of processes is ended whole, and all of it is
/// written down.
const COMMANDS: &[&str] = &[
    "runward policy check 'ls -la && rm -rf ~'",
    "runward exec --timeout 1s --shell 'setsid sleep 4343 & sleep 4343'",
    "pgrep -fx 'sleep 4343' || echo 'nothing is left'",
    "runward log -n 1",
];

/// `cargo xtask picture`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    if let Some(word) = words.first() {
        return Err(format!("`picture` takes no arguments, and this is one: `{word}`"));
    }
    ChildTool::new("cargo build --package runward --bin runward --locked").run(root)?;
    let recorded = record::all(root, COMMANDS)?;
    let file = root.join(FILE);
    fs::write(&file, draw::drawn(&recorded))
        .map_err(|error| format!("`{}` cannot be written: {error}", file.display()))?;
    println!("{FILE} is drawn");
    Ok(())
}
