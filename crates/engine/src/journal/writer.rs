//! The thread that writes. It has the only connection of its process that writes, opens it with the first record, and
//! commits everything that waits in one go. What could not be written goes back into the queue, and is counted as
//! missing only if there is no room for it.
//!
//! May not hold up a command: whoever waits for a record waits for as long as the rules say and no longer.

use super::Terms;
use super::alive::{self, Mark};
use super::queue::{Taken, Then, Work};
use super::record::{Millis, Record};
use super::store::schema::Places;
use super::store::{Item, Store};
use super::upkeep::Upkeep;
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;

/// Time between two tries to open a journal that cannot be opened.
pub(super) const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// Milliseconds since 1970.
pub(super) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Writes until nobody can ask for anything any more.
pub(super) fn run(terms: &Terms) {
    let places = Places { folder: terms.rules.folder.clone() };
    let mut writer = Writer {
        terms,
        places,
        mark: None,
        store: None,
        tried: None,
        gap: None,
        upkeep: Upkeep::default(),
        unended: false,
        told: false,
    };
    while let Some(taken) = terms.queue.take() {
        terms.busy_since.store(terms.clock(), Ordering::Relaxed);
        writer.work(taken);
        if writer.gap.is_none() {
            terms.intake.settle(&terms.queue);
        }
        terms.busy_since.store(0, Ordering::Relaxed);
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
    /// Held whether the journal can be written or not: what this process left on its way is its own.
    mark: Option<Mark>,
    store: Option<Store>,
    tried: Option<(Instant, String)>,
    gap: Option<Gap>,
    upkeep: Upkeep,
    /// Commands had not ended when the journal was last opened anew.
    unended: bool,
    told: bool,
}

impl Writer<'_> {
    fn work(&mut self, taken: Taken) {
        let Taken { work: batch, lost, unkept } = taken;
        if unkept > 0 {
            self.missed(0, &format!("writing was too slow to keep what {unkept} commands printed"));
        }
        if lost > 0 {
            self.missed(lost, "writing was too slow");
        }
        let (mut items, mut waiting, mut flushed) = (Vec::new(), Vec::new(), Vec::new());
        for work in batch {
            match work {
                Work::Write(item, waiter) => {
                    let mut item = *item;
                    item.mask(&self.terms.redactor);
                    items.push(item);
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
        let written = self.open().and_then(|store| store.append(&items).map_err(|error| error.to_string()));
        waiting.into_iter().for_each(|waiter| drop(waiter.send(written.clone())));
        match written {
            Ok(()) => {
                (self.gap, self.told) = (None, false);
                self.upkeep.wrote(&items);
                if let Some(store) = &mut self.store {
                    self.upkeep.look(store, &self.places, self.terms);
                }
                Ok(())
            }
            Err(because) => {
                let lost = self.terms.queue.put_back(items.split_off(items.len() - count));
                if lost > 0 {
                    self.missed(lost, &because);
                }
                // It may be another file by now, or none: open it anew, and let everybody wait until then.
                self.terms.intake.give_up();
                self.unended |= self.store.take().is_some_and(|store| store.has_open());
                Err(because)
            }
        }
    }

    fn missed(&mut self, count: u64, because: &str) {
        let before = self.gap.take().map_or(0, |gap| gap.missed);
        self.gap = Some(Gap { missed: before + count, because: because.to_owned() });
    }

    /// Leaves nothing of this process but the journal, if everything is written. What is not, and the mark of commands
    /// that did not end, stays where whoever opens the journal next finds it.
    fn close(&mut self) {
        if self.gap.is_some() || !self.terms.intake.close(&self.terms.queue) {
            return;
        }
        self.unended |= self.store.take().is_some_and(|store| store.has_open());
        if !self.unended
            && let Some(mark) = self.mark.take()
        {
            mark.remove();
        }
    }

    fn open(&mut self) -> Result<&mut Store, String> {
        if self.store.is_none() {
            if let Some((when, why)) = self.tried.as_ref().filter(|(when, _)| when.elapsed() < BETWEEN_TRIES)
            {
                let _ = when;
                return Err(why.clone());
            }
            let opened = Store::open(&self.places, self.terms.rules.write_timeout);
            match opened.and_then(|store| self.set_mark().map(|()| store)) {
                Ok(store) => self.store = Some(store),
                Err(error) => {
                    let why = error.to_string();
                    self.tried = Some((Instant::now(), why.clone()));
                    return Err(why);
                }
            }
            self.upkeep.opened();
        }
        self.store.as_mut().ok_or_else(String::new)
    }

    /// Sets the mark, once for as long as nobody takes it away.
    fn set_mark(&mut self) -> io::Result<()> {
        let (alive, mark) = (self.places.alive(), &self.terms.mark);
        if self.mark.is_none() || !alive::is_alive(&alive, mark) {
            self.mark = Some(Mark::set(&alive, mark)?);
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
