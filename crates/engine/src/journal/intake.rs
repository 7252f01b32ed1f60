//! The intake: first and last records in a file of their own, before the database has them.
//!
//! Waiting for another thread costs more than many commands take. So once the journal is open, a record is
//! appended to this file by whoever starts or ends the command, which is as safe from being killed as the database's own
//! log, and the thread brings it into the chain a moment later. What a process that was killed left here, whoever opens the
//! journal next brings in.
//!
//! The race: a record must be in the file or in the database at every moment. It is appended and queued under one lock,
//! and the file is emptied under that lock only when nothing is queued and everything was committed.

use super::queue::{Queue, Work};
use super::record::Record;
use super::store::Item;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file is emptied when it is longer than this.
const LONG: u64 = 256 * 1024;

/// The intake of one process; there is a file while the journal is open.
#[derive(Debug, Default)]
pub(super) struct Intake(Mutex<Option<Open>>);

#[derive(Debug)]
struct Open {
    file: File,
    path: PathBuf,
    len: u64,
}

impl Intake {
    /// The journal is open: records may be appended.
    pub(super) fn open(&self, folder: &Path, mark: &str) -> io::Result<()> {
        runward_os::private_folder(folder)?;
        let path = folder.join(mark);
        let mut file = runward_os::private_log(&path)?;
        let len = file.seek(SeekFrom::End(0))?;
        *self.lock() = Some(Open { file, path, len });
        Ok(())
    }

    /// The journal is closed, and everything in the file is in it.
    pub(super) fn close(&self) {
        if let Some(open) = self.lock().take() {
            // Left behind, it says nothing new.
            let _ = fs::remove_file(open.path);
        }
    }

    /// Something went wrong: until the journal is open again, whoever starts a command has to wait.
    pub(super) fn give_up(&self) {
        *self.lock() = None;
    }

    /// Appends a record and queues it. It comes back if it must be waited for instead.
    pub(super) fn append(&self, item: Box<Item>, queue: &Queue) -> Result<(), Box<Item>> {
        let mut open = self.lock();
        let Some(Open { file, len, .. }) = &mut *open else { return Err(item) };
        let line = format!("{}\n", item.body());
        if file.write_all(line.as_bytes()).is_err() {
            *open = None;
            return Err(item);
        }
        *len += line.len() as u64;
        // One that finds no room is in the file all the same, and counted as missing; the next to open finds it.
        queue.send(Work::Write(item, None));
        Ok(())
    }

    /// Everything that was queued is committed: empties the file, if it is long and nothing came since.
    pub(super) fn settle(&self, queue: &Queue) {
        let mut open = self.lock();
        let Some(Open { file, len, .. }) = &mut *open else { return };
        if *len > LONG
            && queue.is_empty()
            && file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).is_ok()
        {
            *len = 0;
        }
    }

    /// A panic elsewhere leaves it as it was: every change to it is a single step.
    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The records that a process left. A line that was not finished belongs to a command that never started.
pub(super) fn left_by(folder: &Path, mark: &str) -> Vec<Record<'static>> {
    let mut text = String::new();
    let read = File::open(folder.join(mark)).and_then(|mut file| file.read_to_string(&mut text));
    if read.is_err() {
        return Vec::new();
    }
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Removes what a process left, once it is in the journal.
pub(super) fn forget(folder: &Path, mark: &str) {
    // Somebody else may have been faster.
    let _ = fs::remove_file(folder.join(mark));
}
