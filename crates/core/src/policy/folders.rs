//! The working directories that a script may `cd` to: a rule about a folder, and the roots, hold for every one of them.
//!
//! Hazard: whether a `cd` succeeds is only known when it runs, so before and after are both possible from there on. May
//! not believe a `cd` to a target that is not known.

use super::cwd_roots::CwdRoots;
use super::identity::PolicyGround;
use super::unit::{Scene, Unit};
use super::{Match, Word};
use crate::resolve::ResolvedCommand;
use std::path::{Component, Path, PathBuf};

/// How many folders are followed.
const MOST: usize = 64;

/// Where the commands of a script may run.
#[derive(Debug)]
pub(super) struct ScriptFolders {
    /// With every link followed.
    all: Vec<PathBuf>,
    /// The same as a shell calls them: it takes `..` for what stands before it, links and all.
    called: Vec<PathBuf>,
    /// What moves to an unknown folder.
    unknown: Option<String>,
    moves: bool,
}

impl ScriptFolders {
    pub(super) fn of(scene: &Scene, command: &ResolvedCommand, ground: &PolicyGround<'_>) -> Self {
        let start = command.cwd().to_owned();
        let mut folders = Self { all: vec![start.clone()], called: vec![start], unknown: None, moves: false };
        let mut again = false;
        loop {
            let before = folders.called.len();
            for unit in scene.units.iter().filter(|unit| unit.changes_folder()) {
                folders.moves = true;
                folders.follow(unit, ground, again);
            }
            // What is done again moves on from wherever it moved to before.
            if !scene.repeats || folders.called.len() == before || folders.elsewhere() {
                return folders;
            }
            again = true;
        }
    }

    /// What is not there is moved to the first time only: a loop makes no deeper and deeper folders of one name.
    fn follow(&mut self, unit: &Unit, ground: &PolicyGround<'_>, again: bool) {
        let words = &unit.words;
        let home = ground.facts.home.as_ref().and_then(|home| home.to_str());
        let name = words.first().and_then(Word::text).unwrap_or_default();
        let plain = [Some("--"), Some("-P"), Some("-L")];
        let given: Vec<Option<&str>> =
            words[1..].iter().map(Word::text).filter(|word| !plain.contains(word)).collect();
        let target = match given[..] {
            [] if name == "cd" => home,
            [Some(target)] if !target.starts_with(['-', '+']) => Some(target),
            _ => None,
        };
        let Some(target) = target.filter(|_| name != "popd" && self.called.len() < MOST) else {
            self.unknown.get_or_insert_with(|| unit.shown());
            return;
        };
        let reached: Vec<PathBuf> =
            self.called.iter().flat_map(|from| reached(from, target, ground)).flatten().collect();
        let there = |path: &PathBuf| !again || ground.look.kind(path).is_some();
        for path in reached.into_iter().filter(there) {
            let real = ground.look.real_path(&path).unwrap_or_else(|| path.clone());
            add(&mut self.all, real.clone());
            add(&mut self.called, path);
            add(&mut self.called, real);
        }
    }

    /// Every folder that is known to be possible.
    pub(super) fn all(&self) -> &[PathBuf] {
        &self.all
    }

    /// Whether a script moves to an unknown folder.
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

fn add(list: &mut Vec<PathBuf>, path: PathBuf) {
    if !list.contains(&path) {
        list.push(path);
    }
}

/// Where a move from a folder may lead: by what links lead to, and by what the shell calls it. From a folder that is not
/// there, only upwards.
fn reached(from: &Path, target: &str, ground: &PolicyGround<'_>) -> [Option<PathBuf>; 2] {
    let (naming, look) = (&ground.facts.naming, ground.look);
    let path = naming.join(from, target);
    let plain = without_parents(&path);
    let leads = look.kind(from).is_some() || !plain.starts_with(from);
    [look.real_path(&path).filter(|_| leads), Some(plain).filter(|_| leads)]
}

/// The path without `.` and `..`, which take away what stands before them.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
