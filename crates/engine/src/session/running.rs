//! Who is running, so that an engine can end them all.

use super::run::Order;
use runward_core::record::StopCause;
use std::collections::HashMap;
use std::future::Future;
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
    orders: HashMap<u64, mpsc::UnboundedSender<Order>>,
    /// Once set, whatever starts is stopped at once.
    closing: bool,
}

/// Takes its session out of the book when it ends, however it ends.
struct Guard {
    book: Arc<Book>,
    number: u64,
}

impl Running {
    /// Enters a session while its work goes on.
    pub(super) fn guard<F: Future>(
        &self,
        work: F,
        orders: mpsc::UnboundedSender<Order>,
    ) -> impl Future<Output = F::Output> + use<F> {
        let mut open = lock(&self.0.open);
        if open.closing {
            let _ = orders.send(Order::Stop(StopCause::Shutdown));
        }
        let number = open.next;
        open.next += 1;
        open.orders.insert(number, orders);
        drop(open);
        let guard = Guard { book: Arc::clone(&self.0), number };
        async move {
            let result = work.await;
            drop(guard);
            result
        }
    }

    /// Stops everything and waits until nothing is left.
    pub(crate) async fn end_all(&self) {
        {
            let mut open = lock(&self.0.open);
            open.closing = true;
            for orders in open.orders.values() {
                let _ = orders.send(Order::Stop(StopCause::Shutdown));
            }
        }
        loop {
            let emptied = self.0.emptied.notified();
            if lock(&self.0.open).orders.is_empty() {
                return;
            }
            emptied.await;
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut open = lock(&self.book.open);
        open.orders.remove(&self.number);
        if open.orders.is_empty() {
            self.book.emptied.notify_waiters();
        }
    }
}

/// A panic elsewhere leaves the book as it was: every change to it is a single step.
fn lock(open: &Mutex<Entries>) -> MutexGuard<'_, Entries> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}
