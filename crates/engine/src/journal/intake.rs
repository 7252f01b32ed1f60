//! The intake: first and last records in a file of their own, before the database has them.
//!
//! A record is appended to this file, which is as safe from being killed as the database's own log, and brought into the
//! chain a moment later. The records of a killed process are brought in by the process that opens the journal next.
//!
//! The race: a record must be in the file or in the database at every moment. It is appended and queued under one lock,
//! and the file is emptied under that lock only when nothing is queued and everything was committed.

use super::queue::{JournalQueue, JournalWork, Waiter};
use super::record::JournalRecord;
use super::store::Item;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file is emptied when it is longer than this.
const LONG: u64 = 256 * 1024;

/// The intake of one process; there is a file while the journal is open.
#[derive(Debug, Default)]
pub(super) struct Intake(Mutex<Option<OpenIntake>>);

#[derive(Debug)]
struct OpenIntake {
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
        *self.lock() = Some(OpenIntake { file, path, len });
        Ok(())
    }

    /// Whether records may be appended.
    pub(super) fn is_open(&self) -> bool {
        self.lock().is_some()
    }

    /// Everything in the queue is committed: closes the intake and removes the file. False, and nothing happens, if
    /// more came since.
    pub(super) fn close(&self, queue: &JournalQueue) -> bool {
        let mut open = self.lock();
        if !queue.is_empty() {
            return false;
        }
        let closed = open.take();
        // Nothing is appended from here on, so nothing has to wait for the disk.
        drop(open);
        if let Some(OpenIntake { path, .. }) = closed {
            // Left behind, it says nothing new.
            let _ = fs::remove_file(path);
        }
        true
    }

    /// Writing failed: until the journal is open again, a command that starts has to wait.
    pub(super) fn give_up(&self) {
        *self.lock() = None;
    }

    /// Appends a record and queues it, with the waiter for the database's commit. It comes back if it could not be
    /// appended.
    pub(super) fn append(
        &self,
        mut item: Box<Item>,
        waiter: Waiter,
        queue: &JournalQueue,
    ) -> Result<(), (Box<Item>, Waiter)> {
        let mut open = self.lock();
        let Some(OpenIntake { file, len, .. }) = &mut *open else { return Err((item, waiter)) };
        if file.metadata().is_ok_and(|found| found.len() != *len) {
            // Another process cut it: its records are queued, and the rest has to begin at its end.
            *len = file.seek(SeekFrom::End(0)).unwrap_or(*len);
        }
        let line = format!("{}\n", item.body());
        if file.write_all(line.as_bytes()).is_err() {
            // Half of it would spoil the next.
            let _ = file.set_len(*len);
            *open = None;
            return Err((item, waiter));
        }
        item.safe = true;
        match queue.offer(JournalWork::Write(item, waiter)) {
            Err(JournalWork::Write(mut item, waiter)) => {
                item.safe = false;
                // It would not be brought in: the sender has to know.
                if file.set_len(*len).and_then(|()| file.seek(SeekFrom::Start(*len))).is_err() {
                    *open = None;
                }
                Err((item, waiter))
            }
            _ => {
                *len += line.len() as u64;
                Ok(())
            }
        }
    }

    /// Everything in the queue is committed: empties the file, if it is long and nothing came since.
    pub(super) fn settle(&self, queue: &JournalQueue) {
        let mut open = self.lock();
        if open.as_ref().is_none_or(|open| open.len <= LONG) || !queue.is_empty() {
            return;
        }
        let emptied = open.take();
        // Nothing is appended meanwhile, so nothing has to wait for the disk.
        drop(open);
        if let Some(mut open) = emptied {
            if open.file.set_len(0).and_then(|()| open.file.seek(SeekFrom::Start(0))).is_ok() {
                open.len = 0;
            }
            *self.lock() = Some(open);
        }
    }

    /// A panic elsewhere leaves it whole: every change to it is a single step.
    fn lock(&self) -> MutexGuard<'_, Option<OpenIntake>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The records that a process left. An unfinished line belongs to a command that never started, and a damaged one
/// costs only itself.
pub(super) fn left_by(folder: &Path, mark: &str) -> io::Result<Vec<JournalRecord<'static>>> {
    let mut file = match runward_os::regular_file(&folder.join(mark)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(&[][..], |end| &bytes[..end]);
    let read = |line: &[u8]| {
        let mut record: JournalRecord<'static> = serde_json::from_slice(line).ok()?;
        if let JournalRecord::End(end) = &mut record {
            // Its output is not here: none of it is kept.
            end.stored = None;
        }
        Some(record)
    };
    Ok(whole.split(|byte| *byte == b'\n').filter_map(read).collect())
}

/// Removes what a process left, once it is in the journal.
pub(super) fn forget(folder: &Path, mark: &str) {
    // Another process may have been faster.
    let _ = fs::remove_file(folder.join(mark));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Box<Item> {
        Box::new(Item::of(&JournalRecord::Gap { at: 1, missed: 1, because: "a test".to_owned() }))
    }

    #[test]
    fn a_record_that_came_while_closing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (intake, queue) = (Intake::default(), JournalQueue::default());
        intake.open(folder.path(), "abc").unwrap();
        intake.append(item(), None, &queue).unwrap();
        assert!(!intake.close(&queue));
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), 1);
        queue.take().unwrap();
        assert!(intake.close(&queue));
        assert!(!folder.path().join("abc").exists());
    }

    #[test]
    fn a_record_that_nobody_would_bring_in_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let (intake, queue) = (Intake::default(), JournalQueue::default());
        intake.open(folder.path(), "abc").unwrap();
        let appended = std::iter::from_fn(|| intake.append(item(), None, &queue).ok()).count();
        assert!(intake.append(item(), None, &queue).is_err());
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), appended, "each is in the file and queued");
        while !queue.is_empty() {
            queue.take().unwrap();
        }
        intake.append(item(), None, &queue).unwrap();
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), appended + 1);
    }

    #[test]
    fn a_long_file_is_emptied_once_nothing_is_queued() {
        let folder = tempfile::tempdir().unwrap();
        let (intake, queue) = (Intake::default(), JournalQueue::default());
        intake.open(folder.path(), "abc").unwrap();
        let long = JournalRecord::Gap { at: 1, missed: 1, because: "x".repeat(300_000) };
        intake.append(Box::new(Item::of(&long)), None, &queue).unwrap();
        intake.settle(&queue);
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), 1);
        queue.take().unwrap();
        intake.settle(&queue);
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), 0);
        intake.append(item(), None, &queue).unwrap();
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), 1);
    }

    #[test]
    fn a_damaged_line_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("{}\n", item().body());
        let bytes = [line.as_bytes(), b"\xff{\n", line.as_bytes(), b"{\"kind\":"].concat();
        fs::write(folder.path().join("abc"), bytes).unwrap();
        assert_eq!(left_by(folder.path(), "abc").unwrap().len(), 2);
        assert_eq!(left_by(folder.path(), "nobody").unwrap().len(), 0);
        fs::create_dir(folder.path().join("unreadable")).unwrap();
        left_by(folder.path(), "unreadable").unwrap_err();
    }
}
