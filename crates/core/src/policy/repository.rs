//! What git needs in the very repository it would work in: the settings there that run programs, overridden by name.
//!
//! Hazard: a repository's settings are written by whoever made it, and git runs what they say. What cannot be read
//! whole is not believed. May not run git to ask it.

use super::Opaque;
use super::identity::Ground;
use super::presets::GitTerms;
use crate::facts::FileKind;
use std::path::{Path, PathBuf};

/// More than this is not read whole, so it is not read at all.
const MOST: usize = 64 * 1024;

/// The settings of these folders' repositories that have to be overridden.
pub(super) fn settle(
    git: &GitTerms,
    folders: &[PathBuf],
    ground: &Ground<'_>,
) -> Result<Vec<(String, String)>, Opaque> {
    let mut overrides = Vec::new();
    for folder in folders {
        let Some(repository) = Repository::around(folder, ground)? else { continue };
        for text in repository.settings(git, ground)? {
            overrides.extend(git.overrides(&text)?);
        }
    }
    Ok(overrides)
}

/// Where a repository keeps what git reads.
struct Repository {
    /// The folder above, where the files are.
    work_tree: PathBuf,
    /// Its own folder.
    own: PathBuf,
    /// The folder that it shares with other work trees.
    common: PathBuf,
}

impl Repository {
    /// The repository that git would find from this folder.
    fn around(folder: &Path, ground: &Ground<'_>) -> Result<Option<Self>, Opaque> {
        let naming = &ground.facts.naming;
        let mut next = Some(folder.to_owned());
        while let Some(work_tree) = next {
            let dot = naming.below(&work_tree, ".git");
            let own = match ground.look.kind(&dot) {
                Some(FileKind::Directory) => Some(dot),
                Some(_) => Some(linked(&dot, &work_tree, ground)?),
                None if is_bare(&work_tree, ground) => Some(work_tree.clone()),
                None => None,
            };
            if let Some(own) = own {
                let common = naming.below(&own, "commondir");
                let common = match ground.look.kind(&common) {
                    None => own.clone(),
                    Some(_) => naming.join(&own, whole(&common, ground)?.trim_end()),
                };
                return Ok(Some(Self { work_tree, own, common }));
            }
            next = naming.parent(&work_tree).filter(|parent| *parent != work_tree);
        }
        Ok(None)
    }

    /// Every text whose settings git would follow.
    fn settings(&self, git: &GitTerms, ground: &Ground<'_>) -> Result<Vec<String>, Opaque> {
        let naming = &ground.facts.naming;
        let mut files =
            vec![naming.below(&self.common, "config"), naming.below(&self.own, "config.worktree")];
        if git.submodules_would_be_entered {
            let modules = naming.below(&self.work_tree, ".gitmodules");
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

/// Where a `.git` that is a file leads.
fn linked(dot: &Path, work_tree: &Path, ground: &Ground<'_>) -> Result<PathBuf, Opaque> {
    let text = whole(dot, ground)?;
    let target = text.strip_prefix("gitdir: ").map(str::trim_end);
    let target = target.ok_or_else(|| Opaque::because("its `.git` leads nowhere that can be read"))?;
    Ok(ground.facts.naming.join(work_tree, target))
}

/// Whether git would take a folder itself for a repository.
fn is_bare(folder: &Path, ground: &Ground<'_>) -> bool {
    let naming = &ground.facts.naming;
    ["HEAD", "objects", "refs"].iter().all(|name| ground.look.kind(&naming.below(folder, name)).is_some())
}

fn whole(file: &Path, ground: &Ground<'_>) -> Result<String, Opaque> {
    let text = ground.look.read_small(file).filter(|text| text.len() < MOST);
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    text.ok_or_else(|| Opaque::because(format!("the repository's `{name}` cannot be read whole")))
}
