//! The thread that writes. It has the only connection of its process that writes, opens it with the first record, and
//! commits everything that waits in one go.
//!
//! May not hold up a command: whoever waits for a record waits for as long as the rules say and no longer.

use super::Terms;
use super::record::{Millis, Record};
use super::rules::JournalRules;
use super::store::schema::Places;
use super::store::{Dropped, Item, Kept, Store};
use runward_core::redact::Redactor;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;

/// What the thread is asked to do.
pub(super) enum Work {
    /// Write this, and tell whoever waits.
    Write(Box<Item>, Option<oneshot::Sender<Result<(), String>>>),
    /// Say when everything before is written; close the journal if nobody will write soon.
    Flush(SyncSender<()>, Then),
}

/// What comes after everything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    Close,
}

/// Records in one transaction, at most.
const BATCH: usize = 256;

/// Records between two looks at how much there is.
const BETWEEN_LOOKS: usize = 1024;

/// Time between two tries to open a journal that cannot be opened.
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// Milliseconds since 1970.
pub(super) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Writes until nobody can ask for anything any more.
pub(super) fn run(terms: &Terms, work: &Receiver<Work>) {
    let Terms { rules, redactor, mark, overflow } = terms;
    let places = Places { folder: rules.folder.clone() };
    let (store, tried, gap, told) = (None, None, None, false);
    let mut writer =
        Writer { rules, redactor, mark, overflow, places, store, tried, gap, since_look: 0, told };
    while let Ok(first) = work.recv() {
        let mut batch = vec![first];
        batch.extend(work.try_iter().take(BATCH - 1));
        writer.work(batch);
    }
}

/// Records that could not be written, and why the last of them could not.
struct Gap {
    missed: u64,
    because: String,
}

struct Writer<'a> {
    rules: &'a JournalRules,
    redactor: &'a Redactor,
    mark: &'a str,
    overflow: &'a AtomicU64,
    places: Places,
    store: Option<Store>,
    tried: Option<(Instant, String)>,
    gap: Option<Gap>,
    since_look: usize,
    told: bool,
}

impl Writer<'_> {
    fn work(&mut self, batch: Vec<Work>) {
        let (mut items, mut waiting, mut flushed) = (Vec::new(), Vec::new(), Vec::new());
        for work in batch {
            match work {
                Work::Write(item, waiter) => {
                    items.push(self.masked(*item));
                    waiting.extend(waiter);
                }
                Work::Flush(done, then) => flushed.push((done, then)),
            }
        }
        let written = if items.is_empty() { Ok(()) } else { self.write(items, waiting) };
        if let Err(why) = written {
            self.tell(&why);
        }
        for (done, then) in flushed {
            if then == Then::Close {
                self.store = None;
            }
            // Whoever gave up waiting needs no answer.
            let _ = done.try_send(());
        }
    }

    fn masked(&self, mut item: Item) -> Item {
        let redactor = item.redactor.as_deref().unwrap_or(self.redactor);
        if let Some(Kept { stdout, stderr, .. }) = &mut item.kept {
            for stream in [stdout, stderr].into_iter().flatten() {
                *stream = redactor.mask_bytes(stream);
            }
        }
        item
    }

    /// Writes everything, tells whoever waits, and only then does what nobody waits for.
    fn write(
        &mut self,
        mut items: Vec<Item>,
        waiting: Vec<oneshot::Sender<Result<(), String>>>,
    ) -> Result<(), String> {
        let count = items.len();
        let lost = self.overflow.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let before = self.gap.take();
            let because =
                before.as_ref().map_or("writing was too slow", |gap| gap.because.as_str()).to_owned();
            self.gap = Some(Gap { missed: before.map_or(0, |gap| gap.missed) + lost, because });
        }
        if let Some(Gap { missed, because }) = &self.gap {
            let record = Record::Gap { at: now(), missed: *missed, because: because.clone() };
            items.insert(0, Item::of(&record));
        }
        let fresh = self.store.is_none();
        let written = self.open().and_then(|store| store.append(&items).map_err(|error| error.to_string()));
        let answer = written.as_ref().map(drop).map_err(Clone::clone);
        waiting.into_iter().for_each(|waiter| drop(waiter.send(answer.clone())));
        match written {
            Ok(head) => {
                self.gap = None;
                if let Some(store) = &mut self.store {
                    store.tell_head(head);
                }
                self.since_look += count;
                self.housekeep(fresh).map_err(|error| error.to_string())
            }
            Err(because) => {
                let missed = self.gap.take().map_or(0, |gap| gap.missed) + count as u64;
                self.gap = Some(Gap { missed, because: because.clone() });
                // It may be another file by now, or none: open it anew.
                self.store = None;
                Err(because)
            }
        }
    }

    fn open(&mut self) -> Result<&mut Store, String> {
        if self.store.is_none() {
            if let Some((when, why)) = self.tried.as_ref().filter(|(when, _)| when.elapsed() < BETWEEN_TRIES)
            {
                let _ = when;
                return Err(why.clone());
            }
            match Store::open(&self.places, self.mark, self.rules.write_timeout) {
                Ok(store) => self.store = Some(store),
                Err(error) => {
                    let why = error.to_string();
                    self.tried = Some((Instant::now(), why.clone()));
                    return Err(why);
                }
            }
        }
        self.store.as_mut().ok_or_else(String::new)
    }

    /// What nobody waits for: what went wrong before, what is too old, what is too much.
    fn housekeep(&mut self, fresh: bool) -> io::Result<()> {
        let Some(store) = &mut self.store else { return Ok(()) };
        if fresh {
            store.look_back(now())?;
        }
        if fresh || self.since_look >= BETWEEN_LOOKS {
            self.since_look = 0;
            store.settle_log();
            let dropped = store.prune(self.rules.keep, now())?;
            if let Some(spool) = &self.rules.spool {
                forget(spool, &dropped);
            }
        }
        Ok(())
    }

    /// Tells the operator once for as long as it lasts.
    fn tell(&mut self, why: &str) {
        if !std::mem::replace(&mut self.told, true) {
            (self.rules.tell)(&format!(
                "commands are not recorded: the journal in `{}` cannot be written: {why}",
                self.places.folder.display()
            ));
        }
    }
}

/// Output of commands that nothing is known of any more goes too.
fn forget(spool: &Path, dropped: &Dropped) {
    for run in &dropped.runs {
        for stream in ["stdout", "stderr"] {
            // Most never had any.
            let _ = std::fs::remove_file(spool.join(format!("{run}.{stream}")));
        }
    }
}
