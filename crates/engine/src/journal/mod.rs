//! The journal (SQLite): every command is recorded before it starts and when it ends.
//!
//! ```
//! use runward_engine::core::redact::Redactor;
//! use runward_engine::journal::{Filter, Journal, JournalNeed, JournalReader, JournalRules, Keep, Outputs};
//! use runward_engine::{CommandSpec, Engine, Policy};
//! use std::{sync::Arc, time::Duration};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # let state = tempfile::tempdir().unwrap();
//! let rules = JournalRules {
//!     folder: state.path().join("journal"),
//!     need: JournalNeed::Required,
//!     write_timeout: Duration::from_secs(5),
//!     keep: Keep { days: 90, bytes: 512 << 20 },
//!     outputs: Outputs::Kept,
//!     spool: None,
//!     tell: Arc::new(|sentence: &str| eprintln!("{sentence}")),
//! };
//! let folder = rules.folder.clone();
//! let journal = Journal::new(rules, Redactor::default());
//! let engine =
//!     Engine::builder().policy(Policy::allow_programs(["echo"])).journal(journal.clone()).build()?;
//! engine.run(CommandSpec::exec("echo").arg("hello")).await?;
//! journal.close();
//!
//! let reader = JournalReader::open(&folder, None).unwrap().unwrap();
//! assert_eq!(reader.list(&Filter::default()).unwrap().len(), 1);
//! # Ok::<(), runward_engine::Error>(())
//! # }).unwrap();
//! ```
//!
//! # Theory of operation
//!
//! The road hands a plan to `Journal::begin`, which masks its secrets and writes it as JSON. Two threads do everything
//! that a disk may hold up. One (`gate`) appends each record to the intake (`intake`), where being killed does not harm
//! it; a command waits for that at the last moment before anything starts, and for as long as the rules say. The other
//! (`writer`) has the only writing connection of this process and brings what waits into the chain, in one transaction
//! with the head. Where the journal is required, a command waits for that. The record of the end is not waited for,
//! and flushed when Runward ends.
//!
//! Records are chained: each one's hash covers the one before it (`chain`). Any number of processes append to one
//! journal (`store`). Live processes are known by a lock (`alive`), so a command without an end is found.
//!
//! May not delay a command beyond the rules' bound, and may not store values of variables or standard input.
//! Read first: [`JournalRecord`], then [`Journal`], then [`JournalReader`].

mod alive;
mod aside;
mod chain;
mod ending;
mod entry;
mod gate;
mod head;
mod intake;
mod leaving;
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
pub(crate) use entry::JournalEntry;
pub use leaving::{HookNote, ToldClient};
pub use read::{Filter, JournalReader, ReadError, RecordedCommand, Whole};
pub use recall::Recalled;
pub use record::{
    AskedRecord, Asker, BeginRecord, EndRecord, JournalRecord, JudgedRecord, LimitRecord, Millis,
    ObservedRecord, Opening, PrintedRecord, RefusedRecord, RunnerRecord, SCHEMA, Seal, Since, StoredRecord,
    TroubleRecord,
};
pub use retention::Keep;
pub use rules::{JournalNeed, JournalRules, LARGEST_OUTPUT, Outputs, TellOperator};
pub use summary::{RecordState, Summary};

use crate::attempt::Attempt;
use alive::AliveMark;
use gate::GateState;
use intake::Intake;
use noting::Scribe;
use queue::{AfterWriting, JournalQueue, JournalWork, Waiter};
use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::redact::Redactor;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use store::schema::JournalPaths;
use store::{Item, Store};
use tokio::sync::oneshot;

/// The journal of this process. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub struct Journal(Arc<JournalShared>);

#[derive(Debug)]
struct JournalShared {
    terms: Arc<JournalTerms>,
    /// The thread that writes the database is started with the first record and ends with the last sender. Whether it
    /// could be made: where not, records stay in the intake, and the next process to open the journal has them.
    writer: OnceLock<bool>,
    /// The thread before the intake is started when it is first needed. Why it could not be made: then waiters time out,
    /// and that is reported like any failure.
    gate: OnceLock<Result<(), String>>,
}

impl Drop for JournalShared {
    fn drop(&mut self) {
        match self.gate.get() {
            // It ends the queue once it has passed everything on.
            Some(Ok(())) => self.terms.gate.end(),
            _ => self.terms.queue.end(),
        }
    }
}

/// What the journal and its thread both know.
#[derive(Debug)]
struct JournalTerms {
    rules: JournalRules,
    redactor: Redactor,
    mark: String,
    /// Records for the intake, and then for the database.
    gate: JournalQueue,
    passing: Mutex<GateState>,
    queue: JournalQueue,
    intake: Intake,
    /// Held for as long as this process may write.
    alive: Mutex<Option<AliveMark>>,
    /// The database is opened before there is a record.
    ahead: AtomicBool,
}

