//! What is kept inside folders that may be written, and what is out of sight altogether.
//!
//! May not make anything: what must be there and is not, `runward-os` makes and takes away again.

use super::plan::Place;
use super::steps::SERVICES;
use super::{Network, Shape};
use crate::facts::{FileKind, Look};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A path that stays as it is. One that does not exist is held by an empty thing in its place while the command runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Guard {
    /// Where.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// What it is, or would be.
    pub shape: Shape,
    /// Whether it was there.
    pub there: bool,
}

/// A path that cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hidden {
    /// Where.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// Whether it is a folder.
    pub folder: bool,
}

/// Services that do anything for whoever asks, as their own user: below one of the folders of services.
const LEVERS: [&str; 12] = [
    "user",
    "dbus",
    "docker.sock",
    "docker",
    "containerd",
    "podman",
    "crio",
    "libvirt",
    "lxd",
    "incus",
    "snapd.sock",
    "systemd/private",
];

/// What others read as orders: rules of a project, hooks and settings of git. At the top of the workspace they are kept
/// even if they do not exist; at the top of other folders that may be written, and between there and the command's own
/// folder, if they do.
pub(super) fn customary(writable: &[PathBuf], place: &Place<'_>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in writable.iter().filter(|root| place.look.kind(root) == Some(FileKind::Directory)) {
        keep(root, place.workspace.contains(root), place.look, &mut found);
        let between = place.cwd.ancestors().take_while(|folder| folder.starts_with(root) && folder != root);
        between.for_each(|folder| keep(folder, false, place.look, &mut found));
    }
    found
}

fn keep(folder: &Path, even_if_missing: bool, look: &dyn Look, found: &mut Vec<PathBuf>) {
    let rules = folder.join(".runward.toml");
    if even_if_missing || look.kind(&rules).is_some() {
        found.push(rules);
    }
    let git = folder.join(".git");
    match look.kind(&git) {
        // Without this it is no repository yet, and becomes none.
        Some(FileKind::Directory) if look.kind(&git.join("HEAD")).is_some() => {
            let real = look.real_path(&git).unwrap_or_else(|| git.clone());
            let inside = [real.join("config"), real.join("hooks")];
            found.extend((real != git).then_some(git).into_iter().chain(inside));
        }
        None if !even_if_missing => {}
        _ => found.push(git),
    }
}

/// What keeps the protected paths: themselves, or the first of the names above them that is missing. Of a link both it
/// and what it leads to are kept.
pub(super) fn guards(protected: &[PathBuf], look: &dyn Look) -> Vec<Guard> {
    let mut guards: Vec<Guard> = Vec::new();
    let led_to = protected.iter().filter_map(|path| look.real_path(path).filter(|real| real != path));
    for path in protected.iter().cloned().chain(led_to) {
        let guard = guard(&path, look);
        if !guards.iter().any(|other| other.path == guard.path) {
            guards.push(guard);
        }
    }
    guards
}

fn guard(path: &Path, look: &dyn Look) -> Guard {
    let shape = |folder: bool| if folder { Shape::Folder } else { Shape::File };
    if let Some(kind) = look.kind(path) {
        return Guard { path: path.to_owned(), shape: shape(kind == FileKind::Directory), there: true };
    }
    let missing = path.ancestors().take_while(|above| look.kind(above).is_none()).last().unwrap_or(path);
    // A name with an ending is a file's, and so is git's one without.
    let file = missing == path && (path.extension().is_some() || path.ends_with(".git/config"));
    Guard { path: missing.to_owned(), shape: shape(!file), there: false }
}

/// What cannot be reached. What is not there need not be hidden, and without a network no service is.
pub(super) fn hidden(deny_read: &[PathBuf], network: &Network, look: &dyn Look) -> Vec<Hidden> {
    let levers = LEVERS.iter().filter(|_| *network != Network::Off);
    let levers = levers.filter_map(|name| look.real_path(&Path::new(SERVICES[0]).join(name)));
    let all = deny_read.iter().cloned().chain(levers);
    let mut found: Vec<Hidden> = Vec::new();
    for path in all {
        let Some(kind) = look.kind(&path) else { continue };
        if !found.iter().any(|other| other.path == path) {
            found.push(Hidden { path, folder: kind == FileKind::Directory });
        }
    }
    found
}
