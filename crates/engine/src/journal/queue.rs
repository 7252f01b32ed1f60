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

/// Whoever waits for a record.
pub(super) type Waiter = Option<oneshot::Sender<Result<(), String>>>;

/// What the thread is asked to do.
#[derive(Debug)]
pub(super) enum Work {
    /// Write this, and tell whoever waits.
    Write(Box<Item>, Waiter),
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

/// Bytes of what commands printed that may wait with their records.
const ROOM_FOR_OUTPUT: usize = 64 << 20;

/// Records in one transaction, at most.
const BATCH: usize = 256;

/// How long records are gathered before they are written together, when nobody waits for any.
/// They are in the intake meanwhile.
const GATHER: Duration = Duration::from_millis(25);

/// How long records that could not be written wait before they are tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// The queue of one journal.
#[derive(Debug)]
pub(super) struct Queue {
    line: Mutex<Line>,
    news: Condvar,
    gather: Duration,
}

impl Default for Queue {
    fn default() -> Self {
        Self { line: Mutex::default(), news: Condvar::new(), gather: GATHER }
    }
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
    /// Bytes of what commands printed, of all records in it.
    output: usize,
    /// Commands whose output found no room.
    unkept: u64,
}

impl Line {
    /// Counts what a command printed, or drops it if there is too much: the record itself says how much it was.
    fn count(&mut self, work: &mut Work) {
        let Work::Write(item, _) = work else { return };
        let bytes = item.kept_bytes();
        if self.output + bytes > ROOM_FOR_OUTPUT {
            item.kept = None;
            self.unkept += 1;
        } else {
            self.output += bytes;
        }
    }
}

/// What became of records that could not be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PutBack {
    /// How many are nowhere.
    pub(super) lost: u64,
    /// Whether some are in the intake alone.
    pub(super) left: bool,
}

/// What the thread takes.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) work: Vec<Work>,
    pub(super) lost: u64,
    pub(super) unkept: u64,
}

impl Queue {
    /// A queue of which everything is taken at once.
    pub(super) fn prompt() -> Self {
        Self { gather: Duration::ZERO, ..Self::default() }
    }

    /// Counts records, and what commands printed, that found no room before they came here.
    pub(super) fn count_lost(&self, lost: u64, unkept: u64) {
        if lost + unkept > 0 {
            let mut line = self.lock();
            (line.lost, line.unkept) = (line.lost + lost, line.unkept + unkept);
        }
    }

    /// Records in it that are nowhere else, and those that found no room.
    pub(super) fn unsafe_records(&self) -> u64 {
        let line = self.lock();
        let only_here = |work: &&Work| matches!(work, Work::Write(item, _) if !item.safe);
        line.lost + line.work.iter().filter(only_here).count() as u64
    }

    /// Sends work. False if there is no room for it; then it is counted.
    pub(super) fn send(&self, work: Work) -> bool {
        let sent = self.offer(work).is_ok();
        if !sent {
            self.lock().lost += 1;
        }
        sent
    }

    /// Sends work. It comes back if there is no room for it.
    pub(super) fn offer(&self, mut work: Work) -> Result<(), Work> {
        let mut line = self.lock();
        let waited_for = !matches!(work, Work::Write(_, None));
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

    /// Puts records back that could not be written. Says how many found no room; once nobody sends anything any more,
    /// none does, because nobody would wait for them. Those that are in the intake are left there, and are not lost.
    pub(super) fn put_back(&self, items: Vec<Item>) -> PutBack {
        let mut line = self.lock();
        line.troubled = true;
        let room = if line.over { 0 } else { ROOM.saturating_sub(line.work.len()) };
        // At the end, what is in the intake is found by whoever opens the journal next.
        let over = line.over;
        let lost = items.iter().skip(room).filter(|item| !(over && item.safe)).count();
        let left = over && items.iter().skip(room).any(|item| item.safe);
        let mut again: Vec<Work> =
            items.into_iter().take(room).map(|item| Work::Write(Box::new(item), None)).collect();
        again.iter_mut().for_each(|work| line.count(work));
        line.work.splice(0..0, again);
        PutBack { lost: lost as u64, left }
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
        let pause = if line.troubled { PAUSE } else { self.gather };
        let gathered = self.news.wait_timeout_while(line, pause, |line| {
            !line.urgent && !line.over && (line.troubled || line.work.len() < BATCH)
        });
        let (mut line, _) = gathered.unwrap_or_else(PoisonError::into_inner);
        // After trouble everything is taken: whoever waits behind what came back hears of it at once.
        let most = if std::mem::take(&mut line.troubled) { ROOM } else { BATCH };
        let rest = if line.work.len() > most { line.work.split_off(most) } else { Vec::new() };
        let work = std::mem::replace(&mut line.work, rest);
        line.urgent = line.work.iter().any(|work| !matches!(work, Work::Write(_, None)));
        let output = |work: &Work| if let Work::Write(item, _) = work { item.kept_bytes() } else { 0 };
        line.output = line.work.iter().map(output).sum();
        Some(Taken { work, lost: std::mem::take(&mut line.lost), unkept: std::mem::take(&mut line.unkept) })
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

#[cfg(test)]
mod tests {
    use super::super::record::Record;
    use super::super::store::Kept;
    use super::*;

    fn item(printed: usize) -> Item {
        let mut item = Item::of(&Record::Gap { at: 1, missed: 1, because: "a test".to_owned() });
        item.kept = Some(Kept { stdout: Some(vec![0; printed]), ..Kept::default() });
        item
    }

    fn items(taken: Taken) -> Vec<Item> {
        let item = |work| match work {
            Work::Write(item, _) => Some(*item),
            Work::Flush(..) => None,
        };
        taken.work.into_iter().filter_map(item).collect()
    }

    #[test]
    fn output_that_finds_no_room_is_dropped_and_its_record_is_not() {
        let queue = Queue::default();
        for _ in 0..5 {
            assert!(queue.send(Work::Write(Box::new(item(ROOM_FOR_OUTPUT / 4)), None)));
        }
        let taken = queue.take().unwrap();
        assert_eq!((taken.work.len(), taken.lost, taken.unkept), (5, 0, 1));
        let back = items(taken);
        assert_eq!(back.iter().map(Item::kept_bytes).sum::<usize>(), ROOM_FOR_OUTPUT);
        // What came since counts as well.
        assert!(queue.send(Work::Write(Box::new(item(ROOM_FOR_OUTPUT / 2)), None)));
        assert_eq!(queue.put_back(back).lost, 0);
        queue.end();
        let taken = queue.take().unwrap();
        assert_eq!((taken.work.len(), taken.unkept), (6, 2));
    }

    #[test]
    fn records_that_come_back_are_first_and_counted_if_there_is_no_room() {
        let queue = Queue::default();
        for number in 0..ROOM {
            assert!(queue.send(Work::Write(Box::new(item(number)), None)));
        }
        let back = items(queue.take().unwrap());
        assert_eq!(queue.put_back(back).lost, 0);
        assert!(!queue.send(Work::Write(Box::new(item(1)), None)), "it is full again");
        let (told, _heard) = std::sync::mpsc::sync_channel(1);
        assert!(queue.offer(Work::Flush(told, Then::GoOn)).is_err());
        queue.end();
        let taken = queue.take().unwrap();
        assert_eq!((taken.work.len(), taken.lost), (ROOM, 1), "after trouble everything is taken");
        let back = items(taken);
        assert!(back.iter().map(Item::kept_bytes).eq(0..ROOM), "in the order in which they were sent");
        assert_eq!(queue.put_back(back).lost, ROOM as u64, "nobody would wait for them");
    }
}
