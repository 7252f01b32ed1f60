//! Back-pressure: how much is in progress on one connection, and whether more of it is read.
//!
//! A message is in progress until it was handled: it carries a ticket, which counts for as long as it lives,
//! whatever becomes of the request. May not know what is asked.

use runward_engine::config::ServerBounds;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Notify, watch};

/// Messages in progress that need no waiting. They are done as soon as they get their turn, so this is the most that
/// are read before others get theirs.
const PASSING: usize = 64;

/// All requests under way may be this many times as large as one.
const TOGETHER: usize = 2;

/// A request beyond this size has its memory returned to the host when it is done.
const LARGE: usize = 1024 * 1024;

/// The counts of one connection.
#[derive(Debug)]
pub(crate) struct Traffic {
    bounds: ServerBounds,
    calls: AtomicUsize,
    /// Bytes of the requests that are calls.
    bytes: AtomicUsize,
    passing: AtomicUsize,
    /// Bytes of answers that wait to be written.
    unwritten: AtomicUsize,
    eased: Notify,
    reading: watch::Sender<bool>,
}

/// What a message is counted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// A request that takes its time, and how large it is.
    Call(usize),
    /// What is done at once.
    Passing,
}

/// A place among what is in progress, given back when it is dropped.
#[derive(Debug, Clone)]
pub(super) struct Ticket(#[expect(dead_code, reason = "it counts while it is held")] Arc<Taken>);

#[derive(Debug)]
struct Taken(Arc<Traffic>, Counted);

impl Drop for Taken {
    fn drop(&mut self) {
        let Taken(traffic, counted) = self;
        match counted {
            Counted::Call(bytes) => {
                traffic.calls.fetch_sub(1, Ordering::SeqCst);
                traffic.bytes.fetch_sub(*bytes, Ordering::SeqCst);
                if *bytes > LARGE {
                    runward_engine::host::give_back_memory();
                }
            }
            Counted::Passing => {
                traffic.passing.fetch_sub(1, Ordering::SeqCst);
            }
        }
        traffic.eased.notify_one();
    }
}

impl Traffic {
    pub(crate) fn new(bounds: ServerBounds) -> Arc<Self> {
        let (reading, _) = watch::channel(true);
        let none = AtomicUsize::default;
        Arc::new(Self {
            bounds,
            calls: none(),
            bytes: none(),
            passing: none(),
            unwritten: none(),
            eased: Notify::new(),
            reading,
        })
    }

    pub(super) fn bounds(&self) -> &ServerBounds {
        &self.bounds
    }

    pub(super) fn ticket(self: &Arc<Self>, counted: Counted) -> Ticket {
        match counted {
            Counted::Call(bytes) => {
                self.calls.fetch_add(1, Ordering::SeqCst);
                self.bytes.fetch_add(bytes, Ordering::SeqCst);
            }
            Counted::Passing => {
                self.passing.fetch_add(1, Ordering::SeqCst);
            }
        }
        Ticket(Arc::new(Taken(Arc::clone(self), counted)))
    }

    /// Whether a request of this size can be begun now.
    pub(super) fn has_room_for(&self, bytes: usize) -> bool {
        let calls = self.calls.load(Ordering::SeqCst);
        let together = self.bytes.load(Ordering::SeqCst).saturating_add(bytes);
        let fits = calls == 0 || together <= self.bounds.request_bytes.saturating_mul(TOGETHER);
        calls < self.bounds.requests && fits && !self.is_choked()
    }

    /// Whether nothing is read until something was written or done.
    pub(super) fn is_choked(&self) -> bool {
        self.is_unheard() || self.passing.load(Ordering::SeqCst) >= PASSING
    }

    /// Whether the client has to read its answers before it is read again.
    pub(super) fn is_unheard(&self) -> bool {
        self.unwritten.load(Ordering::SeqCst) > self.bounds.answers_bytes
    }

    /// How many bytes wait to be written now.
    pub(super) fn set_unwritten(&self, bytes: usize) {
        let before = self.unwritten.swap(bytes, Ordering::SeqCst);
        if bytes < before {
            self.eased.notify_one();
        }
    }

    /// Waits until something was written or done. A look, and then this wait, misses nothing.
    pub(super) async fn eased(&self) {
        self.eased.notified().await;
    }

    /// Says whether anything is read, now or in a moment.
    pub(super) fn set_reading(&self, reads: bool) {
        self.reading.send_if_modified(|reading| std::mem::replace(reading, reads) != reads);
    }

    /// Waits until nothing is read, or until it is again.
    pub(crate) async fn reading_is(&self, reads: bool) {
        // The sender is ours, so it cannot be gone.
        let _ = self.reading.subscribe().wait_for(|reading| *reading == reads).await;
    }
}
