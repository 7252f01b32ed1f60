//! Who is running or about to, so that an engine can end them all.
//!
//! The race: a command begins to run some time before we hear of it, and the engine may be told to end in between. So
//! a place is taken before anything is started, the end shuts the door first, and it waits for every place there is.

use super::run::Order;
use runward_core::record::StopCause;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc};

/// The sessions of one engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Running(Arc<Book>);

#[derive(Debug, Default)]
struct Book {
    open: Mutex<Entries>,
    emptied: Notify,
}

#[derive(Debug, Default)]
struct Entries {
    next: u64,
    /// Where each takes orders, once it runs.
    places: HashMap<u64, Option<mpsc::UnboundedSender<Order>>>,
    /// Once set, nothing is started any more.
    closing: bool,
}

/// One command's place, from before its start until nothing is left of it. Dropping it gives it up.
#[derive(Debug)]
pub(crate) struct Place {
    book: Arc<Book>,
    number: u64,
}

impl Running {
    /// Takes a place for a command that is about to be started. `None` once everything is being ended.
    pub(crate) fn enter(&self) -> Option<Place> {
        let mut open = lock(&self.0.open);
        if open.closing {
            return None;
        }
        let number = open.next;
        open.next += 1;
        open.places.insert(number, None);
        Some(Place { book: Arc::clone(&self.0), number })
    }

    /// Stops everything and waits until nothing is left.
    pub(crate) async fn end_all(&self) {
        {
            let mut open = lock(&self.0.open);
            open.closing = true;
            for orders in open.places.values().flatten() {
                let _ = orders.send(Order::Stop(StopCause::Shutdown));
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

impl Place {
    /// It runs, and takes orders here. The first one waits already if the end came before.
    pub(super) fn hear(&self, orders: &mpsc::UnboundedSender<Order>) {
        let mut open = lock(&self.book.open);
        if open.closing {
            let _ = orders.send(Order::Stop(StopCause::Shutdown));
        }
        open.places.insert(self.number, Some(orders.clone()));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = lock(&self.book.open);
        open.places.remove(&self.number);
        if open.places.is_empty() {
            self.book.emptied.notify_waiters();
        }
    }
}

/// A panic elsewhere leaves the book as it was: every change to it is a single step.
fn lock(open: &Mutex<Entries>) -> MutexGuard<'_, Entries> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}
