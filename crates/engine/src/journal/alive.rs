//! Who is alive: a file for each process that writes, locked for as long as it lives.
//!
//! The kernel gives the lock back when the process is gone, whatever ended it, so no number of a process has to be
//! trusted that another may have by now.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The mark of this process; gone when it is dropped.
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
        held.lock()?;
        fs::rename(&before, &path)?;
        Ok(Self { _held: held, path })
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // Left behind, it is unlocked, which says the same.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether the process with this mark lives.
pub(super) fn is_alive(folder: &Path, name: &str) -> bool {
    // A mark is a name that we gave; anything else is not looked for.
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    plain && File::open(folder.join(name)).is_ok_and(|file| is_held(&file))
}

fn is_held(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// The marks of those who are gone and left theirs behind.
pub(super) fn dead(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| !name.starts_with('.') && !is_alive(folder, name)).collect()
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
        drop(mark);
        assert!(!is_alive(folder.path(), "abc"));
        fs::write(folder.path().join("left"), "").unwrap();
        assert!(!is_alive(folder.path(), "left"), "a file that nobody locks is of nobody");
        assert_eq!(dead(folder.path()), ["left"]);
        forget(folder.path(), "left");
        assert_eq!(dead(folder.path()), [""; 0]);
        assert!(!is_alive(folder.path(), "../head"));
    }
}