impl JournalTerms {
    /// A panic elsewhere leaves it whole: every change to it is a single step.
    fn held(&self) -> MutexGuard<'_, Option<AliveMark>> {
        self.alive.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Brings in the records of killed processes, if any. What cannot be brought in now is left for the next writer.
pub fn mend(folder: &Path) {
    let places = JournalPaths { folder: folder.to_owned() };
    let nothing_left = alive::dead(&places.alive(), &places.intake()).is_empty();
    // Where a journal was removed, reading begins no other.
    if nothing_left && !read::is_older(&places) || read::is_gone(&places) {
        return;
    }
    let _ = Store::open(&places, MENDING).and_then(|mut store| store.look_back(writer::now()));
}

/// How long a reader waits for writers.
const MENDING: Duration = Duration::from_millis(500);

impl Journal {
    /// A journal that is kept by these rules. Nothing is opened before there is something to write.
    pub fn new(rules: JournalRules, redactor: Redactor) -> Self {
        let mark = uuid::Uuid::new_v4().to_string();
        let (gate, queue, intake) = (JournalQueue::prompt(), JournalQueue::default(), Intake::default());
        let (alive, passing) = (Mutex::default(), Mutex::default());
        let ahead = AtomicBool::new(false);
        let terms =
            Arc::new(JournalTerms { rules, redactor, mark, gate, passing, queue, intake, alive, ahead });
        Self(Arc::new(JournalShared { terms, writer: OnceLock::new(), gate: OnceLock::new() }))
    }

    /// Opens the database now, beside other work, for a process that runs one command: what comes of it is written at
    /// once. Other journals are opened with the first record, and records are gathered.
    pub(crate) fn open_ahead(&self) {
        self.0.terms.queue.expect_one_command();
        self.0.terms.ahead.store(true, Ordering::Relaxed);
        self.start();
    }

    /// How long a command waits for its first record.
    pub(crate) fn write_timeout(&self) -> Duration {
        self.0.terms.rules.write_timeout
    }

    /// Records a command that is about to start.
    pub(crate) fn begin(&self, plan: &ExecPlan) -> JournalEntry {
        JournalEntry::begin(self, plan)
    }

    /// Records a command that may not run, or could not be made ready.
    pub(crate) fn refused(&self, asked: &Attempt<'_>, view: &ErrorView) {
        let redactor = &self.0.terms.redactor;
        let more = asked.env.and_then(|env| redactor.also(env));
        let scribe = Scribe { at: writer::now(), redactor: more.as_ref().unwrap_or(redactor) };
        let id = asked.draft.map_or_else(|| uuid::Uuid::new_v4().to_string(), |draft| draft.id().to_string());
        self.send(Item::of(&scribe.refused(id, asked, view)));
    }

    /// Records that output of these runs is removed from the spool to make room.
    pub(crate) fn unspooled(&self, runs: Vec<String>) {
        self.send(Item::of(&JournalRecord::Unspooled { at: writer::now(), runs }));
    }

    /// Waits until everything is written, for as long as a command would wait, and closes the journal. It is opened
    /// again if there is more to write.
    pub fn close(&self) {
        let terms = &self.0.terms;
        // Nobody would answer.
        let unheard = match (self.0.gate.get(), self.0.writer.get()) {
            (Some(Err(why)), _) => Some(why.as_str()),
            (None, Some(false)) => Some(NO_THREAD),
            _ => None,
        };
        // Too late: the process that opens the journal next finds what is in the intake.
        let late = unheard.is_some()
            || self
                .ask(AfterWriting::Close)
                .is_some_and(|heard| heard.recv_timeout(terms.rules.write_timeout).is_err());
        let missing = terms.gate.unsafe_records() + terms.queue.unsafe_records();
        if late && missing > 0 {
            (terms.rules.tell)(&lost(missing, unheard.unwrap_or("the disk does not answer")));
        }
    }

    /// Waits until everything is written, however long that takes. A server must not: a disk may
    /// hang.
    pub fn flush(&self) {
        if let Some(heard) = self.ask(AfterWriting::GoOn) {
            let _ = heard.recv();
        }
    }

    fn ask(&self, then: AfterWriting) -> Option<Receiver<()>> {
        self.0.writer.get()?;
        let terms = &self.0.terms;
        let (told, heard) = sync_channel(1);
        // Behind everything that waits for the intake.
        let line = if self.0.gate.get().is_some() { &terms.gate } else { &terms.queue };
        line.send(JournalWork::Flush(told, then)).then_some(heard)
    }

    /// Sends a first record. Its waiter is told when it is safe from being killed; there is no waiter if there was
    /// no room for it.
    fn send_first(&self, item: Item) -> Option<oneshot::Receiver<Result<(), String>>> {
        self.start();
        let (told, first) = oneshot::channel();
        self.hand_on(item, Some(told)).then_some(first)
    }

    /// Sends a record without a waiter. One that finds no room is counted.
    fn send(&self, item: Item) {
        self.start();
        self.hand_on(item, None);
    }

    /// Says whether there was room for it.
    fn hand_on(&self, item: Item, waiter: Waiter) -> bool {
        let terms = &self.0.terms;
        gate::pass_here(terms, Box::new(item), waiter).map_or_else(
            |(item, waiter)| {
                self.0.gate.get_or_init(|| {
                    let made = spawn("intake", terms, gate::run);
                    made.map_err(|error| format!("{NO_THREAD}: {error}"))
                });
                terms.gate.send(JournalWork::Write(item, waiter))
            },
            |()| true,
        )
    }

    fn start(&self) {
        self.0.writer.get_or_init(|| spawn("journal", &self.0.terms, writer::run).is_ok());
    }
}

fn spawn(name: &str, terms: &Arc<JournalTerms>, run: fn(&JournalTerms)) -> std::io::Result<()> {
    let terms = Arc::clone(terms);
    std::thread::Builder::new().name(name.to_owned()).spawn(move || run(&terms)).map(drop)
}

/// Why nothing is written, where no thread could be made.
const NO_THREAD: &str = "no thread can be made to write them";

/// How lost records are reported.
fn lost(count: u64, because: &str) -> String {
    format!("{count} records of commands could not be written and are lost: {because}")
}
