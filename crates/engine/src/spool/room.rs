//! Room on disk: what is written counts, of all processes that share the folder.
//!
//! The lengths of the files are the truth. They are read again after every small part of the room that is left: others
//! write too, and sixty-four of them at once still keep the total. Towards the end it is read more often, and what all
//! may exceed the total by is [`LEAST`] for each process.
//!
//! May not write output.

use crate::journal::Journal;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::SpoolRules;

/// The part of what is left that may be written before the folder is read again.
const PART: u64 = 64;

/// Bytes that may always be written before the folder is read again.
const LEAST: u64 = 256 * 1024;

/// Decides how much may be written.
#[derive(Debug)]
pub(super) struct SpoolRoom {
    rules: Arc<SpoolRules>,
    journal: Option<Journal>,
    /// What may be written before the folder is read again.
    allowed: u64,
}

impl SpoolRoom {
    pub(super) fn new(rules: Arc<SpoolRules>, journal: Option<Journal>) -> Self {
        Self { rules, journal, allowed: 0 }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.rules.folder
    }

    /// How much of this may be written. The oldest finished output is removed if there is no room; then what is left.
    pub(super) fn take(&mut self, want: u64) -> io::Result<u64> {
        if self.allowed < want {
            let room = self.make_room(want)?;
            let given = want.min(room);
            self.allowed = (room / PART).max(LEAST).max(given).min(room);
        }
        let given = want.min(self.allowed);
        self.allowed -= given;
        Ok(given)
    }

    /// Removes the oldest finished output until so much fits. A removal is recorded first. Gives the room there is.
    fn make_room(&self, want: u64) -> io::Result<u64> {
        let (runs, total) = (stored(&self.rules.folder)?, self.rules.total);
        let want = want.min(total);
        let mut used: u64 = runs.values().map(|run| run.len).sum();
        let mut finished: Vec<(String, StoredRun)> =
            runs.into_iter().filter(|(_, run)| !run.running).collect();
        finished.sort_by_key(|(_, run)| run.changed);
        let mut goes = 0;
        while let Some((_, run)) = finished.get(goes).filter(|_| used.saturating_add(want) > total) {
            used -= run.len;
            goes += 1;
        }
        finished.truncate(goes);
        if let (Some(journal), true) = (&self.journal, goes > 0) {
            journal.unspooled(finished.iter().map(|(id, _)| id.clone()).collect());
        }
        for (_, run) in finished {
            run.files.iter().for_each(|file| drop(fs::remove_file(file)));
        }
        Ok(total.saturating_sub(used))
    }
}

/// The files of one run on disk.
struct StoredRun {
    changed: SystemTime,
    len: u64,
    /// Whether its command still runs.
    running: bool,
    files: Vec<PathBuf>,
}

fn stored(folder: &Path) -> io::Result<HashMap<String, StoredRun>> {
    let mut runs: HashMap<String, StoredRun> = HashMap::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        let (Some(id), Ok(found)) = (path.file_stem().and_then(|stem| stem.to_str()), entry.metadata())
        else {
            continue;
        };
        let changed = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let running = runward_os::regular_file(&path).is_ok_and(|file| file.try_lock().is_err());
        let run = runs.entry(id.to_owned()).or_insert(StoredRun {
            changed,
            len: 0,
            running: false,
            files: Vec::new(),
        });
        run.len += found.len();
        run.running |= running;
        run.changed = run.changed.max(changed);
        run.files.push(path);
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(folder: &Path, total: u64) -> SpoolRoom {
        SpoolRoom::new(Arc::new(SpoolRules { folder: folder.to_owned(), total }), None)
    }

    #[test]
    fn what_others_write_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (mut one, mut other) = (room(folder.path(), 1000), room(folder.path(), 1000));
        assert_eq!(one.take(400).unwrap(), 400);
        let held = fs::File::create(folder.path().join("a.stdout")).unwrap();
        held.lock().unwrap();
        held.set_len(400).unwrap();
        assert_eq!(other.take(1000).unwrap(), 600, "what runs stays");
        drop(held);
        assert_eq!(other.take(1000).unwrap(), 1000, "what is over goes");
        assert!(!folder.path().join("a.stdout").exists());
    }

    #[test]
    fn the_folder_is_read_again_before_much_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut room = room(folder.path(), 1 << 30);
        room.take(1).unwrap();
        assert_eq!(room.allowed, (1 << 24) - 1, "a part of what is left");
        room.take(room.allowed).unwrap();
        let others = fs::File::create(folder.path().join("b.stdout")).unwrap();
        others.lock().unwrap();
        others.set_len((1 << 30) - 100).unwrap();
        assert_eq!(room.take(200).unwrap(), 100);
        assert_eq!(room.take(200).unwrap(), 100, "nothing of it was written, as far as the files say");
    }
}
