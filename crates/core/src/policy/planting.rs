//! Whether a script may change git's settings before git runs: what was read of a repository is then not what holds.
//!
//! Programs for running code may do that and anything else, so nothing is gained by looking at them. May not guess at
//! programs that are not known.

use super::folders::ScriptFolders;
use super::identity::PolicyGround;
use super::judge::refused;
use super::redirects::{names_orders, placed};
use super::unit::{Scene, Unit};
use super::{Match, Word};
use std::path::PathBuf;

/// Programs that write files where their words say.
const WRITES: &str = "cp mv ln install tee dd rm rmdir chmod truncate sed gsed awk gawk sort split csplit curl wget touch mkdir";

/// Programs that write whatever an archive or another folder holds.
const UNPACKS: &str =
    "tar gtar bsdtar unzip 7z 7za 7zz cpio pax patch rsync unrar ditto robocopy xcopy rclone scp sftp";

/// What makes a copy take a whole folder along.
const RECURSIVE: &[&str] = &["--recursive", "--archive", "--parents", "--target-directory"];

/// Names that make a folder a repository, or tell git what to run in it.
const OBEYED: &[&str] = &[
    ".git",
    ".gitmodules",
    ".gitattributes",
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "gitdir",
    "objects",
    "refs",
    "hooks",
    "info",
    "attributes",
    "alternates",
    "modules",
    "worktrees",
];

/// Why git may not run in this text, if what it obeys may change before it does.
pub(super) fn says(
    scene: &Scene,
    folders: &ScriptFolders,
    git: &Unit,
    ground: &PolicyGround<'_>,
) -> Option<Match> {
    let inside = folders.all().iter().any(|folder| folder.iter().any(|name| name == ".git"));
    let place = TextPlace { anywhere: inside || folders.elsewhere(), moves: folders.moves() };
    let plants = |at: &usize| {
        let unit = &scene.units[*at];
        may_plant(unit, &place) || leads_there(unit, folders, ground) || moves_into_it(scene, *at)
    };
    let planter = &scene.units[(0..scene.units.len()).find(plants)?];
    Some(refused(
        "repository",
        format!("`{}` may change what `{}` is told by its repository", planter.shown(), git.shown()),
        "Run git in a call of its own.",
    ))
}

/// Where a text works.
struct TextPlace {
    /// In a repository's own folder, or in an unknown one.
    anywhere: bool,
    /// In several folders: one of them may be made or moved there by the text itself.
    moves: bool,
}

/// Whether a command of git puts files into the work tree, and the text then moves: where it moves to may be a repository
/// that came with them. A clone is one itself, and git wrote its settings.
fn moves_into_it(scene: &Scene, at: usize) -> bool {
    let unit = &scene.units[at];
    let is = |word: &Word, list: &str| {
        word.text().is_some_and(|text| list.split_whitespace().any(|one| one == text))
    };
    let checks_out = |word: &Word| is(word, CHECKS_OUT);
    if !unit.goes_by("git") || !unit.words.iter().skip(1).any(checks_out) {
        return false;
    }
    let behind: Vec<&Unit> = scene.units[at + 1..].iter().filter(|unit| unit.changes_folder()).collect();
    let into_clone =
        |unit: &Unit| unit.words.iter().skip(1).all(|word| word.text().is_some_and(|to| !to.contains('/')));
    match behind.as_slice() {
        [] => scene.repeats && scene.units.iter().any(Unit::changes_folder),
        [one] if unit.words.iter().any(|word| is(word, "clone")) => scene.repeats || !into_clone(one),
        _ => true,
    }
}

/// Whether a program that writes files is given a name that is a link into what git obeys.
fn leads_there(unit: &Unit, folders: &ScriptFolders, ground: &PolicyGround<'_>) -> bool {
    let writes = |list: &str| list.split_whitespace().any(|name| unit.goes_by(name));
    let naming = &ground.facts.naming;
    let leads = |word: &Word| {
        let text = word.text().filter(|text| !text.starts_with('-'));
        text.is_some_and(|text| {
            let real = |cwd: &PathBuf| placed(&naming.join(cwd, text), ground);
            folders.all().iter().filter_map(real).any(|real| real.to_str().is_none_or(names_orders))
        })
    };
    (writes(WRITES) || unit.goes_by("find")) && unit.words.iter().skip(1).any(leads)
}

/// Commands of git that put files into the work tree, links and whole folders among them.
const CHECKS_OUT: &str = "am apply checkout cherry-pick clone merge pull read-tree rebase reset restore revert stash switch \
    submodule worktree";

fn may_plant(unit: &Unit, place: &TextPlace) -> bool {
    let Some(name) = unit.name().to_str().and_then(|name| name.rsplit(['/', '\\']).next()) else {
        return false;
    };
    let among = |list: &str| list.split_whitespace().any(|known| known == name);
    if among(UNPACKS) {
        return true;
    }
    // A stream editor writes only in place, and a sort only where it is told.
    let writes = match name {
        "sed" | "gsed" => has(unit, 'i', "--in-place"),
        "awk" | "gawk" => has(unit, 'i', "--include"),
        "sort" => has(unit, 'o', "--output"),
        "find" => unit.words.iter().any(|word| word.text().is_none_or(|text| text.starts_with("-f"))),
        _ => among(WRITES),
    };
    let whole = recursive(unit, name) || name == "mv" && place.moves;
    writes && (place.anywhere || whole || unit.words.iter().skip(1).any(|word| may_be_obeyed(word, name)))
}

/// Whether an option may be there, by its letter in a bundle or its long name.
fn has(unit: &Unit, letter: char, long: &str) -> bool {
    unit.words.iter().skip(1).any(|word| match word.text() {
        Some(text) if text.starts_with("--") => {
            text.len() > 2 && long.starts_with(text.split('=').next().unwrap_or(text))
        }
        Some(text) => text.starts_with('-') && text.contains(letter),
        None => word.may_be_option(),
    })
}

fn recursive(unit: &Unit, name: &str) -> bool {
    let whole = |letter: char| RECURSIVE.iter().any(|long| has(unit, letter, long));
    matches!(name, "cp" | "install") && ['r', 'R', 'a', 't', 'D'].into_iter().any(whole)
}

/// Whether a word may name something that git obeys. To make an empty file or folder, or to take one away, changes
/// nothing but where it is part of a repository.
fn may_be_obeyed(word: &Word, name: &str) -> bool {
    let Some(text) = word.text() else { return true };
    let mut parts = text.split(['/', '\\', '=']);
    match name {
        "touch" | "mkdir" | "rm" | "rmdir" | "chmod" => parts.any(|part| part.eq_ignore_ascii_case(".git")),
        _ => parts.any(|part| OBEYED.iter().any(|obeyed| part.eq_ignore_ascii_case(obeyed))),
    }
}
