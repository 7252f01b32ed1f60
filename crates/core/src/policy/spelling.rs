//! Whether a file is the one that an entry of a list names, by the host's rules of spelling.
//!
//! Hazard: an allowing entry that matches too much lets another program run, and a denying one that matches
//! too little lets a denied one run. So case is ignored narrowly for the one and widely for the other. May
//! not ask the file system anything: links were followed before.

use crate::facts::{Backslashes, Naming};
use std::path::Path;

/// How sure a match must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sureness {
    /// It is that file and no other: only ASCII letters ignore case.
    Certain,
    /// It may be that file: whatever has one capital is one character.
    Possible,
}

/// Whether the file's last name is this one. Where endings make programs, the ending may be left out.
pub(super) fn goes_by(file: &Path, name: &str, naming: &Naming, sureness: Sureness) -> bool {
    if naming.backslashes == Backslashes::AreLetters {
        // Every rule asks this about every command, and nearly always it is not: its end alone is looked at.
        let before = file.as_os_str().as_encoded_bytes().strip_suffix(name.as_bytes());
        return before.is_some_and(|before| before.last().is_none_or(|end| *end == b'/'))
            && !name.contains('/');
    }
    // A name that is not Unicode is never what an entry says, because entries are.
    naming.file_name(file).is_some_and(|last| matches(last, name, naming, sureness))
}

/// Whether the file is the one at this absolute path. Its ending may be left out likewise.
pub(super) fn lies_at(file: &Path, path: &str, naming: &Naming, sureness: Sureness) -> bool {
    if naming.backslashes == Backslashes::AreLetters {
        return file == Path::new(path);
    }
    let Some(file) = file.to_str().filter(|_| naming.is_absolute(Path::new(path))) else { return false };
    matches(&plain(file), &plain(path), naming, sureness)
}

/// One spelling of a path: backslashes, none of them doubled, and no name that means "here".
fn plain(path: &str) -> String {
    let names = path.split(['/', '\\']).filter(|name| !name.is_empty() && *name != ".");
    names.collect::<Vec<_>>().join("\\")
}

fn matches(file: &str, entry: &str, naming: &Naming, sureness: Sureness) -> bool {
    let (file, entry) = (folded(file, sureness), folded(entry, sureness));
    let endings = naming.executable_endings.iter().map(|ending| folded(ending, sureness));
    file == entry || endings.into_iter().any(|ending| file.strip_suffix(&ending) == Some(entry.as_str()))
}

fn folded(text: &str, sureness: Sureness) -> String {
    match sureness {
        Sureness::Certain => text.to_ascii_uppercase(),
        Sureness::Possible => text.to_uppercase(),
    }
}
