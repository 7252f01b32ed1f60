//! The thread that appends to the intake, so that nobody who starts, limits or ends a command ever waits for a disk.
//!
//! A record passes from here into the intake's file and into the queue of the thread that writes the database; whoever
//! waits for it is told as soon as it is in the file. The intake comes first and the database after: a journal that
//! somebody holds, or that is damaged, costs no record.
//!
//! May not wait for the database.

use super::Terms;
use super::alive::{self, Mark};
use super::queue::{Waiter, Work};
use super::rules::Need;
use super::store::Item;
use super::store::schema::Places;
use super::watch::Watch;
use super::writer::BETWEEN_TRIES;
use std::io;
use std::time::Instant;

/// Files of others that may wait in the intake: each process that could not write leaves one.
const MOST_LEFT: usize = 4096;

/// Passes records on until nobody can ask for anything any more.
pub(super) fn run(terms: &Terms) {
    let places = Places { folder: terms.rules.folder.clone() };
    let mut gate = Gate { terms, places, watch: Watch::default(), tried: None };
    while let Some(taken) = terms.gate.take() {
        terms.queue.count_lost(taken.lost, taken.unkept);
        for work in taken.work {
            match work {
                Work::Write(item, waiter) => gate.pass(item, waiter),
                // One that finds no room is not answered, and whoever waits knows how long to.
                flush @ Work::Flush(..) => drop(terms.queue.offer(flush)),
            }
        }
    }
    terms.queue.end();
}

struct Gate<'a> {
    terms: &'a Terms,
    places: Places,
    watch: Watch,
    tried: Option<Instant>,
}

impl Gate<'_> {
    /// Passes a record on. Where the journal is required, whoever waits is told by the database; but the intake comes
    /// first all the same: on a disk that hangs, a thread that touches the database's shared memory holds up the whole
    /// process, and one that writes to a file holds up itself.
    fn pass(&mut self, item: Box<Item>, waiter: Waiter) {
        let (queue, intake) = (&self.terms.queue, &self.terms.intake);
        let (soon, late) = match self.terms.rules.need {
            Need::Wanted => (waiter, None),
            Need::Required => (None, waiter),
        };
        let refused = match self.open() {
            Ok(()) => intake.append(item, late, queue).err(),
            // Then the database says why.
            Err(_) => Some((item, late)),
        };
        let Some((item, late)) = refused else {
            if let Some(waiter) = soon {
                // Whoever gave up waiting needs no answer.
                let _ = waiter.send(Ok(()));
            }
            return;
        };
        if let Err(Work::Write(_, waiter)) = queue.offer(Work::Write(item, soon.or(late))) {
            queue.count_lost(1, 0);
            if let Some(waiter) = waiter {
                let _ = waiter.send(Err("too many records wait to be written".to_owned()));
            }
        }
    }

    /// Opens the intake, or opens it anew where it was taken away.
    fn open(&mut self) -> io::Result<()> {
        let intake = &self.terms.intake;
        if intake.is_open() && self.watch.missing().is_none() {
            return Ok(());
        }
        if self.tried.is_some_and(|when| when.elapsed() < BETWEEN_TRIES) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        intake.give_up();
        let opened = self.open_now();
        self.tried = opened.is_err().then(Instant::now);
        opened
    }

    fn open_now(&mut self) -> io::Result<()> {
        let (folder, alive, mark) = (self.places.intake(), self.places.alive(), &self.terms.mark);
        // Held for as long as the mark and the intake do not belong together.
        let mut held = self.terms.held();
        runward_os::private_folder(&self.places.folder)?;
        runward_os::private_folder(&folder)?;
        if !alive::is_alive(&alive, mark) {
            *held = None;
            *held = Some(Mark::set(&alive, mark)?);
        }
        let left = std::fs::read_dir(&folder)?.count();
        if left > MOST_LEFT {
            return Err(io::Error::other(format!("{left} processes left records that nobody could write")));
        }
        self.terms.intake.open(&folder, mark)?;
        self.watch = Watch::of([self.places.folder.as_path(), &folder.join(mark)])?;
        Ok(())
    }
}
