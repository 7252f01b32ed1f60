//! The thread that writes. It has the only connection of its process that writes, opens it with the first record, and
//! commits everything that waits in one go.
//!
//! May not hold up a command: whoever waits for a record waits for as long as the rules say and no longer.

use super::Terms;
use super::queue::{Taken, Then, Work};
use super::record::{Millis, Record};
use super::store::schema::Places;
use super::store::{Dropped, Item, Kept, Store};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;

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
pub(super) fn run(terms: &Terms) {
    let places = Places { folder: terms.rules.folder.clone() };
    let (store, tried, gap, told) = (None, None, None, false);
    let mut writer = Writer { terms, places, store, tried, gap, since_look: 0, told };
    while let Some(taken) = terms.queue.take() {
        terms.busy_since.store(now(), Ordering::Relaxed);
        writer.work(taken);
        terms.busy_since.store(0, Ordering::Relaxed);
        if writer.gap.is_none() {
            terms.intake.settle(&terms.queue);
        }
    }
    writer.close();
}

/// Records that could not be written, and why the last of them could not.
struct Gap {
    missed: u64,
    because: String,
}

struct Writer<'a> {
    terms: &'a Terms,
    places: Places,
    store: Option<Store>,
    tried: Option<(Instant, String)>,
    gap: Option<Gap>,
    since_look: usize,
    told: bool,
}

impl Writer<'_> {
    fn work(&mut self, taken: Taken) {
        let Taken { work: batch, lost } = taken;
        if lost > 0 {
            self.missed(lost, "writing was too slow");
        }
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
                self.close();
            }
            // Whoever gave up waiting needs no answer.
            let _ = done.try_send(());
        }
    }

    fn masked(&self, mut item: Item) -> Item {
        let redactor = item.redactor.as_deref().unwrap_or(&self.terms.redactor);
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
                self.missed(count as u64, &because);
                // It may be another file by now, or none: open it anew, and let everybody wait until then.
                self.terms.intake.give_up();
                self.store = None;
                Err(because)
            }
        }
    }

    fn missed(&mut self, count: u64, because: &str) {
        let before = self.gap.take().map_or(0, |gap| gap.missed);
        self.gap = Some(Gap { missed: before + count, because: because.to_owned() });
    }

    /// Everything is written: nothing of this process is left but the journal.
    fn close(&mut self) {
        if self.gap.is_none() {
            self.terms.intake.close();
        }
        self.store = None;
    }

    fn open(&mut self) -> Result<&mut Store, String> {
        if self.store.is_none() {
            if let Some((when, why)) = self.tried.as_ref().filter(|(when, _)| when.elapsed() < BETWEEN_TRIES)
            {
                let _ = when;
                return Err(why.clone());
            }
            match Store::open(&self.places, &self.terms.mark, self.terms.rules.write_timeout) {
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
            self.terms.intake.open(&self.places.intake(), &self.terms.mark)?;
        }
        if fresh || self.since_look >= BETWEEN_LOOKS {
            self.since_look = 0;
            store.settle_log();
            let dropped = store.prune(self.terms.rules.keep, now())?;
            if let Some(spool) = &self.terms.rules.spool {
                forget(spool, &dropped);
            }
        }
        Ok(())
    }

    /// Tells the operator once for as long as it lasts.
    fn tell(&mut self, why: &str) {
        if !std::mem::replace(&mut self.told, true) {
            (self.terms.rules.tell)(&format!(
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
