//! Names that look like the one that was not found.
//!
//! May not decide anything: what it returns is shown to people and models, and read by no code.

use super::program;
use crate::facts::{Browse, Naming};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// How many names are worth showing.
const SHOWN: usize = 3;

/// Programs that destroy or halt: somebody who mistyped `cd` must never be told to try `dd`.
const NEVER_SHOWN: &[&str] = &[
    "dd", "fdisk", "halt", "kexec", "killall", "poweroff", "reboot", "rm", "shred", "shutdown", "unlink",
    "wipefs",
];

/// Whether a name may be shown to somebody who did not type it.
fn may_be_shown(name: &str) -> bool {
    let name = name.to_lowercase();
    !NEVER_SHOWN.contains(&name.as_str()) && !name.starts_with("mkfs") && !name.starts_with("mke2fs")
}

/// The candidates that look most like a name, the nearest first, at most three.
///
/// Case costs nothing, and two characters that changed places count as one slip. A name may differ by a third of its
/// characters, three at most: beyond that a hint would be a guess.
pub fn nearest<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Vec<String> {
    let mut ranked = ranked(name, candidates);
    ranked.truncate(SHOWN);
    ranked
}

fn ranked<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let length = wanted.chars().count();
    if length < 2 {
        return Vec::new();
    }
    let most = (length / 3).clamp(1, 3);
    let mut ranked = BTreeSet::new();
    for candidate in candidates {
        let candidate = candidate.as_ref();
        if candidate.chars().count().abs_diff(length) > most || !may_be_shown(candidate) {
            continue;
        }
        let lower = candidate.to_lowercase();
        let distance = strsim::damerau_levenshtein(&wanted, &lower);
        if distance <= most && candidate != name {
            // Few people mistype the first letter.
            let first_differs = lower.chars().next() != wanted.chars().next();
            ranked.insert((distance, first_differs, candidate.to_owned()));
        }
    }
    ranked.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// The programs in these folders that look most like a name.
pub(super) fn nearest_programs(
    name: &str,
    dirs: &[PathBuf],
    naming: &Naming,
    browse: &dyn Browse,
) -> Vec<String> {
    let listed = dirs.iter().flat_map(|dir| browse.list(dir));
    let names: BTreeSet<String> = listed.filter_map(|name| callable(&name, naming)).collect();
    let is_program = |name: &String| {
        dirs.iter().any(|dir| program::spelled(&naming.join(dir, name), naming, browse).is_some())
    };
    ranked(name, names).into_iter().filter(is_program).take(SHOWN).collect()
}

/// The same for a name with folders in it: its last part is compared with what lies beside it.
pub(super) fn nearest_beside(path: &Path, asked: &str, naming: &Naming, browse: &dyn Browse) -> Vec<String> {
    let (Some(dir), Some(name)) = (naming.parent(path), naming.file_name(path)) else { return Vec::new() };
    let Some(before) = asked.strip_suffix(name) else { return Vec::new() };
    let near = nearest_programs(name, &[dir], naming, browse);
    near.iter().map(|name| format!("{before}{name}")).collect()
}

/// What one would type to start a file of this name: on Windows without its executable ending.
pub(super) fn callable(name: &OsStr, naming: &Naming) -> Option<String> {
    let name = name.to_str()?;
    if naming.executable_endings.is_empty() {
        return Some(name.to_owned());
    }
    let ending = naming.executable_endings.iter().find(|ending| program::ends_with(name.as_ref(), ending))?;
    // Case does not tell two programs apart where endings make them.
    Some(name[..name.len() - ending.len()].to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const PROGRAMS: &[&str] = &["cargo", "cat", "git", "gitk", "grep", "gti-fetch", "ls", "python3", "tig"];

    #[test]
    fn slips_are_recognised() {
        assert_eq!(nearest("gti", PROGRAMS), ["git"]);
        assert_eq!(nearest("crago", PROGRAMS), ["cargo"]);
        assert_eq!(nearest("pyhton", PROGRAMS), ["python3"]);
        assert_eq!(nearest("GREP", PROGRAMS), ["grep"]);
    }

    #[test]
    fn what_is_far_is_not_shown() {
        assert!(nearest("kubernetes", PROGRAMS).is_empty());
        assert!(nearest("x", PROGRAMS).is_empty());
        assert!(nearest("", PROGRAMS).is_empty());
    }

    #[test]
    fn what_destroys_is_never_shown() {
        assert_eq!(nearest("cd", ["cc", "dd", "cp"]), ["cc", "cp"]);
        for name in ["rn", "rmm", "sherd", "hlat", "mkfs", "mkfs.ext", "mkfs.ext5", "rebot", "poweof"] {
            let near =
                nearest(name, ["rm", "shred", "halt", "mkfs.ext4", "mkfs.xfs", "reboot", "poweroff", "RM"]);
            assert!(near.is_empty(), "{name}: {near:?}");
        }
    }

    #[test]
    fn three_are_enough_and_order_is_stable() {
        assert_eq!(nearest("bat", ["cat", "bet", "bar", "hat", "bat2"]), ["bar", "bat2", "bet"]);
    }
}
