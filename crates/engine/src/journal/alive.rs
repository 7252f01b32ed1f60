//! Who is alive: a file for each process that writes, locked for as long as it lives.
//!
//! The kernel gives the lock back when the process is gone, whatever ended it, so no number of a process has to be
//! trusted that another may have by now.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The mark of this process. Dropped, it is left behind unlocked, and whoever looks settles what was its holder's.
#[derive(Debug)]
pub(super) struct Mark {
    _held: File,
    path: PathBuf,
}

impl Mark {
    /// Makes and locks the file of that name.
    pub(super) fn set(folder: &Path, name: &str) -> io::Result<Self> {
        runward_os::private_folder(folder)?;
        let (path, before) = (folder.join(name), folder.join(format!(".{name}")));
        // Seen by nobody before it is locked: a mark that is not locked is of somebody who is gone.
        let held = runward_os::private_file(&before)?;
        held.lock().and_then(|()| fs::rename(&before, &path)).inspect_err(|_| {
            // In the way of the next try, if it stays.
            let _ = fs::remove_file(&before);
        })?;
        Ok(Self { _held: held, path })
    }

    /// Takes it away: nothing of its holder's has to be settled.
    pub(super) fn remove(self) {
        // Left behind, it is unlocked, and there is nothing to settle.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the process with this mark lives.
pub(super) fn is_alive(folder: &Path, name: &str) -> bool {
    is_plain(name) && File::open(folder.join(name)).is_ok_and(|file| is_held(&file))
}

/// A mark is a name that we gave; anything else is not looked for.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn is_held(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// The marks of those who are gone and left theirs behind, or a file of that name in the intake.
pub(super) fn dead(folder: &Path, intake: &Path) -> Vec<String> {
    let entries = [folder, intake].into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names: BTreeSet<String> = names.filter(|name| is_plain(name)).collect();
    names.into_iter().filter(|name| !is_alive(folder, name)).collect()
}

/// Removes a mark, once everything that was its holder's is settled.
pub(super) fn forget(folder: &Path, name: &str) {
    // Somebody else may have been faster.
    let _ = fs::remove_file(folder.join(name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_lives_as_long_as_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let mark = Mark::set(folder.path(), "abc").unwrap();
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
        drop(Mark::set(folder.path(), "abc").unwrap());
        assert_eq!(dead(folder.path(), folder.path()), ["abc"]);
    }

    #[test]
    fn a_mark_that_could_not_be_set_can_be_set_later() {
        let folder = tempfile::tempdir().unwrap();
        // A folder that holds something is in the way of the last step.
        fs::create_dir_all(folder.path().join("abc/full")).unwrap();
        Mark::set(folder.path(), "abc").unwrap_err();
        fs::remove_dir_all(folder.path().join("abc")).unwrap();
        let _mark = Mark::set(folder.path(), "abc").unwrap();
        assert!(is_alive(folder.path(), "abc"));
    }
}
