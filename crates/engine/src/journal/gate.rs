//! The way of records into the intake. On a disk that may hang a thread of its own takes them there, so that starting,
//! limiting or ending a command never waits for it; where every file system of the host is local, the sender does.
//!
//! A record goes from here into the intake's file and into the queue of the thread that writes the database; its
//! waiter is told as soon as it is in the file. The intake comes first and the database after: a journal that is locked
//! by another process, or damaged, costs no record.
//!
//! Why not always by the thread: waking it, and being woken by it, costs a command some 150 µs, and appending a line to a
//! file in the page cache ten (decision 0035). Where the first record finds local file systems only, its sender opens the
//! intake as well, and there is no thread before something goes wrong (decision 0045). The race: records stay in order
//! because a sender appends only while the thread sleeps with nothing queued, or is not there, and both hold [`GateState`]
//! while they append.
//!
//! May not wait for the database.

use super::JournalTerms;
use super::alive::{self, AliveMark};
use super::queue::{JournalWork, Waiter};
use super::rules::JournalNeed;
use super::store::Item;
use super::store::schema::JournalPaths;
use super::watch::JournalWatch;
use super::writer::BETWEEN_TRIES;
use runward_os::Mounts;
use std::io;
use std::sync::PoisonError;
use std::time::Instant;

/// Files of others that may wait in the intake: each process that could not write leaves one.
const MOST_LEFT: usize = 4096;

/// What the thread and the senders share about the intake.
#[derive(Debug, Default)]
pub(super) struct GateState {
    watch: JournalWatch,
    tried: Option<Instant>,
    /// Read with the first record.
    mounts: Option<Mounts>,
    /// The first record came: from then on, what is not open is for the thread to open.
    begun: bool,
}

/// Passes records on until the last sender is gone.
pub(super) fn run(terms: &JournalTerms) {
    let places = JournalPaths { folder: terms.rules.folder.clone() };
    while let Some(taken) = terms.gate.take() {
        let state = &mut *terms.passing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut gate = JournalGate { terms, places: &places, state };
        terms.queue.count_lost(taken.lost, taken.unkept);
        for work in taken.work {
            match work {
                JournalWork::Write(item, waiter) => {
                    let opened = gate.open();
                    gate.pass(item, waiter, opened.is_ok());
                }
                // One that finds no room is not answered, and its waiter has a timeout.
                flush @ JournalWork::Flush(..) => drop(terms.queue.offer(flush)),
            }
        }
    }
    terms.queue.end();
}

/// Passes a record on in the caller's own thread. It comes back where that might wait for a disk, or overtake another.
pub(super) fn pass_here(
    terms: &JournalTerms,
    item: Box<Item>,
    waiter: Waiter,
) -> Result<(), (Box<Item>, Waiter)> {
    let Ok(mut state) = terms.passing.try_lock() else { return Err((item, waiter)) };
    let first = !std::mem::replace(&mut state.begun, true);
    let local = !state.mounts.get_or_insert_default().any_doubtful();
    // A command starts only on a record that will be found. The record of an end is queued for the database as well,
    // and the thread that writes it looks at the files itself.
    let found = || waiter.is_none() || state.watch.missing().is_none();
    let open = || if terms.intake.is_open() { found() } else { first };
    if !(local && terms.gate.is_idle() && open()) {
        return Err((item, waiter));
    }
    let places = JournalPaths { folder: terms.rules.folder.clone() };
    let mut gate = JournalGate { terms, places: &places, state: &mut state };
    let opened = !first || gate.open().is_ok();
    gate.pass(item, waiter, opened);
    Ok(())
}

struct JournalGate<'a> {
    terms: &'a JournalTerms,
    places: &'a JournalPaths,
    state: &'a mut GateState,
}

impl JournalGate<'_> {
    /// Passes a record on. Where the journal is required, its waiter is told by the database; but the intake comes
    /// first all the same: on a disk that hangs, a thread that touches the database's shared memory holds up the whole
    /// process, and one that writes to a file holds up itself.
    fn pass(&mut self, item: Box<Item>, waiter: Waiter, is_open: bool) {
        let (queue, intake) = (&self.terms.queue, &self.terms.intake);
        let (soon, late) = match self.terms.rules.need {
            JournalNeed::Wanted => (waiter, None),
            JournalNeed::Required => (None, waiter),
        };
        let refused = if is_open {
            intake.append(item, late, queue).err()
        } else {
            // Then the database says why.
            Some((item, late))
        };
        let Some((item, late)) = refused else {
            if let Some(waiter) = soon {
                // A waiter that gave up needs no answer.
                let _ = waiter.send(Ok(()));
            }
            return;
        };
        if let Err(JournalWork::Write(_, waiter)) = queue.offer(JournalWork::Write(item, soon.or(late))) {
            queue.count_lost(1, 0);
            if let Some(waiter) = waiter {
                let _ = waiter.send(Err("too many records wait to be written".to_owned()));
            }
        }
    }

    /// Opens the intake, or opens it again where it was removed.
    fn open(&mut self) -> io::Result<()> {
        let intake = &self.terms.intake;
        if intake.is_open() && self.state.watch.missing().is_none() {
            return Ok(());
        }
        if self.state.tried.is_some_and(|when| when.elapsed() < BETWEEN_TRIES) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        intake.give_up();
        let opened = self.open_now();
        self.state.tried = opened.is_err().then(Instant::now);
        opened
    }

    fn open_now(&mut self) -> io::Result<()> {
        let (folder, alive, mark) = (self.places.intake(), self.places.alive(), &self.terms.mark);
        // Held while the mark and the intake do not match.
        let mut held = self.terms.held();
        runward_os::private_folder(&self.places.folder)?;
        runward_os::private_folder(&folder)?;
        if !alive::is_alive(&alive, mark) {
            *held = None;
            *held = Some(AliveMark::set(&alive, mark)?);
        }
        let left = std::fs::read_dir(&folder)?.count();
        if left > MOST_LEFT {
            return Err(io::Error::other(format!("{left} processes left records that could not be written")));
        }
        self.terms.intake.open(&folder, mark)?;
        // Where a folder above it is another by now, this path leads to nothing or to another file.
        self.state.watch = JournalWatch::of([folder.join(mark).as_path()])?;
        Ok(())
    }
}
