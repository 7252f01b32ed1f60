//! How folders are walked: sorted, without what `.gitignore` names, without following links. May not read files.

use ignore::{DirEntry, WalkBuilder};
use std::path::Path;

/// Whether names that begin with a dot count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hidden {
    Shown,
    LeftOut,
}

/// A walk below a folder.
pub(super) fn below(folder: &Path, hidden: Hidden) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    walk.hidden(hidden == Hidden::LeftOut)
        // A folder is the same to everybody, whatever a person keeps in the home folder, and without a repository too.
        .git_global(false)
        .require_git(false)
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .filter_entry(|entry| entry.file_name() != ".git");
    walk
}

/// Whether a folder below another is left out of its walk, itself or one above it. A folder elsewhere is not: whoever
/// names it means it.
pub(super) fn is_left_out(top: &Path, folder: &Path) -> bool {
    let Ok(way) = folder.strip_prefix(top) else { return false };
    let mut at = top.to_owned();
    for name in way.components().filter(|name| matches!(name, std::path::Component::Normal(_))) {
        let next = at.join(name);
        let mut walk = below(&at, Hidden::Shown);
        let listed = walk.max_depth(Some(1)).build().flatten().any(|entry| entry.path() == next);
        if next.is_dir() && !listed {
            return true;
        }
        at = next;
    }
    false
}

/// Whether an entry is a plain file.
pub(super) fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

/// The path of an entry below a folder, written with slashes.
pub(super) fn relative(entry: &DirEntry, folder: &Path) -> String {
    let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
    path.components().map(|part| part.as_os_str().display().to_string()).collect::<Vec<_>>().join("/")
}
