//! Protected paths of a sandbox: what stays as it is in writable folders, what must not appear there, what is hidden.
//!
//! May not make anything: what exists is mounted over itself, and a name that does not exist yet is watched.

use super::plan::SandboxGround;
use super::repositories::Repositories;
use super::steps::SERVICES;
use super::{Access, Network};
use crate::facts::{Browse, FileKind, Look};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A path that exists and stays where it is; with [`Access::Read`] it also stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathGuard {
    /// Where.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// What a command may do with it.
    pub access: Access,
}

/// A name that does not exist and must not appear. What appears there is moved aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForbiddenName {
    /// The nearest folder that exists.
    #[serde(serialize_with = "crate::os_text::path")]
    pub folder: PathBuf,
    /// The name below it; of more than one part where folders between are missing, too.
    #[serde(serialize_with = "crate::os_text::path")]
    pub name: PathBuf,
}

/// A path that cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HiddenPath {
    /// Where.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// Whether it is a folder.
    pub folder: bool,
}

/// Services that do anything for any client, as their own user: below one of the folders of services.
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

/// Everything that is kept inside folders that may be written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct ProtectedPaths {
    /// What exists.
    pub(super) guards: Vec<PathGuard>,
    /// What does not.
    pub(super) forbidden: Vec<ForbiddenName>,
    /// What is kept of repositories beside that.
    pub(super) repositories: Repositories,
}

impl ProtectedPaths {
    /// What is kept: these paths, and what others read as orders, which is rules of a project and what git obeys. That is
    /// looked for at the top of each folder that may be written, and between there and the command's own folder.
    pub(super) fn of(own: &[PathBuf], writable: &[PathBuf], place: &SandboxGround<'_>) -> Self {
        let mut kept = Self::default();
        own.iter().for_each(|path| kept.keep(path, place.look));
        for root in writable.iter().filter(|root| place.look.kind(root) == Some(FileKind::Directory)) {
            let between =
                place.cwd.ancestors().take_while(|folder| folder.starts_with(root) && folder != root);
            for folder in [root.as_path()].into_iter().chain(between) {
                kept.keep_if_there(&folder.join(".runward.toml"), Access::Read, place.look);
                kept.repository_in(folder, place);
            }
        }
        let inside = |path: &Path| writable.iter().any(|root| path.starts_with(root));
        kept.guards.retain(|guard| inside(&guard.path));
        kept.forbidden.retain(|name| inside(&name.folder));
        kept.repositories.retain(&inside);
        kept.settle(writable);
        kept
    }

    /// Keeps a path, whether it exists or not.
    pub(super) fn keep(&mut self, path: &Path, look: &dyn Browse) {
        if !self.keep_if_there(path, Access::Read, look) {
            self.forbid(path, look);
        }
    }

    /// Keeps a path if there is anything; of a link, also what it leads to, or would.
    pub(super) fn keep_if_there(&mut self, path: &Path, access: Access, look: &dyn Browse) -> bool {
        match (look.real_path(path), look.link(path)) {
            (Some(real), _) => {
                if real != path {
                    self.guards.push(PathGuard { path: real, access });
                }
            }
            (None, Some(target)) => self.forbid(&path.with_file_name(target), look),
            (None, None) => return false,
        }
        self.guards.push(PathGuard { path: path.to_owned(), access });
        true
    }

    /// Keeps a name from appearing.
    pub(super) fn forbid(&mut self, path: &Path, look: &dyn Browse) {
        let above = path.ancestors().skip(1).find(|above| look.kind(above) == Some(FileKind::Directory));
        let folder = above.and_then(|above| look.real_path(above));
        let name = above.and_then(|above| path.strip_prefix(above).ok());
        if let (Some(folder), Some(name)) = (folder, name) {
            self.forbidden.push(ForbiddenName { folder, name: name.to_owned() });
        }
    }

    /// The outermost first, each once, and the strictest wins. The folders of forbidden names stay where they are.
    fn settle(&mut self, writable: &[PathBuf]) {
        let folders = self.forbidden.iter().map(|name| &name.folder);
        let stay = folders.filter(|folder| !writable.contains(folder)).cloned();
        let stay: Vec<PathGuard> = stay.map(|path| PathGuard { path, access: Access::Write }).collect();
        self.guards.extend(stay);
        self.guards.sort_by_key(|guard| (guard.path.components().count(), guard.access == Access::Write));
        let mut once: Vec<PathGuard> = Vec::new();
        for guard in self.guards.drain(..) {
            if !once.iter().any(|other| other.path == guard.path) {
                once.push(guard);
            }
        }
        self.guards = once;
        self.forbidden.sort_by(|a, b| a.folder.cmp(&b.folder));
        self.forbidden.dedup();
    }

    /// The paths that cannot be changed, for people.
    pub(super) fn named(&self) -> Vec<PathBuf> {
        let there =
            self.guards.iter().filter(|guard| guard.access == Access::Read).map(|guard| guard.path.clone());
        there.chain(self.forbidden.iter().map(|name| name.folder.join(&name.name))).collect()
    }
}

/// What cannot be reached. What is not there need not be hidden, and with a network of its own no service is.
pub(super) fn hidden(deny_read: &[PathBuf], network: &Network, look: &dyn Look) -> Vec<HiddenPath> {
    let levers = LEVERS.iter().filter(|_| *network == Network::On);
    let levers = levers.filter_map(|name| look.real_path(&Path::new(SERVICES[0]).join(name)));
    let all = deny_read.iter().cloned().chain(levers);
    let mut found: Vec<HiddenPath> = Vec::new();
    for path in all {
        let Some(kind) = look.kind(&path) else { continue };
        if !found.iter().any(|other| other.path == path) {
            found.push(HiddenPath { path, folder: kind == FileKind::Directory });
        }
    }
    found
}
