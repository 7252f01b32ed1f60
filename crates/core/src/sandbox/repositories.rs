//! How a sandbox protects git repositories inside writable folders: everything by which git runs or reads something
//! else.
//!
//! Hazard: git obeys files that do not exist yet (`commondir` moves a repository, `config.worktree` adds settings), and
//! where `.git` stops being a repository, the folder around it may be found to be one. So what exists is mounted over
//! itself, names that do not are watched, and a repository stays one. May not look through the whole tree: only where
//! git would begin.

use super::guards::ProtectedPaths;
use super::plan::SandboxGround;
use super::{Access, PathGuard};
use crate::facts::{Browse, FileKind};
use crate::policy::{PolicyGround, Repository};
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is known of repositories, beside the paths that are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Repositories {
    /// Folders of git that are repositories and must be afterwards.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) lasting: Vec<PathBuf>,
    /// The work trees of each.
    pub(super) worktrees: Vec<Worktrees>,
    /// Folders in which there is no repository.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) without: Vec<PathBuf>,
}

/// The work trees that a repository has beside its first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Worktrees {
    /// The repository's folder.
    #[serde(serialize_with = "crate::os_text::path")]
    pub git: PathBuf,
    /// Their names.
    #[serde(skip)]
    pub known: Vec<OsString>,
}

/// With more submodules than this their folder is mounted over itself as a whole: each would take a handful of mounts.
const FEW_SUBMODULES: usize = 8;
/// The same for work trees.
const FEW_WORKTREES: usize = 24;
/// How deep the name of a submodule goes, and how deep submodules lie in submodules.
const DEEPEST: usize = 8;

/// What git obeys in a repository's folder.
const ORDERS: [&str; 6] = [
    "config",
    "hooks",
    "commondir",
    "config.worktree",
    "objects/info/alternates",
    "objects/info/http-alternates",
];
/// What makes a folder a repository, beside `HEAD`, which git replaces all the time.
const PARTS: [&str; 3] = ["objects", "refs", "reftable"];

impl Repositories {
    pub(super) fn retain(&mut self, inside: &dyn Fn(&Path) -> bool) {
        self.lasting.retain(|git| inside(git));
        self.worktrees.retain(|worktrees| inside(&worktrees.git));
    }
}

impl ProtectedPaths {
    /// Keeps what there is of a repository in this very folder.
    pub(super) fn repository_in(&mut self, folder: &Path, place: &SandboxGround<'_>) {
        let ground = PolicyGround { facts: place.facts, look: place.look, contained: false };
        let (look, dot) = (place.look, folder.join(".git"));
        match Repository::at(folder, &ground) {
            Ok(Some(found)) => {
                let led = found.own != dot && found.work_tree.is_some();
                if led || look.link(&dot).is_some() {
                    // The name alone: what it leads to is a repository that is written to.
                    self.guards.push(PathGuard { path: dot, access: Access::Read });
                }
                let real = |path: &Path| look.real_path(path).unwrap_or_else(|| path.to_owned());
                if !led {
                    self.repositories.lasting.push(real(&found.own));
                }
                let common = real(&found.common);
                if !self.repositories.worktrees.iter().any(|known| known.git == common) {
                    self.git_folder(&common, look);
                    self.submodules_of(&common, look);
                }
            }
            // What is no repository, or one that git stumbles over, becomes none.
            Ok(None) | Err(_) if self.keep_if_there(&dot, Access::Read, look) => {}
            Ok(None) | Err(_) => self.repositories.without.push(folder.to_owned()),
        }
    }

    fn git_folder(&mut self, git: &Path, look: &dyn Browse) {
        ORDERS.iter().for_each(|name| self.keep(&git.join(name), look));
        for part in PARTS {
            self.keep_if_there(&git.join(part), Access::Write, look);
        }
        self.worktrees_of(git, look);
    }

    fn worktrees_of(&mut self, git: &Path, look: &dyn Browse) {
        let folder = git.join("worktrees");
        let mut known = look.list(&folder);
        known.sort();
        if known.len() > FEW_WORKTREES {
            self.keep(&folder, look);
        }
        for name in &known {
            let own = folder.join(name);
            if known.len() <= FEW_WORKTREES {
                for order in ["commondir", "gitdir", "config.worktree"] {
                    self.keep(&own.join(order), look);
                }
            }
            // Where the work tree lies, there is a file that leads back here.
            let leads = look.read_small(&own.join("gitdir"));
            if let Some(file) = leads.as_deref().map(|text| text.trim_end_matches(['\n', '\r'])) {
                self.file_that_leads(&own.join(file), look);
            }
        }
        self.repositories.worktrees.push(Worktrees { git: git.to_owned(), known });
    }

    fn submodules_of(&mut self, git: &Path, look: &dyn Browse) {
        let folder = git.join("modules");
        let mut found = Vec::new();
        git_folders(&folder, look, 0, &mut found);
        if found.len() > FEW_SUBMODULES {
            self.keep(&folder, look);
        }
        for module in &found {
            let settings = look.read_small(&module.join("config")).unwrap_or_default();
            if let Some(tree) = work_tree(&settings) {
                self.file_that_leads(&module.join(tree).join(".git"), look);
            }
            if found.len() <= FEW_SUBMODULES {
                self.git_folder(module, look);
            }
        }
    }

    /// The `.git` of a work tree or of a submodule.
    fn file_that_leads(&mut self, dot: &Path, look: &dyn Browse) {
        let folder = dot.parent().and_then(|folder| look.real_path(folder));
        if let (Some(folder), Some(name)) = (folder, dot.file_name()) {
            self.keep_if_there(&folder.join(name), Access::Read, look);
        }
    }
}

/// Every folder of git below this one. The name of a submodule may have several parts, and it may have submodules.
fn git_folders(folder: &Path, look: &dyn Browse, depth: usize, found: &mut Vec<PathBuf>) {
    let mut names = look.list(folder);
    names.sort();
    for name in names {
        let path = folder.join(name);
        if look.kind(&path.join("HEAD")).is_some() {
            if depth < DEEPEST {
                git_folders(&path.join("modules"), look, depth + 1, found);
            }
            found.push(path);
        } else if depth < DEEPEST && look.kind(&path) == Some(FileKind::Directory) {
            git_folders(&path, look, depth + 1, found);
        }
    }
}

/// Where the settings of a submodule say that its files lie.
fn work_tree(settings: &str) -> Option<&str> {
    let value = settings.lines().find_map(|line| {
        let (name, value) = line.trim().split_once('=')?;
        name.trim().eq_ignore_ascii_case("worktree").then(|| value.trim())
    })?;
    Some(value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submodule_says_where_its_files_lie() {
        let settings = "[core]\n\tbare = false\n\tworktree = ../../../sub\n";
        assert_eq!(work_tree(settings), Some("../../../sub"));
        assert_eq!(work_tree("[core]\nWorkTree=\"../a b\"\n"), Some("../a b"));
        assert_eq!(work_tree("[core]\nbare = true\n"), None);
    }
}
