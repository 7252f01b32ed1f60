//! The thread that writes. It has the only connection of its process that writes, opens it with the first record, and
//! commits everything that waits in one go. What could not be written goes back into the queue, and is counted as
//! missing only if there is no room for it.
//!
//! May not hold up a command: whoever waits for a record waits for as long as the rules say and no longer.

use super::Terms;
use super::head::Head;
use super::queue::{PutBack, Taken, Then, Work};
use super::record::{Millis, Record};
use super::store::schema::{self, Places};
use super::store::{Item, Store};
use super::upkeep::Upkeep;
use super::watch::Watch;
use std::io;
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
        watch: Watch::default(),
        store: None,
        follows: None,
        tried: None,
        gap: None,
        upkeep: Upkeep::default(),
        unended: false,
        told: false,
        left: false,
    };
    while let Some(taken) = terms.queue.take() {
        writer.work(taken);
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
    /// The files of the store as they were when it was opened.
    watch: Watch,
    store: Option<Store>,
    /// The last record of a journal that was taken away, until the one after it is begun.
    follows: Option<Head>,
    tried: Option<(Instant, String)>,
    gap: Option<Gap>,
    upkeep: Upkeep,
    /// Commands had not ended when the journal was last opened anew.
    unended: bool,
    told: bool,
    /// Records are in the intake alone, and nobody will write them before we end.
    left: bool,
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
        let gone = self.taken_away();
        let written = self.open().and_then(|store| store.append(&items).map_err(|error| error.to_string()));
        // What was written into a file that nobody will ever find was not.
        let written = written.and_then(|()| self.taken_away().map_or(Ok(()), Err));
        let answer = written.clone().and_then(|()| gone.map_or(Ok(()), Err));
        waiting.into_iter().for_each(|waiter| drop(waiter.send(answer.clone())));
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
                let PutBack { lost, left } = self.terms.queue.put_back(items.split_off(items.len() - count));
                self.left |= left;
                if lost > 0 {
                    self.missed(lost, &because);
                }
                // It may be another file by now, or none: open it anew.
                self.unended |= self.store.take().is_some_and(|store| store.has_open());
                Err(because)
            }
        }
    }

    fn missed(&mut self, count: u64, because: &str) {
        let before = self.gap.take().map_or(0, |gap| gap.missed);
        self.gap = Some(Gap { missed: before + count, because: because.to_owned() });
    }

    /// Whether the journal was taken away under our hands, and how that is told.
    fn taken_away(&mut self) -> Option<String> {
        let missing = self.store.as_ref().and_then(|_| self.watch.missing())?.display().to_string();
        let last = self.store.take().map_or(Head::ORIGIN, |store| {
            self.unended |= store.has_open();
            store.last()
        });
        self.follows.get_or_insert(last);
        let what = format!("`{missing}` was taken away or replaced after record {}", last.seq);
        (self.terms.rules.tell)(&format!("the journal was taken away: {what}; a new one is begun"));
        Some(what)
    }

    /// Leaves nothing of this process but the journal, if everything is written. What is not, and the mark of commands
    /// that did not end, stays where whoever opens the journal next finds it.
    fn close(&mut self) {
        let mut held = self.terms.held();
        if self.left || self.gap.is_some() || !self.terms.intake.close(&self.terms.queue) {
            let missed = self.gap.as_ref().map_or(0, |gap| gap.missed);
            let missing = missed + self.terms.queue.unsafe_records();
            if missing > 0 {
                let because = self.tried.as_ref().map(|(_, why)| why.as_str());
                let because = self.gap.as_ref().map(|gap| gap.because.as_str()).or(because);
                (self.terms.rules.tell)(&super::lost(missing, because.unwrap_or("writing failed")));
            }
            return;
        }
        self.unended |= self.store.take().is_some_and(|store| store.has_open());
        if !self.unended
            && let Some(mark) = held.take()
        {
            mark.remove();
        }
    }

    fn open(&mut self) -> Result<&mut Store, String> {
        if self.store.is_none() {
            if let Some((_, why)) = self.tried.as_ref().filter(|(when, _)| when.elapsed() < BETWEEN_TRIES) {
                return Err(why.clone());
            }
            match self.open_now() {
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

    fn open_now(&mut self) -> io::Result<Store> {
        let store = Store::open(&self.places, self.terms.rules.write_timeout)?;
        self.watch = Watch::of([self.places.folder.as_path(), &self.places.database(), &self.places.head()])?;
        Ok(store.following(self.follows.take()))
    }

    /// Tells the operator once for as long as it lasts.
    fn tell(&mut self, why: &str) {
        if !std::mem::replace(&mut self.told, true) {
            let folder = self.places.folder.display();
            let aside = if schema::is_damage(why) {
                "; `runward log --set-aside` keeps it and begins a new one"
            } else {
                ""
            };
            // What is in the intake is found by whoever can write next.
            let wait = if self.terms.intake.is_open() { " yet, and wait beside it" } else { "" };
            (self.terms.rules.tell)(&format!(
                "commands are not recorded{wait}: the journal in `{folder}` cannot be written: {why}{aside}"
            ));
        }
    }
}
