//! Other servers, brought below `target/peers` so that they can be measured beside ours.
//!
//! May not pass over one in silence: a peer that is not there, or did not answer, is named. The table is
//! `crates/mcp/benches/door/peers.json`, which the bench program reads as well.

use super::document::{Absent, Document};
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use serde::Deserialize;
use std::fs;

const TABLE: &str = include_str!("../../../crates/mcp/benches/door/peers.json");

const NODE: &str = "target/peers/node";
const VENV: &str = "target/peers/venv";

/// The newest `traverse` asks for a release that not every registry has; the one before it does the same work.
const MANIFEST: &str = "{\"private\": true, \"overrides\": {\"traverse\": \"0.3.9\"}}\n";

#[derive(Debug, Deserialize)]
struct Peer {
    name: String,
    version: String,
    from: From,
    /// What it is called where it comes from.
    package: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum From {
    Npm,
    Pypi,
}

fn table() -> Result<Vec<Peer>, String> {
    serde_json::from_str(TABLE).map_err(|error| format!("the table of peers cannot be read: {error}"))
}

/// Installs each peer that can be had, at its one version. One that cannot be installed is said to be missing, and does
/// not keep the others away.
pub(crate) fn install(root: &RepositoryRoot) -> Result<(), String> {
    for peer in table()? {
        let note = root.join(&format!("target/peers/{}.installed", peer.name));
        if fs::read_to_string(&note).is_ok_and(|there| there == peer.version) {
            continue;
        }
        eprintln!("installing {} {}", peer.name, peer.version);
        let done = match peer.from {
            From::Npm => npm(root, &peer),
            From::Pypi => pip(root, &peer),
        };
        if let Err(sentence) = done {
            eprintln!("{} could not be installed: {sentence}", peer.name);
            continue;
        }
        fs::write(&note, &peer.version).map_err(|error| format!("`{}`: {error}", note.display()))?;
    }
    Ok(())
}

/// Nothing of it is run while it is installed.
fn npm(root: &RepositoryRoot, peer: &Peer) -> Result<(), String> {
    let manifest = root.join(&format!("{NODE}/package.json"));
    if !manifest.is_file() {
        let failed = |error| format!("{NODE}: {error}");
        fs::create_dir_all(root.join(NODE)).map_err(failed)?;
        fs::write(&manifest, MANIFEST).map_err(failed)?;
    }
    let flags = "--no-audit --no-fund --no-package-lock --ignore-scripts --loglevel error --save-exact";
    quietly(root, &format!("npm install --prefix {NODE} {flags} {}@{}", peer.package, peer.version))
}

fn pip(root: &RepositoryRoot, peer: &Peer) -> Result<(), String> {
    if !root.join(&format!("{VENV}/bin/python")).exists() {
        quietly(root, &format!("python3 -m venv {VENV}"))?;
    }
    let line = format!("{VENV}/bin/python -m pip install --quiet --disable-pip-version-check");
    quietly(root, &format!("{line} {}=={}", peer.package, peer.version))
}

/// Its output is no result: it is shown when it fails.
fn quietly(root: &RepositoryRoot, line: &str) -> Result<(), String> {
    let said = ChildTool::new(line).answer(root)?;
    if said.status.success() {
        return Ok(());
    }
    let words = String::from_utf8(said.stderr).unwrap_or_default();
    Err(format!("`{line}` failed ({})\n{}", said.status, words.trim()))
}

/// Names every peer about which the document says nothing.
pub(crate) fn name_absent(root: &RepositoryRoot, document: &mut Document) -> Result<(), String> {
    let installed = |peer: &Peer| root.join(&format!("target/peers/{}.installed", peer.name)).is_file();
    for peer in table()? {
        if !document.rows.iter().any(|row| row.section == "peers" && row.what.starts_with(&peer.name)) {
            let what = format!("peers: {} {}", peer.name, peer.version);
            document.absent.push(Absent::new(what, why(installed(&peer))));
        }
    }
    Ok(())
}

/// Names the rows of `start` that need a peer, where it was not there.
pub(crate) fn name_unstarted(document: &mut Document) {
    if !document.rows.iter().any(|row| row.section == "start" && row.what.contains("against codex")) {
        let what = "start: exec to `initialize` and resident after it, against codex-shell-tool-mcp";
        document.absent.push(Absent::new(what, "it is not installed: add `--peers`"));
    }
}

fn why(installed: bool) -> &'static str {
    if installed { "it did not answer as it should" } else { "it could not be installed" }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn every_peer_has_a_name_of_its_own_and_one_version() {
        let table = table().unwrap();
        for peer in &table {
            let alike = table.iter().filter(|other| other.name.starts_with(&peer.name)).count();
            assert_eq!(alike, 1, "{} would be taken for another", peer.name);
            assert!(peer.version.chars().all(|c| c.is_ascii_digit() || c == '.'), "{}", peer.version);
        }
    }

    #[test]
    fn a_peer_without_a_row_is_named_as_absent() {
        let mut document = sample::document();
        let mut row = document.rows[0].clone();
        row.section = "peers".to_owned();
        row.what = format!("{}: one call", table().unwrap()[0].name);
        document.rows.push(row);
        document.absent.clear();
        name_absent(&RepositoryRoot::find().unwrap(), &mut document).unwrap();
        assert_eq!(document.absent.len(), table().unwrap().len() - 1);
    }
}
