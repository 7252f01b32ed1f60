//! Wakes one task from another thread.
//!
//! The race: something happens between "is it there?" and "wake me". A task therefore listens first and looks
//! afterwards; the other thread rings after it has made it happen. A ring too many only costs a look.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

/// The task that wants to hear, if any.
#[derive(Debug, Default)]
pub(super) struct Ring(Mutex<Option<Waker>>);

impl Ring {
    /// From now on this task is woken.
    pub(super) fn listen(&self, cx: &Context<'_>) {
        let mut waker = self.lock();
        match waker.as_mut() {
            Some(known) => known.clone_from(cx.waker()),
            None => *waker = Some(cx.waker().clone()),
        }
    }

    /// Something may have happened.
    pub(super) fn ring(&self) {
        let waker = self.lock().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// A panic elsewhere leaves the waker as it was: every change to it is a single step.
    fn lock(&self) -> MutexGuard<'_, Option<Waker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
