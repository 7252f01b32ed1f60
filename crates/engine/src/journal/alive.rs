//! Which processes are alive: a lock file for each one that writes, locked for as long as it lives.
//!
//! The kernel releases the lock when the process is gone, whatever ended it, so no pid has to be
//! trusted, which another process may have by now.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The lock file (mark) of this process. Dropped, it stays unlocked, and the next process settles its records.
#[derive(Debug)]
pub(super) struct AliveMark {
    _held: File,
    path: PathBuf,
}

impl AliveMark {
    /// Makes and locks the file of that name.
    pub(super) fn set(folder: &Path, name: &str) -> io::Result<Self> {
        runward_os::private_folder(folder)?;
        let (path, before) = (folder.join(name), folder.join(format!(".{name}")));
        // Invisible before it is locked: a mark that is not locked belongs to a dead process.
        let held = runward_os::private_file(&before)?;
        runward_os::lock_file(&held).and_then(|()| fs::rename(&before, &path)).inspect_err(|_| {
            // It would block the next try, if it stays.
            let _ = fs::remove_file(&before);
        })?;
        Ok(Self { _held: held, path })
    }

    /// Removes it: nothing of its holder has to be settled.
    pub(super) fn remove(self) {
        // Left behind, it is unlocked, and there is nothing to settle.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the process with this mark lives.
pub(super) fn is_alive(folder: &Path, name: &str) -> bool {
    is_plain(name) && runward_os::regular_file(&folder.join(name)).is_ok_and(|file| is_held(&file))
}

/// A mark is a name that we gave; anything else is not looked for.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Doubt is a yes, such as where the host forbids the call: another process's records are not settled on a guess.
fn is_held(file: &File) -> bool {
    file.try_lock_shared().is_err()
}

/// The marks of dead processes that left theirs behind, or a file of that name in the intake.
pub(super) fn dead(folder: &Path, intake: &Path) -> Vec<String> {
    let entries = [folder, intake].into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names: BTreeSet<String> = names.filter(|name| is_plain(name)).collect();
    names.into_iter().filter(|name| !is_alive(folder, name)).collect()
}

/// Removes a mark, once everything of its holder is settled.
pub(super) fn forget(folder: &Path, name: &str) {
    // Another process may have been faster.
    let _ = fs::remove_file(folder.join(name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_lives_as_long_as_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let mark = AliveMark::set(folder.path(), "abc").unwrap();
        assert!(is_alive(folder.path(), "abc"));
        assert_eq!(dead(folder.path(), folder.path()), [""; 0]);
        mark.remove();
        assert!(!is_alive(folder.path(), "abc"));
        fs::write(folder.path().join("left"), "").unwrap();
        assert!(!is_alive(folder.path(), "left"), "a file that nobody locks is of nobody");
        let intake = tempfile::tempdir().unwrap();
        fs::write(intake.path().join("unmarked"), "").unwrap();
        assert_eq!(dead(folder.path(), intake.path()), ["left", "unmarked"]);
        forget(folder.path(), "left");
        forget(intake.path(), "unmarked");
        assert_eq!(dead(folder.path(), intake.path()), [""; 0]);
        assert!(!is_alive(folder.path(), "../head"));
    }

    #[test]
    fn a_mark_that_is_dropped_is_of_somebody_who_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        drop(AliveMark::set(folder.path(), "abc").unwrap());
        assert_eq!(dead(folder.path(), folder.path()), ["abc"]);
    }

    #[test]
    fn a_mark_that_could_not_be_set_can_be_set_later() {
        let folder = tempfile::tempdir().unwrap();
        // A folder with something in it blocks the last step.
        fs::create_dir_all(folder.path().join("abc/full")).unwrap();
        AliveMark::set(folder.path(), "abc").unwrap_err();
        fs::remove_dir_all(folder.path().join("abc")).unwrap();
        let _mark = AliveMark::set(folder.path(), "abc").unwrap();
        assert!(is_alive(folder.path(), "abc"));
    }
}
