//! Finished commands of one client, kept for reading: the newest few, and no more memory than stated.

use runward::{Ledger, Receipt, RunId};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Finished commands that are kept.
const COUNT: usize = 64;

/// Bytes of output that all of them together keep in memory.
const BYTES: usize = 32 * 1024 * 1024;

/// A finished command.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    /// The account of it.
    pub(crate) receipt: Arc<Receipt>,
    /// Its output, in memory and on disk.
    pub(crate) ledger: Arc<Ledger>,
}

impl Finished {
    fn weight(&self) -> usize {
        let kept = [&self.receipt.stdout.kept, &self.receipt.stderr.kept];
        kept.iter().map(|kept| kept.head.len() + kept.tail.len()).sum()
    }
}

/// The finished commands of one client, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Shelf(Mutex<VecDeque<Finished>>);

impl Shelf {
    /// Puts a finished command on the shelf; the oldest make room.
    pub(crate) fn put(&self, finished: Finished) {
        let mut all = self.open();
        all.push_back(finished);
        let mut weight: usize = all.iter().map(Finished::weight).sum();
        while all.len() > COUNT || (weight > BYTES && all.len() > 1) {
            weight -= all.pop_front().map_or(0, |oldest| oldest.weight());
        }
    }

    /// The command of that name.
    pub(crate) fn find(&self, id: &str) -> Option<Finished> {
        self.open().iter().find(|finished| finished.receipt.id.to_string() == id).cloned()
    }

    /// The names of all, newest first.
    pub(crate) fn ids(&self) -> Vec<RunId> {
        self.open().iter().rev().map(|finished| finished.receipt.id).collect()
    }

    /// A panic elsewhere leaves the shelf as it was: every change to it is a single step.
    fn open(&self) -> MutexGuard<'_, VecDeque<Finished>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
