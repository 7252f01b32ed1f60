//! Setting a journal aside, which only its owner asks for: the old one is kept, and a new one begins that names it.
//!
//! The race: a process that writes at that moment must find the old journal or the new one, and never none. So the new
//! one is made beside it and the two folders are exchanged in one step, where the system can do that.

use super::head::{self, HeadSays, JournalHead};
use super::store::Store;
use super::store::schema::JournalPaths;
use super::{MENDING, alive, mend};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Sets the journal in this folder aside and begins a new one. Gives the folder in which the old one is kept.
pub fn set_aside(folder: &Path) -> io::Result<PathBuf> {
    if !folder.exists() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no journal"));
    }
    let aside = beside(folder, "set-aside");
    let new = JournalPaths { folder: beside(folder, "new") };
    let says = head::look(&JournalPaths { folder: folder.to_owned() }.head());
    let before = match says.map(HeadSays::by_older_rules) {
        Ok(HeadSays::Names(pair)) => pair.next,
        _ => JournalHead::ORIGIN,
    };
    Store::open(&new, MENDING)?.begin_after(&aside, before)?;
    runward_os::exchange(folder, &new.folder)?;
    fs::rename(&new.folder, &aside)?;
    bring_over(&aside, folder)?;
    mend(folder);
    Ok(aside)
}

/// Records of processes in the intake of the old journal belong into the new one.
fn bring_over(old: &Path, new: &Path) -> io::Result<()> {
    let (old, new) = (JournalPaths { folder: old.to_owned() }, JournalPaths { folder: new.to_owned() });
    for mark in alive::dead(&old.alive(), &old.intake()) {
        let left = old.intake().join(&mark);
        if left.is_file() {
            runward_os::private_folder(&new.intake())?;
            fs::copy(left, new.intake().join(&mark))?;
        }
    }
    Ok(())
}

/// A folder of its own beside the journal.
fn beside(folder: &Path, what: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{what}-{}", uuid::Uuid::now_v7()));
    folder.with_file_name(name)
}
