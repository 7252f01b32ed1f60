//! The commands that run or are about to, so that an engine can stop them all.
//!
//! The race: a command begins to run some time before its session exists, and the engine may be ended in between. So
//! a place is taken before anything is started, shutdown closes the entrance first, and it waits for every place.

use super::run::SessionOrder;
use super::turns::{TurnHeld, TurnRules, Turns};
use crate::Error;
use runward_core::record::StopCause;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc};

/// The sessions of one engine.
#[derive(Debug, Clone)]
pub(crate) struct Running(Arc<RunningBook>, Turns);

#[derive(Debug, Default)]
struct RunningBook {
    open: Mutex<RunningEntries>,
    emptied: Notify,
}

#[derive(Debug, Default)]
struct RunningEntries {
    next: u64,
    /// Where each takes orders, once it runs.
    places: HashMap<u64, Option<mpsc::UnboundedSender<SessionOrder>>>,
    /// Once set, nothing is started any more.
    closing: bool,
}

/// One command's place, from before its start until nothing is left of it. Dropping it gives it up.
#[derive(Debug)]
pub(crate) struct RunningPlace {
    book: Arc<RunningBook>,
    number: u64,
    turn: TurnHeld,
}

impl Running {
    pub(crate) fn new(rules: TurnRules) -> Self {
        Self(Arc::default(), Turns::new(rules))
    }

    /// Its turn.
    pub(crate) fn turns(&self) -> &Turns {
        &self.1
    }

    /// Takes a place for a command that is about to be started, with its turn. None once everything is being ended.
    pub(crate) fn enter(&self, turn: TurnHeld) -> Result<RunningPlace, Error> {
        let mut open = lock(&self.0.open);
        if open.closing {
            return Err(Error::Closing);
        }
        let number = open.next;
        open.next += 1;
        open.places.insert(number, None);
        Ok(RunningPlace { book: Arc::clone(&self.0), number, turn })
    }

    /// Stops everything, refuses those that wait for a turn, and waits until nothing is left.
    pub(crate) async fn end_all(&self) {
        self.1.close();
        {
            let mut open = lock(&self.0.open);
            open.closing = true;
            for orders in open.places.values().flatten() {
                let _ = orders.send(SessionOrder::Stop(StopCause::Shutdown));
            }
        }
        loop {
            let emptied = self.0.emptied.notified();
            if lock(&self.0.open).places.is_empty() {
                return;
            }
            emptied.await;
        }
    }
}

impl RunningPlace {
    /// The receipt's sentence about the wait for its turn.
    pub(super) fn note(&self) -> Option<String> {
        self.turn.note()
    }

    /// It runs, and takes orders here. The first one waits already if the end came before.
    pub(super) fn hear(&self, orders: &mpsc::UnboundedSender<SessionOrder>) {
        let mut open = lock(&self.book.open);
        if open.closing {
            let _ = orders.send(SessionOrder::Stop(StopCause::Shutdown));
        }
        open.places.insert(self.number, Some(orders.clone()));
    }
}

impl Drop for RunningPlace {
    fn drop(&mut self) {
        let mut open = lock(&self.book.open);
        open.places.remove(&self.number);
        if open.places.is_empty() {
            self.book.emptied.notify_waiters();
        }
    }
}

/// A panic elsewhere leaves it whole: every change to it is a single step.
fn lock(open: &Mutex<RunningEntries>) -> MutexGuard<'_, RunningEntries> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}
