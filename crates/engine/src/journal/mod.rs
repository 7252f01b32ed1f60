//! The journal: every command is written down before it starts and when it ends.
//!
//! # Theory of operation
//!
//! The road hands a plan to `Journal::begin`, which masks its secrets and writes it as JSON. Two threads do everything
//! that a disk may hold up. One (`gate`) appends each record to the intake (`intake`), where being killed does not harm
//! it; a command waits for that at the last moment before anything starts, and for as long as the rules say. The other
//! (`writer`) has the only writing connection of this process and brings what waits into the chain, in one transaction
//! with the head. Where the journal is required, a command waits for that. The record of the end is waited for by
//! nobody, and flushed when Runward ends.
//!
//! Records are chained: each one's hash covers the one before it (`chain`). Any number of processes append to one
//! journal (`store`). Who is alive is known by a lock (`alive`), so a command that nobody ended is found.
//!
//! May not hold a command up beyond the rules' bound, and may not store values of variables or what a command reads.
//! Read first: [`Record`], then [`Journal`], then [`Reader`].

mod alive;
mod aside;
mod chain;
mod ending;
mod entry;
mod gate;
mod head;
mod intake;
mod noting;
mod queue;
pub mod read;
mod recall;
mod record;
mod retention;
mod rules;
mod store;
mod summary;
mod upkeep;
mod watch;
mod writer;

pub use aside::set_aside;
pub(crate) use entry::Entry;
pub(crate) use noting::Attempt;
pub use read::{Filter, Found, ReadError, Reader, Whole};
pub use recall::Recalled;
pub use record::{
    Asked, Asker, Begin, Ending, Limit, Millis, Opening, Printed, Record, Refused, Runner, SCHEMA, Seal,
    Since, SpoolPiece, Stored, Trouble,
};
pub use retention::Keep;
pub use rules::{JournalRules, LARGEST_OUTPUT, Need, Outputs, Tell};
pub use summary::{State, Summary};

use alive::Mark;
use intake::Intake;
use noting::Scribe;
use queue::{Queue, Then, Work};
use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::redact::Redactor;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;
use store::schema::Places;
use store::{Item, Store};
use tokio::sync::oneshot;

/// The journal of this process. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub struct Journal(Arc<Desk>);

#[derive(Debug)]
struct Desk {
    terms: Arc<Terms>,
    /// The thread is started with the first record and ends when nobody can write any more.
    started: Once,
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.terms.gate.end();
    }
}

/// What the journal and its thread both know.
#[derive(Debug)]
struct Terms {
    rules: JournalRules,
    redactor: Redactor,
    mark: String,
    /// Records on their way to the intake, and then to the database.
    gate: Queue,
    queue: Queue,
    intake: Intake,
    /// Held for as long as this process may write.
    alive: Mutex<Option<Mark>>,
}

impl Terms {
    /// A panic elsewhere leaves it as it was: every change to it is a single step.
    fn held(&self) -> MutexGuard<'_, Option<Mark>> {
        self.alive.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Brings in what killed processes left, if any did. What cannot be brought in now is left for whoever writes next.
pub fn mend(folder: &Path) {
    let places = Places { folder: folder.to_owned() };
    let nothing_left = alive::dead(&places.alive(), &places.intake()).is_empty();
    // Where a journal was taken away, looking begins no other.
    if nothing_left && !read::is_older(&places) || read::is_gone(&places) {
        return;
    }
    let _ = Store::open(&places, MENDING).and_then(|mut store| store.look_back(writer::now()));
}

/// How long whoever only wants to look waits for others who write.
const MENDING: Duration = Duration::from_millis(500);

impl Journal {
    /// A journal that is kept by these rules. Nothing is opened before there is something to write.
    pub fn new(rules: JournalRules, redactor: Redactor) -> Self {
        let mark = uuid::Uuid::new_v4().to_string();
        let (gate, queue, intake) = (Queue::prompt(), Queue::default(), Intake::default());
        let alive = Mutex::default();
        let terms = Arc::new(Terms { rules, redactor, mark, gate, queue, intake, alive });
        Self(Arc::new(Desk { terms, started: Once::new() }))
    }

    /// Writes down a command that is about to start.
    pub(crate) fn begin(&self, plan: &ExecPlan) -> Entry {
        Entry::begin(self, plan)
    }

    /// Writes down a command that may not run, or could not be made ready.
    pub(crate) fn refused(&self, asked: &Attempt<'_>, view: &ErrorView) {
        let redactor = &self.0.terms.redactor;
        let more = asked.env.and_then(|env| redactor.also(env));
        let scribe = Scribe { at: writer::now(), redactor: more.as_ref().unwrap_or(redactor) };
        let id = asked.draft.map_or_else(|| uuid::Uuid::now_v7().to_string(), |draft| draft.id().to_string());
        self.send(Item::of(&scribe.refused(id, asked, view)));
    }

    /// Writes down that output of these runs is removed from the spool to make room.
    pub(crate) fn unspooled(&self, runs: Vec<String>) {
        self.send(Item::of(&Record::Unspooled { at: writer::now(), runs }));
    }

    /// Waits until everything is written, for as long as a command would wait, and closes the journal. It is opened
    /// again if there is more to write.
    pub fn close(&self) {
        let terms = &self.0.terms;
        let late = self.ask(Then::Close).is_some_and(|heard| {
            // Too late: whoever opens the journal next finds what is in the intake.
            heard.recv_timeout(terms.rules.write_timeout).is_err()
        });
        let missing = terms.gate.unsafe_records() + terms.queue.unsafe_records();
        if late && missing > 0 {
            (terms.rules.tell)(&lost(missing, "the disk does not answer"));
        }
    }

    /// Waits until everything is written, however long that takes. Whoever has to answer somebody must not: a disk may
    /// hang.
    pub fn flush(&self) {
        if let Some(heard) = self.ask(Then::GoOn) {
            let _ = heard.recv();
        }
    }

    fn ask(&self, then: Then) -> Option<Receiver<()>> {
        let (told, heard) = sync_channel(1);
        let asked = self.0.started.is_completed() && self.0.terms.gate.send(Work::Flush(told, then));
        asked.then_some(heard)
    }

    /// Sends a first record. Whoever waits is told when it is where being killed does not harm it; nobody, if there was
    /// no room for it.
    fn send_first(&self, item: Item) -> Option<oneshot::Receiver<Result<(), String>>> {
        self.start();
        let (told, first) = oneshot::channel();
        self.0.terms.gate.send(Work::Write(Box::new(item), Some(told))).then_some(first)
    }

    /// Sends a record that nobody waits for. One that finds no room is counted.
    fn send(&self, item: Item) {
        self.start();
        self.0.terms.gate.send(Work::Write(Box::new(item), None));
    }

    fn start(&self) {
        self.0.started.call_once(|| start(&self.0.terms));
    }
}

/// Starts the threads. Where none can be had, what is sent is waited for in vain, and that is told like any failure.
fn start(terms: &Arc<Terms>) {
    for (name, run) in [("intake", gate::run as fn(&Terms)), ("journal", writer::run)] {
        let terms = Arc::clone(terms);
        let _ = std::thread::Builder::new().name(name.to_owned()).spawn(move || run(&terms));
    }
}

/// How records that are lost are told.
fn lost(count: u64, because: &str) -> String {
    format!("{count} records of commands could not be written and are lost: {because}")
}
