//! The journal: every command is written down before it starts and when it ends.
//!
//! # Theory of operation
//!
//! The road hands a plan to [`Journal::begin`], which masks its secrets, writes it as JSON and gives it to a thread that
//! has the only writing connection of this process. That thread commits what waits in one transaction, tells whoever
//! waits, and then moves the head. The road waits for its record at the last moment before anything starts, for as
//! long as the rules say. The record of the end is waited for by nobody, and flushed when Runward ends.
//!
//! Records are chained: each one's hash covers the one before it ([`chain`]). Any number of processes append to one
//! journal ([`store`]). Who is alive is known by a lock ([`alive`]), so a command that nobody ended is found.
//!
//! May not hold a command up beyond the rules' bound, and may not store values of variables or what a command reads.
//! Read first: [`Record`], then [`Journal`], then [`Reader`].

mod alive;
mod chain;
mod entry;
mod head;
mod noting;
pub mod read;
mod recall;
mod record;
mod retention;
mod rules;
mod store;
mod summary;
mod writer;

pub(crate) use entry::Entry;
pub(crate) use noting::Attempt;
pub use read::{Filter, Found, ReadError, Reader, Whole};
pub use recall::Recalled;
pub use record::{
    Asked, Asker, Begin, Ending, Limit, Millis, Printed, Record, Refused, Runner, SCHEMA, Seal, Trouble,
};
pub use retention::Keep;
pub use rules::{JournalRules, LARGEST_OUTPUT, Need, Outputs, Tell};
pub use summary::{State, Summary};

use noting::Scribe;
use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::redact::Redactor;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use store::Item;
use tokio::sync::oneshot;
use writer::{Then, Work};

/// Records that may wait for a disk that does not answer.
const ROOM: usize = 1024;

/// The journal of this process. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub struct Journal(Arc<Desk>);

#[derive(Debug)]
struct Desk {
    terms: Arc<Terms>,
    /// The way to the thread, which is started with the first record and ends when nobody can write any more.
    line: OnceLock<SyncSender<Work>>,
}

/// What the journal and its thread both know.
#[derive(Debug)]
struct Terms {
    rules: JournalRules,
    redactor: Redactor,
    mark: String,
    /// Records that found no room.
    overflow: AtomicU64,
}

/// Whether a record is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    Yes,
    No,
}

impl Journal {
    /// A journal that is kept by these rules. Nothing is opened before there is something to write.
    pub fn new(rules: JournalRules, redactor: Redactor) -> Self {
        let mark = uuid::Uuid::new_v4().to_string();
        let terms = Arc::new(Terms { rules, redactor, mark, overflow: AtomicU64::new(0) });
        Self(Arc::new(Desk { terms, line: OnceLock::new() }))
    }

    /// Writes down a command that is about to start.
    pub(crate) fn begin(&self, plan: &ExecPlan) -> Entry {
        Entry::begin(self, plan)
    }

    /// Writes down a command that may not run, or could not be made ready.
    pub(crate) fn refused(&self, asked: &Attempt<'_>, view: &ErrorView) {
        let scribe = Scribe { at: writer::now(), redactor: &self.0.terms.redactor };
        let id = asked.draft.map_or_else(|| uuid::Uuid::now_v7().to_string(), |draft| draft.id().to_string());
        self.send(Item::of(&scribe.refused(id, asked, view)), None);
    }

    /// Waits until everything is written, for as long as a command would wait, and closes the journal. It is opened
    /// again if there is more to write.
    pub fn close(&self) {
        let Some(line) = self.0.line.get() else { return };
        let (told, heard) = sync_channel(1);
        if line.try_send(Work::Flush(told, Then::Close)).is_ok() {
            // Too late is told by the gap that whoever writes next finds.
            let _ = heard.recv_timeout(self.0.terms.rules.write_timeout);
        }
    }

    /// Waits until everything is written. Blocks.
    pub fn flush(&self) {
        let Some(line) = self.0.line.get() else { return };
        let (told, heard) = sync_channel(1);
        if line.send(Work::Flush(told, Then::GoOn)).is_ok() {
            let _ = heard.recv();
        }
    }

    fn send(&self, item: Item, waiter: Option<oneshot::Sender<Result<(), String>>>) -> Sent {
        let line = self.0.line.get_or_init(|| start(&self.0.terms));
        match line.try_send(Work::Write(Box::new(item), waiter)) {
            Ok(()) => Sent::Yes,
            Err(_) => {
                self.0.terms.overflow.fetch_add(1, Ordering::Relaxed);
                Sent::No
            }
        }
    }
}

/// Starts the thread. Where none can be had, what is sent finds nobody, and that is told like any other failure.
fn start(terms: &Arc<Terms>) -> SyncSender<Work> {
    let (line, work) = sync_channel(ROOM);
    let terms = Arc::clone(terms);
    let _ = std::thread::Builder::new().name("journal".to_owned()).spawn(move || writer::run(&terms, &work));
    line
}
