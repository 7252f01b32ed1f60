//! The thread that writes the database. It has the only writing connection of its process, opens it with the first
//! record, and commits all that waits at once. What could not be written goes back into the queue, and is counted as
//! missing only if there is no room for it.
//!
//! May not delay a command: a waiter waits for as long as the rules say and no longer.

use super::JournalTerms;
use super::head::JournalHead;
use super::queue::{AfterWriting, JournalWork, PutBack, TakenWork};
use super::record::{JournalRecord, Millis};
use super::store::schema::{self, JournalPaths};
use super::store::{Item, Store};
use super::upkeep::Upkeep;
use super::watch::{JournalWatch, KnownLengths};
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

/// Writes until the last sender is gone.
pub(super) fn run(terms: &JournalTerms) {
    let places = JournalPaths { folder: terms.rules.folder.clone() };
    let mut writer = Writer {
        terms,
        places,
        watch: JournalWatch::default(),
        lengths: KnownLengths::default(),
        store: None,
        follows: None,
        tried: None,
        gap: None,
        upkeep: Upkeep::default(),
        unended: false,
        told: false,
        lost_told: 0,
        left: false,
    };
    if terms.ahead.load(Ordering::Relaxed) {
        // One that cannot be opened now says so with the first record.
        let _ = writer.open();
    }
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
    terms: &'a JournalTerms,
    places: JournalPaths,
    /// The files of the store as they were when it was opened.
    watch: JournalWatch,
    /// The database and its log, as long as they were at the last look.
    lengths: KnownLengths,
    store: Option<Store>,
    /// The last record of a journal that was removed, until the one after it is begun.
    follows: Option<JournalHead>,
    tried: Option<(Instant, String)>,
    gap: Option<Gap>,
    upkeep: Upkeep,
    /// Commands had not ended when the journal was last opened again.
    unended: bool,
    told: bool,
    /// How many records were reported as lost: it may be closed more than once.
    lost_told: u64,
    /// Records are in the intake alone, and will not be written before we end.
    left: bool,
}

