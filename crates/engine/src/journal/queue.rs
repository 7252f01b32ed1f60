//! Records on their way to the thread that writes.
//!
//! The race: whoever sends must not wake the thread for every record, and the thread must not sleep on one. So it says
//! under the lock whether it sleeps for good or only gathers for a moment; who finds it asleep wakes it, and who is
//! waited for wakes it always.
//!
//! Records that could not be written come back, before everything else, and are tried again after [`PAUSE`] or as soon
//! as somebody waits for something.

use super::store::Item;
use std::sync::mpsc::SyncSender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// What the thread is asked to do.
#[derive(Debug)]
pub(super) enum Work {
    /// Write this, and tell whoever waits.
    Write(Box<Item>, Option<oneshot::Sender<Result<(), String>>>),
    /// Say when everything before is written; close the journal if nobody will write soon.
    Flush(SyncSender<()>, Then),
}

/// What comes after everything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    Close,
}

/// Records that may wait for a disk that does not answer.
const ROOM: usize = 1024;

/// Records in one transaction, at most.
const BATCH: usize = 256;

/// How long records are gathered before they are written together, when nobody waits for any.
/// They are in the intake meanwhile.
const GATHER: Duration = Duration::from_millis(25);

/// How long records that could not be written wait before they are tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// The queue of one journal.
#[derive(Debug, Default)]
pub(super) struct Queue {
    line: Mutex<Line>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Line {
    work: Vec<Work>,
    /// Somebody waits for something in it.
    urgent: bool,
    /// The thread sleeps until it is woken.
    asleep: bool,
    /// Nobody will send anything any more.
    over: bool,
    /// Records came back.
    troubled: bool,
    /// Records that found no room.
    lost: u64,
}

/// What the thread takes.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) work: Vec<Work>,
    pub(super) lost: u64,
}

impl Queue {
    /// Sends work. False if there is no room for it; then it is counted.
    pub(super) fn send(&self, work: Work) -> bool {
        let sent = self.offer(work).is_ok();
        if !sent {
            self.lock().lost += 1;
        }
        sent
    }

    /// Sends work. It comes back if there is no room for it.
    pub(super) fn offer(&self, work: Work) -> Result<(), Work> {
        let mut line = self.lock();
        let waited_for = !matches!(work, Work::Write(_, None));
        if line.work.len() >= ROOM {
            return Err(work);
        }
        line.work.push(work);
        line.urgent |= waited_for;
        let wake = line.asleep || waited_for;
        line.asleep = false;
        drop(line);
        if wake {
            self.news.notify_one();
        }
        Ok(())
    }

    /// Puts records back that could not be written. Says how many found no room; once nobody sends anything any more,
    /// none does, because nobody would wait for them.
    pub(super) fn put_back(&self, items: Vec<Item>) -> u64 {
        let mut line = self.lock();
        line.troubled = true;
        let room = if line.over { 0 } else { ROOM.saturating_sub(line.work.len()) };
        let lost = items.len().saturating_sub(room);
        let again = items.into_iter().take(room).map(|item| Work::Write(Box::new(item), None));
        line.work.splice(0..0, again);
        lost as u64
    }

    /// Nobody will send anything any more.
    pub(super) fn end(&self) {
        self.lock().over = true;
        self.news.notify_one();
    }

    /// Waits for work, gathers a little more, and takes it. `None` once everything is done.
    pub(super) fn take(&self) -> Option<Taken> {
        let mut line = self.lock();
        while line.work.is_empty() && !line.over {
            line.asleep = true;
            line = self.news.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
        line.asleep = false;
        if line.work.is_empty() {
            return None;
        }
        let pause = if line.troubled { PAUSE } else { GATHER };
        let gathered = self.news.wait_timeout_while(line, pause, |line| {
            !line.urgent && !line.over && (line.troubled || line.work.len() < BATCH)
        });
        let (mut line, _) = gathered.unwrap_or_else(PoisonError::into_inner);
        // After trouble everything is taken: whoever waits behind what came back hears of it at once.
        let most = if std::mem::take(&mut line.troubled) { ROOM } else { BATCH };
        let rest = if line.work.len() > most { line.work.split_off(most) } else { Vec::new() };
        let work = std::mem::replace(&mut line.work, rest);
        line.urgent = line.work.iter().any(|work| !matches!(work, Work::Write(_, None)));
        Some(Taken { work, lost: std::mem::take(&mut line.lost) })
    }

    /// Whether no record waits.
    pub(super) fn is_empty(&self) -> bool {
        !self.lock().work.iter().any(|work| matches!(work, Work::Write(..)))
    }

    /// A panic elsewhere leaves the line as it was: every change to it is a single step.
    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
