//! The queue of records for the thread that writes.
//!
//! The race: a sender must not wake the thread for every record, and the thread must not sleep on one. So it says
//! under the lock whether it sleeps for good or only gathers for a moment; a sender that finds it asleep wakes it, one
//! with a waiter wakes it always.
//!
//! Records that could not be written come back, before everything else, and are tried again after [`PAUSE`] or as soon
//! as a waiter comes.

use super::store::Item;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The waiter for a record.
pub(super) type Waiter = Option<oneshot::Sender<Result<(), String>>>;

/// What the thread is asked to do.
#[derive(Debug)]
pub(super) enum JournalWork {
    /// Write this, and tell its waiter.
    Write(Box<Item>, Waiter),
    /// Say when everything before is written; close the journal if there is no more to write soon.
    Flush(SyncSender<()>, AfterWriting),
}

/// What comes after everything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterWriting {
    GoOn,
    Close,
}

/// Records that may wait for a disk that does not answer.
const ROOM: usize = 1024;

/// Bytes of output that may wait with their records.
const ROOM_FOR_OUTPUT: usize = 64 << 20;

/// Records in one transaction, at most.
const BATCH: usize = 256;

/// How long records are gathered before they are written together, when none has a waiter.
/// They are in the intake meanwhile.
const GATHER: Duration = Duration::from_millis(100);

/// How long records that could not be written wait before they are tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// The queue of one journal.
#[derive(Debug)]
pub(super) struct JournalQueue {
    line: Mutex<QueueLine>,
    news: Condvar,
    gather: Duration,
    /// The end of a command is written at once: there will be no other.
    one_command: AtomicBool,
}

impl Default for JournalQueue {
    fn default() -> Self {
        let (line, one_command) = (Mutex::default(), AtomicBool::new(false));
        Self { line, news: Condvar::new(), gather: GATHER, one_command }
    }
}

#[derive(Debug, Default)]
struct QueueLine {
    work: Vec<JournalWork>,
    /// Something in it has a waiter.
    urgent: bool,
    /// The thread sleeps until it is woken.
    asleep: bool,
    /// The last sender is gone.
    over: bool,
    /// Records came back.
    troubled: bool,
    /// Records that found no room.
    lost: u64,
    /// Bytes of output, of all records in it.
    output: usize,
    /// Commands with output that found no room.
    unkept: u64,
}

impl QueueLine {
    /// Counts a command's output, or drops it if there is too much: the record itself says how much it was.
    fn count(&mut self, work: &mut JournalWork) {
        let JournalWork::Write(item, _) = work else { return };
        let bytes = item.kept_bytes();
        if self.output + bytes > ROOM_FOR_OUTPUT {
            item.kept = None;
            self.unkept += 1;
        } else {
            self.output += bytes;
        }
    }
}

/// What happened to records that could not be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PutBack {
    /// How many are lost.
    pub(super) lost: u64,
    /// Whether some are in the intake alone.
    pub(super) left: bool,
}

/// What the thread takes.
#[derive(Debug)]
pub(super) struct TakenWork {
    pub(super) work: Vec<JournalWork>,
    pub(super) lost: u64,
    pub(super) unkept: u64,
}

impl JournalQueue {
    /// A queue of which everything is taken at once. Its thread is made when it is first needed, and counts as asleep.
    pub(super) fn prompt() -> Self {
        let line = Mutex::new(QueueLine { asleep: true, ..QueueLine::default() });
        Self { line, gather: Duration::ZERO, ..Self::default() }
    }

    /// There will be one command: what comes of it is written at once.
    pub(super) fn expect_one_command(&self) {
        self.one_command.store(true, Ordering::Relaxed);
    }

    /// Counts records, and output, that found no room before they came here.
    pub(super) fn count_lost(&self, lost: u64, unkept: u64) {
        if lost + unkept > 0 {
            let mut line = self.lock();
            (line.lost, line.unkept) = (line.lost + lost, line.unkept + unkept);
        }
    }

    /// Records in it that are stored nowhere else, and those that found no room.
    pub(super) fn unsafe_records(&self) -> u64 {
        let line = self.lock();
        let only_here = |work: &&JournalWork| matches!(work, JournalWork::Write(item, _) if !item.safe);
        line.lost + line.work.iter().filter(only_here).count() as u64
    }

    /// Sends work. False if there is no room for it; then it is counted.
    pub(super) fn send(&self, work: JournalWork) -> bool {
        let sent = self.offer(work).is_ok();
        if !sent {
            self.lock().lost += 1;
        }
        sent
    }