impl Writer<'_> {
    fn work(&mut self, taken: TakenWork) {
        let TakenWork { work: batch, lost, unkept } = taken;
        if unkept > 0 {
            self.missed(0, &format!("writing was too slow to keep what {unkept} commands printed"));
        }
        if lost > 0 {
            self.missed(lost, "writing was too slow");
        }
        let (mut items, mut waiting, mut flushed) = (Vec::new(), Vec::new(), Vec::new());
        for work in batch {
            match work {
                JournalWork::Write(item, waiter) => {
                    let mut item = *item;
                    item.mask(&self.terms.redactor);
                    items.push(item);
                    waiting.extend(waiter);
                }
                JournalWork::Flush(done, then) => flushed.push((done, then)),
            }
        }
        let written = if items.is_empty() { Ok(()) } else { self.write(items, waiting) };
        if let Err(why) = written {
            self.tell(&why);
        }
        for (done, then) in flushed {
            if then == AfterWriting::Close {
                self.close();
            }
            // A waiter that gave up needs no answer.
            let _ = done.try_send(());
        }
    }

    /// Writes everything, answers the waiters, and only then does maintenance.
    fn write(
        &mut self,
        mut items: Vec<Item>,
        waiting: Vec<oneshot::Sender<Result<(), String>>>,
    ) -> Result<(), String> {
        let count = items.len();
        if let Some(Gap { missed, because }) = &self.gap {
            let record = JournalRecord::Gap { at: now(), missed: *missed, because: because.clone() };
            items.insert(0, Item::of(&record));
        }
        let gone = self.taken_away();
        let written = self.open().and_then(|store| store.append(&items).map_err(|error| error.to_string()));
        // What was written into a removed file counts as not written.
        let written = written.and_then(|()| match self.taken_away() {
            Some(what) => Err(what),
            None => self.open().map(drop),
        });
        let written = match (&gone, written) {
            (Some(what), Err(why)) => Err(format!("{what}, and no new one can be begun: {why}")),
            (_, written) => written,
        };
        let harm = self.store.as_mut().and_then(Store::take_harm);
        let answer = written.clone().and_then(|()| gone.clone().or(harm.clone()).map_or(Ok(()), Err));
        waiting.into_iter().for_each(|waiter| drop(waiter.send(answer.clone())));
        match written {
            Ok(()) => {
                (self.gap, self.told) = (None, false);
                self.tell_of_harm(gone, harm);
                self.upkeep.wrote(&items);
                if let Some(store) = &mut self.store
                    && self.upkeep.look(store, &self.places, self.terms)
                {
                    // What became shorter now did so in order.
                    self.lengths = lengths(&self.places);
                }
                Ok(())
            }
            Err(because) => {
                let PutBack { lost, left } = self.terms.queue.put_back(items.split_off(items.len() - count));
                self.left |= left;
                if lost > 0 {
                    self.missed(lost, &because);
                }
                // It may be another file by now, or none: open it again.
                self.let_go();
                Err(because)
            }
        }
    }

    fn missed(&mut self, count: u64, because: &str) {
        let before = self.gap.take().map_or(0, |gap| gap.missed);
        self.gap = Some(Gap { missed: before + count, because: because.to_owned() });
    }

    /// Whether the journal was removed while it was open, and how that is reported. One with a part missing perhaps is
    /// opened again, which shows whether it is.
    fn taken_away(&mut self) -> Option<String> {
        let last = self.store.as_ref()?.last().seq;
        let what = if let Some(missing) = self.watch.missing() {
            Some(format!("`{}` was taken away or replaced after record {last}", missing.display()))
        } else {
            let database = self.places.database();
            let (shrunk, len) = self.lengths.shrunk()?;
            let emptied = len == 0 && shrunk == database;
            emptied.then(|| format!("`{}` was emptied after record {last}", shrunk.display()))
        };
        self.let_go();
        what
    }

    /// Closes the database. Opening it again shows whether it is the same one.
    fn let_go(&mut self) {
        if let Some(store) = self.store.take() {
            self.unended |= store.has_open();
            let last = Some(store.last()).filter(|last| *last != JournalHead::ORIGIN);
            self.follows = self.follows.or(store.follows()).or(last);
        }
    }

    /// Reports to the operator what was found and is on record.
    fn tell_of_harm(&self, gone: Option<String>, harm: Option<String>) {
        if let Some(what) = gone {
            (self.terms.rules.tell)(&format!("the journal was taken away: {what}; a new one is begun"));
        } else if let Some(what) = harm {
            let folder = self.places.folder.display();
            (self.terms.rules.tell)(&format!(
                "the journal in `{folder}` is not as it was left, and goes on: {what}"
            ));
        }
    }

    /// Leaves nothing of this process but the journal, if everything is written. What is not, and the mark of commands
    /// that did not end, stays where the next process to open the journal finds it.
    fn close(&mut self) {
        let mut held = self.terms.held();
        if self.left || self.gap.is_some() || !self.terms.intake.close(&self.terms.queue) {
            let missed = self.gap.as_ref().map_or(0, |gap| gap.missed);
            let missing = missed + self.terms.queue.unsafe_records();
            if missing > std::mem::replace(&mut self.lost_told, missing) {
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
        let JournalPaths { folder } = &self.places;
        let [log, index] = self.places.log();
        self.watch =
            JournalWatch::of([folder.as_path(), &self.places.database(), &self.places.head(), &log, &index])?;
        self.lengths = lengths(&self.places);
        Ok(store.following(self.follows.take()))
    }

    /// Reports to the operator once for as long as it lasts.
    fn tell(&mut self, why: &str) {
        if !std::mem::replace(&mut self.told, true) {
            let folder = self.places.folder.display();
            let aside = if schema::is_damage(why) {
                "; `runward log --set-aside` keeps it and begins a new one"
            } else {
                ""
            };
            // What is in the intake is found by the next process that can write.
            let wait = if self.terms.intake.is_open() { " yet, and wait beside it" } else { "" };
            (self.terms.rules.tell)(&format!(
                "commands are not recorded{wait}: the journal in `{folder}` cannot be written: {why}{aside}"
            ));
        }
    }
}

/// The files that become shorter only in order.
fn lengths(places: &JournalPaths) -> KnownLengths {
    let [log, _] = places.log();
    KnownLengths::of([places.database().as_path(), &log])
}
