//! Back-pressure of the spool: how much is queued for the disk, and whether the disk makes progress.
//!
//! The race: a waiter for room must not miss that some came, so it registers before it looks. And it must not
//! wait again because something else woke it, so what counts is when the disk last made progress.

use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

/// The queue to the disk, of all commands of an engine.
#[derive(Debug)]
pub(crate) struct SpoolFlow {
    state: Mutex<FlowState>,
    news: Notify,
    wait: Duration,
}

#[derive(Debug)]
struct FlowState {
    /// Work that was sent and is not done yet, and how many bytes are in it.
    works: usize,
    bytes: usize,
    /// When something was last done, or the first work came that is not done yet.
    moved: Instant,
    /// The disk was given up, and made no progress since.
    stalled: bool,
}

/// No progress for as long as the rules say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stalled;

impl SpoolFlow {
    pub(super) fn new(wait: Duration) -> Self {
        let state = FlowState { works: 0, bytes: 0, moved: Instant::now(), stalled: false };
        Self { state: Mutex::new(state), news: Notify::new(), wait }
    }

    /// How long a disk without progress is waited for.
    pub(crate) fn wait(&self) -> Duration {
        self.wait
    }

    /// Work is queued.
    pub(super) fn sent(&self, bytes: usize) {
        let mut state = self.state();
        if state.works == 0 {
            state.moved = Instant::now();
        }
        state.works += 1;
        state.bytes += bytes;
    }

    /// It is done.
    pub(super) fn did(&self, bytes: usize) {
        let mut state = self.state();
        state.works = state.works.saturating_sub(1);
        state.bytes = state.bytes.saturating_sub(bytes);
        (state.moved, state.stalled) = (Instant::now(), false);
        drop(state);
        self.news.notify_waiters();
    }

    /// Whether output should be left in the pipe for now.
    pub(super) fn is_full(&self) -> bool {
        self.state().bytes > super::AHEAD
    }

    /// Whether the disk was given up, and made no progress since.
    pub(super) fn is_stalled(&self) -> bool {
        self.state().stalled
    }

    /// Waits until there is room. A disk without progress is given up.
    pub(crate) async fn room(&self) -> Result<(), Stalled> {
        let room = async {
            loop {
                let mut told = pin!(self.news.notified());
                told.as_mut().enable();
                if !self.is_full() {
                    return;
                }
                told.await;
            }
        };
        self.while_it_moves(room, self.wait).await
    }

    /// Waits for an answer of the thread, as long as there is progress, and at most so long without any.
    pub(crate) async fn answer<T>(&self, answer: oneshot::Receiver<T>, most: Duration) -> Result<T, Stalled> {
        self.while_it_moves(answer, self.wait.min(most)).await?.map_err(|_| Stalled)
    }

    async fn while_it_moves<T>(&self, wanted: impl Future<Output = T>, wait: Duration) -> Result<T, Stalled> {
        let mut wanted = pin!(wanted);
        loop {
            let moved = self.state().moved;
            let until = if self.is_stalled() { moved } else { moved + wait };
            tokio::select! {
                biased;
                got = &mut wanted => return Ok(got),
                () = tokio::time::sleep_until(until.into()) => {}
            }
            let mut state = self.state();
            if state.moved == moved {
                state.stalled = true;
                return Err(Stalled);
            }
        }
    }

    /// A panic elsewhere leaves it whole: every change to it is a single step.
    fn state(&self) -> MutexGuard<'_, FlowState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(3600);

    #[tokio::test]
    async fn a_disk_on_which_nothing_moves_is_given_up_and_the_next_does_not_wait() {
        let flow = SpoolFlow::new(SHORT);
        flow.sent(super::super::AHEAD + 1);
        assert_eq!(flow.room().await, Err(Stalled));
        assert!(flow.is_stalled());
        let flow = SpoolFlow { wait: LONG, ..flow };
        assert_eq!(flow.room().await, Err(Stalled), "known already");
        flow.did(1);
        assert!(!flow.is_stalled() && !flow.is_full());
        assert_eq!(flow.room().await, Ok(()));
    }

    #[tokio::test]
    async fn whoever_waits_for_room_gets_it() {
        let flow = SpoolFlow::new(LONG);
        flow.sent(super::super::AHEAD + 1);
        let (room, ()) = tokio::join!(flow.room(), async {
            tokio::task::yield_now().await;
            flow.did(1);
        });
        assert_eq!(room, Ok(()));
    }

    #[tokio::test]
    async fn being_woken_for_something_else_does_not_make_the_wait_longer() {
        let flow = SpoolFlow::new(SHORT);
        flow.sent(super::super::AHEAD + 1);
        let begun = Instant::now();
        let given_up = async {
            loop {
                tokio::select! {
                    biased;
                    room = flow.room() => return room,
                    () = tokio::time::sleep(SHORT / 5) => {}
                }
            }
        };
        assert_eq!(tokio::time::timeout(testkit::LIMIT, given_up).await, Ok(Err(Stalled)));
        assert!(begun.elapsed() >= SHORT);
    }
}
