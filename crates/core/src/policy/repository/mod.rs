//! What git needs in the very repository it would work in: the settings there that run programs, overridden by name,
//! and which repository that is, so that git cannot take another.
//!
//! Hazard: a repository's settings may be an attacker's, and git runs what they say. What cannot be read whole is not
//! believed. May not run git to ask it.
//! Read first: [`Repository`].

mod discovery;

pub use discovery::Repository;

use super::Opaque;
use super::identity::PolicyGround;
use super::presets::GitTerms;
use std::path::{Path, PathBuf};

/// More than this is not read whole, so it is not read at all.
const MOST: usize = 64 * 1024;

/// Where there is no repository, and can be none: what git is told where none was found.
const NOWHERE: &str = "/dev/null/.git";

/// What git is given for the repositories of some folders.
#[derive(Debug, Default)]
pub(super) struct Disarmed {
    /// Settings that have to be overridden.
    pub(super) overrides: Vec<(String, String)>,
    /// Each repository once; nothing stands for a folder in none.
    pub(super) repositories: Vec<Option<Repository>>,
}

/// What the repositories of these folders need.
pub(super) fn settle(
    git: &GitTerms,
    folders: &[PathBuf],
    ground: &PolicyGround<'_>,
) -> Result<Disarmed, Opaque> {
    let mut disarmed = Disarmed::default();
    for folder in folders {
        let repository = Repository::around(folder, ground)?;
        if disarmed.repositories.contains(&repository) {
            continue;
        }
        if let Some(repository) = &repository {
            for text in repository.settings(git, ground)? {
                disarmed.overrides.extend(git.overrides(&text)?);
            }
        }
        disarmed.repositories.push(repository);
    }
    Ok(disarmed)
}

/// The variables that hold git to one repository, or to none: it looks for no other then.
pub(super) fn pinned(repository: Option<&Repository>) -> Vec<(String, String)> {
    let Some(repository) = repository else { return vec![("GIT_DIR".to_owned(), NOWHERE.to_owned())] };
    let work_tree = repository.work_tree.as_deref();
    let common = (repository.common != repository.own).then_some(repository.common.as_path());
    let paths = [
        ("GIT_DIR", Some(repository.own.as_path())),
        ("GIT_WORK_TREE", work_tree),
        ("GIT_COMMON_DIR", common),
    ];
    let told =
        paths.into_iter().filter_map(|(name, path)| Some((name.to_owned(), path?.to_str()?.to_owned())));
    told.collect()
}

impl Repository {
    /// Every text with settings that git would follow.
    fn settings(&self, git: &GitTerms, ground: &PolicyGround<'_>) -> Result<Vec<String>, Opaque> {
        let naming = &ground.facts.naming;
        let mut files =
            vec![naming.below(&self.common, "config"), naming.below(&self.own, "config.worktree")];
        if let Some(work_tree) = self.work_tree.as_ref().filter(|_| git.submodules_would_be_entered) {
            let modules = naming.below(work_tree, ".gitmodules");
            let index = naming.below(&self.own, "index");
            if ground.look.kind(&modules).is_none() && ground.look.mentions(&index, b".gitmodules") {
                return Err(Opaque::because("the settings of its submodules are only in the index"));
            }
            files.push(modules);
        }
        let there = files.iter().filter(|file| ground.look.kind(file).is_some());
        there.map(|file| whole(file, ground)).collect()
    }
}

fn whole(file: &Path, ground: &PolicyGround<'_>) -> Result<String, Opaque> {
    let text = ground.look.read_small(file).filter(|text| text.len() < MOST);
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    text.ok_or_else(|| Opaque::because(format!("the repository's `{name}` cannot be read whole")))
}
