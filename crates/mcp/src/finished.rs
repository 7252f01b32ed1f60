//! Finished commands of one client, kept for reading: the newest few, in bounded memory. Of older ones the
//! ids are kept, and the journal is asked for the rest.

use runward_engine::journal::{Journal, Recalled};
use runward_engine::{Ledger, Receipt, RunId};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Finished commands that are kept.
const COUNT: usize = 64;

/// Bytes of output that all of them together keep in memory.
const BYTES: usize = 32 * 1024 * 1024;

/// Ids of older ones that are kept.
const NAMES: usize = 4096;

/// A finished command.
#[derive(Debug, Clone)]
pub(crate) struct FinishedCommand {
    /// Its receipt.
    pub(crate) receipt: Arc<Receipt>,
    /// Its output, in memory and on disk.
    pub(crate) ledger: Arc<Ledger>,
}

impl FinishedCommand {
    fn weight(&self) -> usize {
        let kept = [&self.receipt.stdout.kept, &self.receipt.stderr.kept];
        kept.iter().map(|kept| kept.head.len() + kept.tail.len()).sum()
    }
}

/// The finished commands of one client, oldest first.
#[derive(Debug, Default)]
pub(crate) struct FinishedCommands {
    finished: Mutex<VecDeque<FinishedCommand>>,
    /// The ids of those that were dropped, oldest first.
    former: Mutex<VecDeque<RunId>>,
    /// The journal that has them.
    journal: OnceLock<Journal>,
}

/// What is kept of a finished command.
pub(crate) enum KnownCommand {
    /// Everything.
    Here(FinishedCommand),
    /// Its record in the journal.
    Recalled(Box<Recalled>),
}

impl FinishedCommands {
    /// Keeps a finished command; the oldest are dropped for it.
    pub(crate) fn put(&self, finished: FinishedCommand, journal: Option<&Journal>) {
        if let Some(journal) = journal {
            self.journal.get_or_init(|| journal.clone());
        }
        let mut all = self.open();
        all.push_back(finished);
        let mut weight: usize = all.iter().map(FinishedCommand::weight).sum();
        while all.len() > COUNT || (weight > BYTES && all.len() > 1) {
            let Some(oldest) = all.pop_front() else { break };
            weight -= oldest.weight();
            let mut former = self.former.lock().unwrap_or_else(PoisonError::into_inner);
            former.push_back(oldest.receipt.id);
            if former.len() > NAMES {
                former.pop_front();
            }
        }
    }

    /// The command with that id.
    pub(crate) async fn find(&self, id: &str) -> Option<KnownCommand> {
        let here = self.open().iter().find(|finished| finished.receipt.id.to_string() == id).cloned();
        if let Some(here) = here {
            return Some(KnownCommand::Here(here));
        }
        let journal = self.journal.get().filter(|_| self.made_room(id))?;
        let recalled = journal.recall(id).await.ok()??;
        Some(KnownCommand::Recalled(Box::new(recalled)))
    }

    /// Whether a command with this id was here once.
    fn made_room(&self, id: &str) -> bool {
        let former = self.former.lock().unwrap_or_else(PoisonError::into_inner);
        former.iter().any(|known| known.to_string() == id)
    }

    /// The ids of all, newest first.
    pub(crate) fn ids(&self) -> Vec<RunId> {
        self.open().iter().rev().map(|finished| finished.receipt.id).collect()
    }

    /// A panic elsewhere leaves the list whole: every change to it is a single step.
    fn open(&self) -> MutexGuard<'_, VecDeque<FinishedCommand>> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
