//! The limit on concurrent commands: so many run at one time, further ones wait in the order in which they came.
//!
//! # What waits and what does not
//!
//! A command that is run to its end takes a turn and gives it back when nothing is left of it. Waiting counts toward no
//! limit of the command, and is bounded by its own: a call takes the time limit twice at the most. A command that is
//! dropped while it waits leaves the queue, and the end of the engine empties it.
//!
//! A session that was started to be kept, and a child server of the gateway, last for as long as they are wanted. They
//! take no turn: their number is bounded elsewhere (the registry, the list of servers), and a command must not
//! wait for one of them to end. Nothing that takes a turn waits for another command of the same engine while it has it:
//! the commands inside a markdown agent run before the agent's own, which begins when they are over. A command that asks
//! its own server for another one is the exception; what it asks for waits no longer than its limit, so the two cannot
//! hold each other for ever.
//!
//! May not start anything.

use crate::Error;
use runward_core::render::duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many commands may run, and how many may wait to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnRules {
    pub(crate) running: usize,
    pub(crate) waiting: usize,
}

/// The default number of commands that may wait.
const WAITING: usize = 1024;

/// Open files that a process needs beside its commands.
const OWN_FILES: u64 = 32;

/// Open files that a running command takes of ours, its spool among them.
const FILES_EACH: u64 = 8;

/// Commands that run at one time for each processor, at the most.
const FOR_EACH_PROCESSOR: usize = 128;

impl Default for TurnRules {
    fn default() -> Self {
        Self { running: running_on_this_host(), waiting: WAITING }
    }
}

/// How many commands may run at one time, by the files that this process may open and by the processors.
pub(crate) fn running_on_this_host() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    room(runward_os::open_files_limit(), processors)
}

fn room(files: Option<u64>, processors: usize) -> usize {
    let by_files = files.map_or(u64::MAX, |files| files.saturating_sub(OWN_FILES) / FILES_EACH);
    let by_files = usize::try_from(by_files).unwrap_or(usize::MAX);
    by_files.min(processors.saturating_mul(FOR_EACH_PROCESSOR)).max(1)
}

/// Whether a command waits for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lining {
    /// It waits for its turn.
    Up,
    /// It lasts for as long as it is wanted, and takes no turn.
    Beside,
}

/// The turns of one engine. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    rules: TurnRules,
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// A turn. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct TurnHeld {
    _permit: Option<OwnedSemaphorePermit>,
    waited: Option<(Duration, usize)>,
}

impl TurnHeld {
    /// For a command that takes none.
    pub(crate) fn none() -> Self {
        Self { _permit: None, waited: None }
    }

    /// The receipt's sentence about a command that had to wait.
    pub(crate) fn note(&self) -> Option<String> {
        let (waited, running) = self.waited?;
        let waited = duration(waited);
        Some(format!(
            "it waited {waited} for its turn: {running} commands run at one time (`limits.running`)"
        ))
    }
}

/// The longest that a command without a time limit waits: as long as any time limit may be.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

impl Turns {
    pub(crate) fn new(rules: TurnRules) -> Self {
        let most = rules.running.clamp(1, Semaphore::MAX_PERMITS);
        Self { rules, free: Arc::new(Semaphore::new(most)), waiting: Arc::default() }
    }

    /// Waits for a turn, at most for as long as the command itself may take.
    pub(crate) async fn turn(&self, limit: Option<Duration>) -> Result<TurnHeld, Error> {
        use tokio::sync::TryAcquireError as Not;
        match Arc::clone(&self.free).try_acquire_owned() {
            Ok(permit) => return Ok(TurnHeld { _permit: Some(permit), waited: None }),
            Err(Not::Closed) => return Err(Error::Closing),
            Err(Not::NoPermits) => {}
        }
        let (running, begun) = (self.rules.running, Instant::now());
        let _waiting = self.stand_in_line()?;
        let limit = limit.unwrap_or(LONGEST_WAIT);
        let permit = tokio::time::timeout(limit, Arc::clone(&self.free).acquire_owned()).await;
        match permit {
            Ok(Ok(permit)) => {
                Ok(TurnHeld { _permit: Some(permit), waited: Some((begun.elapsed(), running)) })
            }
            Ok(Err(_)) => Err(Error::Closing),
            Err(_) => Err(Error::TurnLate { within: duration(limit), running }),
        }
    }

    /// A place in the queue. The semaphore keeps the order; this counts.
    fn stand_in_line(&self) -> Result<InLine, Error> {
        let most = self.rules.waiting;
        let one_more = |waiting: usize| (waiting < most).then_some(waiting + 1);
        match self.waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_more) {
            Ok(_) => Ok(InLine(Arc::clone(&self.waiting))),
            Err(waiting) => Err(Error::Crowded { running: self.rules.running, waiting }),
        }
    }

    /// No command gets a turn any more, and those that wait are told.
    pub(crate) fn close(&self) {
        self.free.close();
    }
}

/// One that waits.
struct InLine(Arc<AtomicUsize>);

impl Drop for InLine {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_files_or_few_processors_make_fewer_turns() {
        assert_eq!(room(Some(64), 2), 4);
        assert_eq!(room(Some(3), 2), 1);
        assert_eq!(room(Some(1024), 2), 124);
        assert_eq!(room(Some(20_000), 2), 256);
        assert_eq!(room(None, 1), 128);
    }

    #[tokio::test]
    async fn whoever_leaves_the_line_makes_room_in_it() {
        let turns = Turns::new(TurnRules { running: 1, waiting: 1 });
        let held = turns.turn(None).await.unwrap();
        for _ in 0..10 {
            let waiting = turns.turn(None);
            tokio::pin!(waiting);
            tokio::select! { biased; _ = &mut waiting => panic!("its turn"), () = std::future::ready(()) => {} }
            assert!(matches!(turns.turn(None).await, Err(Error::Crowded { running: 1, waiting: 1 })));
        }
        assert_eq!(turns.waiting.load(Ordering::Acquire), 0);
        drop(held);
        assert!(turns.turn(None).await.unwrap().note().is_none(), "nobody is in the way any more");
    }

    #[tokio::test]
    async fn turns_come_in_the_order_in_which_they_were_asked_for() {
        let turns = Turns::new(TurnRules { running: 1, waiting: 100 });
        let held = turns.turn(None).await.unwrap();
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let mut all = Vec::new();
        for number in 0..20 {
            let (turns, order) = (turns.clone(), Arc::clone(&order));
            all.push(tokio::spawn(async move {
                let turn = turns.turn(None).await.unwrap();
                order.lock().unwrap().push(number);
                assert!(turn.note().unwrap().contains("for its turn"));
            }));
            tokio::task::yield_now().await;
        }
        drop(held);
        for one in all {
            one.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }
}
