//! The folders that a script may move to: a rule about a folder, and the roots, hold for every one of them.
//!
//! Hazard: whether a `cd` succeeds is only known when it runs, so before and after are both possible from there on.
//! May not believe a `cd` whose target is not known.

use super::cwd_roots::CwdRoots;
use super::identity::Ground;
use super::unit::Scene;
use super::{Match, Word};
use crate::resolve::ResolvedCommand;
use std::path::PathBuf;

/// How many folders are followed.
const MOST: usize = 64;

/// Where the commands of a script may run.
#[derive(Debug)]
pub(super) struct Folders {
    all: Vec<PathBuf>,
    /// What moves where nobody knows.
    unknown: Option<String>,
    moves: bool,
}

impl Folders {
    pub(super) fn of(scene: &Scene, command: &ResolvedCommand, ground: &Ground<'_>) -> Self {
        let mut folders = Self { all: vec![command.cwd().to_owned()], unknown: None, moves: false };
        for unit in &scene.units {
            if matches!(unit.name().to_str(), Some("cd" | "pushd" | "popd" | "chdir")) {
                folders.moves = true;
                folders.follow(&unit.words, ground, &unit.shown());
            }
        }
        folders
    }

    fn follow(&mut self, words: &[Word], ground: &Ground<'_>, shown: &str) {
        let home = ground.facts.home.as_ref().and_then(|home| home.to_str());
        let name = words.first().and_then(Word::text).unwrap_or_default();
        let given: Vec<Option<&str>> =
            words[1..].iter().map(Word::text).filter(|word| *word != Some("--")).collect();
        let target = match given[..] {
            [] if name == "cd" => home,
            [Some(target)] if !target.starts_with(['-', '+']) => Some(target),
            _ => None,
        };
        let Some(target) = target.filter(|_| name != "popd" && self.all.len() < MOST) else {
            self.unknown.get_or_insert_with(|| shown.to_owned());
            return;
        };
        let naming = &ground.facts.naming;
        let reached: Vec<PathBuf> = self.all.iter().map(|from| naming.join(from, target)).collect();
        let real = reached.into_iter().map(|path| ground.look.real_path(&path).unwrap_or(path));
        let new: Vec<PathBuf> = real.filter(|path| !self.all.contains(path)).collect();
        self.all.extend(new);
    }

    /// Every folder that is known to be possible.
    pub(super) fn all(&self) -> &[PathBuf] {
        &self.all
    }

    /// Whether a script moves where nobody knows.
    pub(super) fn elsewhere(&self) -> bool {
        self.unknown.is_some()
    }

    /// Whether a script moves at all.
    pub(super) fn moves(&self) -> bool {
        self.moves
    }

    /// Why a script may not move where it would, if it may not.
    pub(super) fn outside(&self, roots: &CwdRoots) -> Option<Match> {
        if roots.is_empty() || !self.moves {
            return None;
        }
        let outside = self.all[1..].iter().find(|folder| !roots.admit(folder));
        let shown = outside.map(|folder| folder.display().to_string()).or_else(|| self.unknown.clone())?;
        Some(super::cwd_roots::outside(shown.as_ref()))
    }
}
