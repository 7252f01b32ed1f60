//! Maintenance of the journal: traces of killed processes, retention, size. Done after records are written, and
//! tried again a while later if it fails.
//!
//! May not keep a record from being written.

use super::JournalTerms;
use super::record::Millis;
use super::store::schema::JournalPaths;
use super::store::{Dropped, Item, Store};
use super::writer::{BETWEEN_TRIES, now};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Records between two looks at how much there is.
const BETWEEN_LOOKS: usize = 1024;

/// Bytes between two looks: the database's log grows until then.
const BYTES_BETWEEN_LOOKS: usize = 4 << 20;

/// What is still to be done.
#[derive(Debug, Default)]
pub(super) struct Upkeep {
    /// The journal was opened, and the traces of killed processes were not looked for.
    fresh: bool,
    /// Records since the last look.
    records: usize,
    /// Their bytes.
    bytes: usize,
    /// When it last failed.
    failed: Option<Instant>,
    /// The time of the newest record that was there before this process, and when this process looked.
    known: Option<(Millis, Instant)>,
    told: bool,
}

impl Upkeep {
    /// The journal was opened.
    pub(super) fn opened(&mut self) {
        (self.fresh, self.failed) = (true, None);
    }

    /// Records were written.
    pub(super) fn wrote(&mut self, records: &[Item]) {
        self.records += records.len();
        self.bytes += records.iter().map(Item::bytes).sum::<usize>();
    }

    fn is_much(&self, terms: &JournalTerms) -> bool {
        let log = usize::try_from(terms.rules.keep.log()).unwrap_or(usize::MAX);
        self.records >= BETWEEN_LOOKS || self.bytes >= BYTES_BETWEEN_LOOKS.min(log)
    }

    /// Does what is due, and says whether anything was. Reports to the operator once for as long as that fails.
    pub(super) fn look(&mut self, store: &mut Store, places: &JournalPaths, terms: &JournalTerms) -> bool {
        let due = self.fresh || self.is_much(terms);
        if !due || self.failed.is_some_and(|when| when.elapsed() < BETWEEN_TRIES) {
            return false;
        }
        let done = self.tidy(store, terms);
        self.failed = done.is_err().then(Instant::now);
        let told = std::mem::replace(&mut self.told, done.is_err());
        if let (Err(why), false) = (done, told) {
            let folder = places.folder.display();
            (terms.rules.tell)(&format!(
                "commands are recorded, but the journal in `{folder}` cannot be put in order: {why}"
            ));
        }
        true
    }

    fn tidy(&mut self, store: &mut Store, terms: &JournalTerms) -> io::Result<()> {
        if self.fresh {
            store.look_back(now())?;
            self.fresh = false;
            self.records = BETWEEN_LOOKS;
        }
        if self.is_much(terms) {
            let longest = terms.rules.keep.log();
            // A server settles it once. A process for each command would wait for the disk after each.
            if !terms.ahead.load(Ordering::Relaxed) || !store.has_short_log(longest) {
                store.settle_log(longest);
            }
            let dropped = store.prune(terms.rules.keep, self.today(store)?)?;
            if let Some(spool) = &terms.rules.spool {
                forget(spool, &dropped);
            }
            (self.records, self.bytes) = (0, 0);
        }
        Ok(())
    }

    /// The moment by which age is judged: now, but not later than the newest record of others and the time since. A clock
    /// that runs ahead once does not make everything old.
    fn today(&mut self, store: &Store) -> io::Result<Millis> {
        let (at, since) = match self.known {
            Some(known) => known,
            None => *self.known.insert((store.newest_before()?.unwrap_or_else(now), Instant::now())),
        };
        let elapsed = Millis::try_from(since.elapsed().as_millis()).unwrap_or(Millis::MAX);
        Ok(now().min(at.saturating_add(elapsed)))
    }
}

/// Output of commands without any record goes too.
fn forget(spool: &Path, dropped: &Dropped) {
    for run in &dropped.runs {
        for stream in ["stdout", "stderr"] {
            let path = spool.join(format!("{run}.{stream}"));
            // Locked for as long as its command runs, which may be longer than its record is kept.
            if runward_os::regular_file(&path).is_ok_and(|file| file.try_lock().is_ok()) {
                // What cannot be removed now is removed when room is made.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}
