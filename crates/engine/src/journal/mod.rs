//! The journal: every command is written down before it starts and when it ends.
//!
//! # Theory of operation
//!
//! The road hands a plan to `Journal::begin`, which masks its secrets and writes it as JSON. A thread has the only
//! writing connection of this process: it commits what waits in one transaction, tells whoever waits, and then moves the
//! head. The first command of a process waits for that, at the last moment before anything starts and for as long as the
//! rules say; so does every command where the journal is required. All others put their first record into the intake
//! (`intake`), where being killed does not harm it, and the thread brings it into the chain. The record of the end is
//! waited for by nobody, and flushed when Runward ends.
//!
//! Records are chained: each one's hash covers the one before it (`chain`). Any number of processes append to one
//! journal (`store`). Who is alive is known by a lock (`alive`), so a command that nobody ended is found.
//!
//! May not hold a command up beyond the rules' bound, and may not store values of variables or what a command reads.
//! Read first: [`Record`], then [`Journal`], then [`Reader`].

mod alive;
mod chain;
mod ending;
mod entry;
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
mod writer;

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

use intake::Intake;
use noting::Scribe;
use queue::{Queue, Then, Work};
use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::redact::Redactor;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};
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
        self.terms.queue.end();
    }
}

/// What the journal and its thread both know.
#[derive(Debug)]
struct Terms {
    rules: JournalRules,
    redactor: Redactor,
    mark: String,
    queue: Queue,
    intake: Intake,
    /// When the journal was made.
    made: Instant,
    /// Since when the thread is at one batch, by [`Terms::clock`]; 0 while it is at none.
    busy_since: AtomicU64,
}

impl Terms {
    /// Whether the disk has not answered for longer than a command would wait.
    fn is_stuck(&self) -> bool {
        let since = self.busy_since.load(Ordering::Relaxed);
        let bound = u64::try_from(self.rules.write_timeout.as_millis()).unwrap_or(u64::MAX);
        since > 0 && self.clock().saturating_sub(since) > bound
    }

    /// Milliseconds that nobody can set, and never 0.
    fn clock(&self) -> u64 {
        u64::try_from(self.made.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
    }
}

/// Brings in what killed processes left, if any did. What cannot be brought in now is left for whoever writes next.
pub fn mend(folder: &Path) {
    let places = Places { folder: folder.to_owned() };
    if alive::dead(&places.alive(), &places.intake()).is_empty() && !read::is_older(&places) {
        return;
    }
    let _ = Store::open(&places, MENDING).and_then(|mut store| store.look_back(writer::now()));
}

/// How long whoever only wants to look waits for others who write.
const MENDING: Duration = Duration::from_millis(500);

/// What became of a first record.
#[derive(Debug)]
enum First {
    /// It is where being killed does not harm it.
    Safe,
    /// It will be told when it is.
    Waited(oneshot::Receiver<Result<(), String>>),
    /// There was no room for it.
    NoRoom,
}

impl Journal {
    /// A journal that is kept by these rules. Nothing is opened before there is something to write.
    pub fn new(rules: JournalRules, redactor: Redactor) -> Self {
        let mark = uuid::Uuid::new_v4().to_string();
        let (queue, intake, busy_since) = (Queue::default(), Intake::default(), AtomicU64::new(0));
        let terms =
            Arc::new(Terms { rules, redactor, mark, queue, intake, made: Instant::now(), busy_since });
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
        self.send_last(Item::of(&scribe.refused(id, asked, view)));
    }

    /// Writes down that output of these runs is removed from the spool to make room.
    pub(crate) fn unspooled(&self, runs: Vec<String>) {
        self.send_last(Item::of(&Record::Unspooled { at: writer::now(), runs }));
    }

    /// Waits until everything is written, for as long as a command would wait, and closes the journal. It is opened
    /// again if there is more to write.
    pub fn close(&self) {
        if let Some(heard) = self.ask(Then::Close) {
            // Too late: whoever opens the journal next finds what is missing.
            let _ = heard.recv_timeout(self.0.terms.rules.write_timeout);
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
        let asked = self.0.started.is_completed() && self.0.terms.queue.send(Work::Flush(told, then));
        asked.then_some(heard)
    }

    /// Puts a first record where it is safe, or says that it has to be waited for.
    fn send_first(&self, item: Item) -> First {
        let terms = &self.0.terms;
        self.start();
        if terms.rules.need == Need::Wanted && !terms.is_stuck() {
            let appended = terms.intake.append(Box::new(item), &terms.queue);
            return appended.map_or_else(|item| self.send_waited(item), |()| First::Safe);
        }
        self.send_waited(Box::new(item))
    }

    fn send_waited(&self, item: Box<Item>) -> First {
        let (told, first) = oneshot::channel();
        let sent = self.0.terms.queue.send(Work::Write(item, Some(told)));
        if sent { First::Waited(first) } else { First::NoRoom }
    }

    /// Sends a last or only record. Nobody waits for it, but being killed a moment later should not undo it.
    fn send_last(&self, item: Item) {
        let terms = &self.0.terms;
        if terms.is_stuck() {
            return self.send(item);
        }
        if let Err(item) = terms.intake.append(Box::new(item), &terms.queue) {
            self.send(*item);
        }
    }

    /// Sends a record that nobody waits for. One that finds no room is counted.
    fn send(&self, item: Item) {
        self.start();
        self.0.terms.queue.send(Work::Write(Box::new(item), None));
    }

    fn start(&self) {
        self.0.started.call_once(|| start(&self.0.terms));
    }
}

/// Starts the thread. Where none can be had, what is sent is waited for in vain, and that is told like any failure.
fn start(terms: &Arc<Terms>) {
    let terms = Arc::clone(terms);
    let _ = std::thread::Builder::new().name("journal".to_owned()).spawn(move || writer::run(&terms));
}