    /// Sends work. It comes back if there is no room for it.
    pub(super) fn offer(&self, mut work: JournalWork) -> Result<(), JournalWork> {
        let mut line = self.lock();
        let last = |item: &Item| item.kind != "begin" && self.one_command.load(Ordering::Relaxed);
        let waited_for = match &work {
            JournalWork::Write(item, None) => last(item),
            _ => true,
        };
        if line.work.len() >= ROOM {
            return Err(work);
        }
        line.count(&mut work);
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

    /// Puts records back that could not be written. Gives how many found no room; once the last sender is gone,
    /// none does, because they would have no waiter. Those that are in the intake are left there, and are not lost.
    pub(super) fn put_back(&self, items: Vec<Item>) -> PutBack {
        let mut line = self.lock();
        line.troubled = true;
        let room = if line.over { 0 } else { ROOM.saturating_sub(line.work.len()) };
        // At the end, what is in the intake is found by the next process to open the journal.
        let over = line.over;
        let lost = items.iter().skip(room).filter(|item| !(over && item.safe)).count();
        let left = over && items.iter().skip(room).any(|item| item.safe);
        let mut again: Vec<JournalWork> =
            items.into_iter().take(room).map(|item| JournalWork::Write(Box::new(item), None)).collect();
        again.iter_mut().for_each(|work| line.count(work));
        line.work.splice(0..0, again);
        PutBack { lost: lost as u64, left }
    }

    /// The last sender is gone.
    pub(super) fn end(&self) {
        self.lock().over = true;
        self.news.notify_one();
    }

    /// Waits for work, gathers a little more, and takes it. `None` once everything is done.
    pub(super) fn take(&self) -> Option<TakenWork> {
        let mut line = self.lock();
        while line.work.is_empty() && !line.over {
            line.asleep = true;
            line = self.news.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
        line.asleep = false;
        if line.work.is_empty() {
            return None;
        }
        let pause = if line.troubled { PAUSE } else { self.gather };
        let gathered = self.news.wait_timeout_while(line, pause, |line| {
            !line.urgent && !line.over && (line.troubled || line.work.len() < BATCH)
        });
        let (mut line, _) = gathered.unwrap_or_else(PoisonError::into_inner);
        // After a failure everything is taken: a waiter behind what came back is told at once.
        let most = if std::mem::take(&mut line.troubled) { ROOM } else { BATCH };
        let rest = if line.work.len() > most { line.work.split_off(most) } else { Vec::new() };
        let work = std::mem::replace(&mut line.work, rest);
        line.urgent = line.work.iter().any(|work| !matches!(work, JournalWork::Write(_, None)));
        let output =
            |work: &JournalWork| if let JournalWork::Write(item, _) = work { item.kept_bytes() } else { 0 };
        line.output = line.work.iter().map(output).sum();
        Some(TakenWork {
            work,
            lost: std::mem::take(&mut line.lost),
            unkept: std::mem::take(&mut line.unkept),
        })
    }

    /// Whether its thread sleeps, with nothing to do.
    pub(super) fn is_idle(&self) -> bool {
        let line = self.lock();
        line.asleep && line.work.is_empty() && !line.over
    }

    /// Whether no record waits.
    pub(super) fn is_empty(&self) -> bool {
        !self.lock().work.iter().any(|work| matches!(work, JournalWork::Write(..)))
    }

    /// A panic elsewhere leaves the queue whole: every change to it is a single step.
    fn lock(&self) -> MutexGuard<'_, QueueLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::JournalRecord;
    use super::super::store::KeptPrint;
    use super::*;

    fn item(printed: usize) -> Item {
        let mut item = Item::of(&JournalRecord::Gap { at: 1, missed: 1, because: "a test".to_owned() });
        item.kept = Some(KeptPrint { stdout: Some(vec![0; printed]), ..KeptPrint::default() });
        item
    }

    fn items(taken: TakenWork) -> Vec<Item> {
        let item = |work| match work {
            JournalWork::Write(item, _) => Some(*item),
            JournalWork::Flush(..) => None,
        };
        taken.work.into_iter().filter_map(item).collect()
    }

    #[test]
    fn output_that_finds_no_room_is_dropped_and_its_record_is_not() {
        let queue = JournalQueue::default();
        for _ in 0..5 {
            assert!(queue.send(JournalWork::Write(Box::new(item(ROOM_FOR_OUTPUT / 4)), None)));
        }
        let taken = queue.take().unwrap();
        assert_eq!((taken.work.len(), taken.lost, taken.unkept), (5, 0, 1));
        let back = items(taken);
        assert_eq!(back.iter().map(Item::kept_bytes).sum::<usize>(), ROOM_FOR_OUTPUT);
        // What came since counts as well.
        assert!(queue.send(JournalWork::Write(Box::new(item(ROOM_FOR_OUTPUT / 2)), None)));
        assert_eq!(queue.put_back(back).lost, 0);
        queue.end();
        let taken = queue.take().unwrap();
        assert_eq!((taken.work.len(), taken.unkept), (6, 2));
    }

    #[test]
    fn records_that_come_back_are_first_and_counted_if_there_is_no_room() {
        let queue = JournalQueue::default();
        for number in 0..ROOM {
            assert!(queue.send(JournalWork::Write(Box::new(item(number)), None)));
        }
        let back = items(queue.take().unwrap());
        assert_eq!(queue.put_back(back).lost, 0);
        assert!(!queue.send(JournalWork::Write(Box::new(item(1)), None)), "it is full again");
        let (told, _heard) = std::sync::mpsc::sync_channel(1);
        assert!(queue.offer(JournalWork::Flush(told, AfterWriting::GoOn)).is_err());
        queue.end();
        let taken = queue.take().unwrap();
        assert_eq!((taken.work.len(), taken.lost), (ROOM, 1), "after trouble everything is taken");
        let back = items(taken);
        assert!(back.iter().map(Item::kept_bytes).eq(0..ROOM), "in the order in which they were sent");
        assert_eq!(queue.put_back(back).lost, ROOM as u64, "nobody would wait for them");
    }
}
