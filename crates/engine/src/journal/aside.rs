//! Setting a journal aside, which only its owner asks for: the old one is kept, and a new one begins that names it.
//!
//! The race: whoever writes at that moment must find the old journal or the new one, and never none. So the new one is
//! made beside it and the two folders change places in one step, where the system can do that.

use super::head::{self, Head, HeadSays};
use super::store::Store;
use super::store::schema::Places;
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
    let new = Places { folder: beside(folder, "new") };
    let before = match head::look(&Places { folder: folder.to_owned() }.head()) {
        Ok(HeadSays::Names(pair)) => pair.next,
        _ => Head::ORIGIN,
    };
    Store::open(&new, MENDING)?.begin_after(&aside, before)?;
    runward_os::exchange(folder, &new.folder)?;
    fs::rename(&new.folder, &aside)?;
    bring_over(&aside, folder)?;
    mend(folder);
    Ok(aside)
}

/// Records that processes left on their way into the old journal belong into the new one.
fn bring_over(old: &Path, new: &Path) -> io::Result<()> {
    let (old, new) = (Places { folder: old.to_owned() }, Places { folder: new.to_owned() });
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
