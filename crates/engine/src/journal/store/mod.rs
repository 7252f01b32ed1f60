//! The journal on disk: appended to in one transaction at a time, by any number of processes.
//!
//! The race: two processes append at once. `BEGIN IMMEDIATE` lets one in at a time, and that one reads the last
//! link again before adding to it. May not decide what is recorded.
//! Read first: [`Store`].

mod item;
pub(super) mod lines;
mod prune;
pub(super) mod schema;
pub(super) mod seek;
mod tip;

use super::alive;
use super::ending::{EndFound, judge_end};
use super::head::{HeadFile, HeadPair, JournalHead};
use super::intake;
use super::record::{JournalRecord, Millis, Opening, Since};
use super::writer::now;
use runward_core::render::word;
use rusqlite::{Connection, OptionalExtension};
use schema::{JournalPaths, outside, told};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::time::Duration;
use tip::Tip;

pub(super) use item::{Item, KeptPrint, digest};
pub(super) use prune::Dropped;

/// A journal that is open for writing.
#[derive(Debug)]
pub(super) struct Store {
    connection: Connection,
    head: HeadFile,
    places: JournalPaths,
    /// Where the commands of this process that still run begin.
    open: HashMap<String, i64>,
    /// The last record that was there before the first of this process.
    before: Option<u64>,
    /// The last record of a journal that stood here before, and was removed.
    follows: Option<JournalHead>,
    /// The last record that is known.
    last: JournalHead,
    /// What was not as it was left, until it is reported.
    harm: Option<String>,
    patience: Duration,
}

/// How long truncating the write-ahead log waits for readers.
const FOR_READERS: Duration = Duration::from_millis(50);

/// A shorter write-ahead log is left to whoever makes it longer.
const LONG_LOG: u64 = 256 << 10;

/// What dead processes left.
struct LeftRecords {
    dead: Vec<String>,
    /// Processes with an intake that cannot be read. One that can read it brings it in; until then it stays theirs.
    unread: Vec<String>,
    records: Vec<JournalRecord<'static>>,
}

impl Store {
    /// Opens it, and makes it if it is not there. A process that begins commands in it has set a mark.
    pub(super) fn open(places: &JournalPaths, patience: Duration) -> io::Result<Self> {
        let connection = schema::to_write(places, patience)?;
        let head = HeadFile::open(&places.head())?;
        let (places, open) = (places.clone(), HashMap::new());
        let mut store = Self {
            connection,
            head,
            places,
            open,
            before: None,
            follows: None,
            last: JournalHead::ORIGIN,
            harm: None,
            patience,
        };
        if schema::version(&store.connection).map_err(told)? == schema::OLDER {
            store.take_over()?;
        }
        Ok(store)
    }

    /// The same journal, which stands where another was removed after this record.
    #[must_use]
    pub(super) fn following(self, follows: Option<JournalHead>) -> Self {
        Self { follows, ..self }
    }

    /// The last record of a journal that was removed, if this one does not name it yet.
    pub(super) fn follows(&self) -> Option<JournalHead> {
        self.follows
    }

    /// What was found not to be as it was left, once.
    pub(super) fn take_harm(&mut self) -> Option<String> {
        self.harm.take()
    }

    /// The last record that was written here.
    pub(super) fn last(&self) -> JournalHead {
        self.last
    }

    /// Whether commands of this process began and did not end.
    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Appends records in one transaction: all of them or none.
    pub(super) fn append(&mut self, items: &[Item]) -> io::Result<()> {
        let (mut open, mut before) = (std::mem::take(&mut self.open), self.before);
        let appended = self.extend(|tip| {
            before.get_or_insert(tip.head.seq);
            for item in items {
                let run = item.run.as_deref().unwrap_or_default();
                let begun = item.outcome.as_ref().and_then(|_| open.remove(run));
                tip.put(item, begun)?;
                if item.kind == "begin" {
                    open.insert(run.to_owned(), tip.head.seq.cast_signed());
                }
            }
            Ok(())
        });
        (self.open, self.before) = (open, before);
        appended
    }

    /// When the newest record was written of those that were there before.
    pub(super) fn newest_before(&self) -> io::Result<Option<Millis>> {
        let newest = "SELECT at FROM records WHERE seq <= ?1 ORDER BY seq DESC LIMIT 1";
        let before = self.before.unwrap_or_default().cast_signed();
        let at = self.connection.query_row(newest, [before], |row| row.get::<_, i64>(0)).optional();
        Ok(at.map_err(told)?.map(i64::unsigned_abs))
    }

    /// Whether the write-ahead log is not worth two waits for the disk: it takes a tenth of a millisecond to be read back.
    pub(super) fn has_short_log(&self, longest: u64) -> bool {
        schema::log_bytes(&self.places) < LONG_LOG.min(longest)
    }

    /// Checkpoints the write-ahead log as far as there are no readers. One that stays longer
    /// than this is truncated, if there is no reader for a moment.
    pub(super) fn settle_log(&self, longest: u64) {
        // What cannot be moved now is moved next time.
        let settle = |text: &str| self.connection.query_row(text, [], |_| Ok(()));
        let _ = settle("PRAGMA wal_checkpoint(PASSIVE)");
        if schema::log_bytes(&self.places) > longest {
            let _ = self.connection.busy_timeout(FOR_READERS);
            let _ = settle("PRAGMA wal_checkpoint(TRUNCATE)");
            let _ = self.connection.busy_timeout(self.patience);
        }
    }

    /// Begins a journal that follows one that the owner set aside.
    pub(super) fn begin_after(&mut self, aside: &Path, before: JournalHead) -> io::Result<()> {
        let kept_in = Some(word(aside.as_os_str()));
        let (last, hash, at) = (before.seq, before.link.to_string(), now());
        let (rules, because) = (schema::RULES, Since::SetAside);
        let opening = JournalRecord::Opened(Opening { at, rules, because, last, hash, kept_in });
        self.extend(|tip| tip.put(&Item::of(&opening), None))
    }

    /// Adds to the chain in one transaction, and moves the head. What is not as it was left is recorded first.
    fn extend<T>(&mut self, work: impl FnOnce(&mut Tip<'_>) -> rusqlite::Result<T>) -> io::Result<T> {
        let Self { connection, head: file, follows, .. } = self;
        let mut harm = None;
        let (done, last) = within(connection, |connection| {
            let mut tip = Tip::read(connection)?;
            let was = tip.head;
            let says = file.read().map_err(outside)?;
            let end = match (judge_end(says, was, tip.counted), *follows) {
                (EndFound::Sound, Some(before)) => follow(connection, was, before)?,
                (end, _) => end,
            };
            harm = told_of(&end);
            if let Some(record) = found(end, now()) {
                tip.put(&Item::of(&record), None)?;
            }
            let done = work(&mut tip)?;
            if tip.head == was {
                return Ok((done, None));
            }
            tip.count()?;
            file.announce(HeadPair { was, next: tip.head }).map_err(outside)?;
            Ok((done, Some(tip.head)))
        })?;
        self.follows = None;
        self.harm = self.harm.take().or(harm);
        if let Some(last) = last {
            self.last = last;
            // What is not settled names the last record all the same.
            let _ = self.head.settle(last);
        }
        Ok(done)
    }

    /// Upgrades a journal of an older format: from here on the newer one holds, and a record says so.
    fn take_over(&mut self) -> io::Result<()> {
        let Self { connection, head: file, .. } = self;
        let last = within(connection, |connection| {
            if schema::version(connection)? != schema::OLDER {
                return Ok(None);
            }
            let (was, says) = (tip::last(connection)?, file.read().map_err(outside)?);
            let harm = schema::harm_by_older_rules(connection, was, says)?;
            schema::renew(connection, was)?;
            if was == JournalHead::ORIGIN {
                return Ok(None);
            }
            let mut tip = Tip::read(connection)?;
            tip.put(&Item::of(&opened(Since::OlderRules, was, now())), None)?;
            if let Some(record) = found(harm, now()) {
                tip.put(&Item::of(&record), None)?;
            }
            tip.count()?;
            file.announce(HeadPair { was, next: tip.head }).map_err(outside)?;
            Ok(Some(tip.head))
        })?;
        last.map_or(Ok(()), |last| file.settle(last))
    }

    /// Looks for the traces of killed processes: records in the intake, commands without an end.
    pub(super) fn look_back(&mut self, now: Millis) -> io::Result<()> {
        let (alive, intake) = (self.places.alive(), self.places.intake());
        let left = left(&self.places);
        // Commands without an end are looked for where somebody left something, and so are records.
        if left.dead.is_empty() {
            return Ok(());
        }
        self.extend(|tip| {
            for record in &left.records {
                let known = record.run().map_or(Ok(None), |run| seek::run(tip.connection, run))?;
                if is_news(tip.connection, record, known)? {
                    tip.put(&Item::of(record), known)?;
                }
            }
            for (begun, id) in orphans(tip.connection, &left, &alive)? {
                tip.put(&Item::of(&JournalRecord::Interrupted { at: now, id }), Some(begun))?;
            }
            Ok(())
        })?;
        for mark in &left.dead {
            intake::forget(&intake, mark);
            alive::forget(&alive, mark);
        }
        Ok(())
    }
}

/// What stands where a journal was removed: the same one again, nothing, one that says what it follows, or another.
fn follow(connection: &Connection, last: JournalHead, before: JournalHead) -> rusqlite::Result<EndFound> {
    if last == JournalHead::ORIGIN && before != JournalHead::ORIGIN {
        return Ok(EndFound::TakenAway(before));
    }
    let known = before.seq <= last.seq && tip::holds(connection, last, before)?;
    let first = "SELECT count(*) FROM records WHERE seq = 1 AND kind = 'opened'";
    if known || connection.query_row(first, [], |row| row.get::<_, i64>(0))? > 0 {
        return Ok(EndFound::Sound);
    }
    let (seq, hash) = (before.seq, before.link);
    let what =
        format!("this journal stands where another was, which had a record {seq} with the hash {hash}");
    Ok(EndFound::Damaged { seq: 1, what })
}

/// The record that a journal follows another, or a newer format an older one.
fn opened(because: Since, before: JournalHead, at: Millis) -> JournalRecord<'static> {
    let (last, hash) = (before.seq, before.link.to_string());
    JournalRecord::Opened(Opening { at, rules: schema::RULES, because, last, hash, kept_in: None })
}

/// The record of what was found at the end of a journal, if that is anything.
fn found(end: EndFound, at: Millis) -> Option<JournalRecord<'static>> {
    match end {
        EndFound::Sound => None,
        EndFound::TakenAway(before) => Some(opened(Since::TakenAway, before, at)),
        EndFound::Damaged { seq, what } => Some(JournalRecord::Damaged { at, seq, what }),
    }
}

/// How that is reported.
fn told_of(end: &EndFound) -> Option<String> {
    match end {
        EndFound::Sound => None,
        EndFound::TakenAway(before) => {
            Some(format!("the one that stood there was taken away after record {}", before.seq))
        }
        EndFound::Damaged { seq, what } => Some(format!("record {seq}: {what}")),
    }
}

/// All of it or nothing, while no other process writes.
fn within<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> io::Result<T> {
    let run = |text: &str| connection.prepare_cached(text)?.execute([]);
    run("BEGIN IMMEDIATE").map_err(told)?;
    let done = work(connection).and_then(|done| run("COMMIT").map(|_| done));
    if done.is_err() {
        // A transaction that failed may be rolled back already; either way it is gone.
        let _ = run("ROLLBACK");
    }
    done.map_err(told)
}

fn left(places: &JournalPaths) -> LeftRecords {
    let mut left = LeftRecords { dead: Vec::new(), unread: Vec::new(), records: Vec::new() };
    for mark in alive::dead(&places.alive(), &places.intake()) {
        match intake::left_by(&places.intake(), &mark) {
            Ok(records) => {
                left.records.extend(records);
                left.dead.push(mark);
            }
            Err(_) => left.unread.push(mark),
        }
    }
    left
}

/// Commands that began and did not end, of runners that are gone, with or without a mark. Looked for only if a process
/// left something.
fn orphans(
    connection: &Connection,
    left: &LeftRecords,
    alive: &Path,
) -> rusqlite::Result<Vec<(i64, String)>> {
    if left.dead.is_empty() {
        return Ok(Vec::new());
    }
    let mut open =
        connection.prepare("SELECT seq, run, runner FROM commands WHERE state = 0 ORDER BY seq")?;
    let mut rows = open.query([])?;
    let mut gone = Vec::new();
    while let Some(row) = rows.next()? {
        let runner: Option<String> = row.get(2)?;
        if runner.is_some_and(|runner| !left.unread.contains(&runner) && !alive::is_alive(alive, &runner)) {
            gone.push((row.get(0)?, row.get(1)?));
        }
    }
    Ok(gone)
}

/// Whether a record that was left is not in the journal: a beginning, or the end of what has none.
fn is_news(
    connection: &Connection,
    record: &JournalRecord<'_>,
    known: Option<i64>,
) -> rusqlite::Result<bool> {
    match (record, known) {
        (JournalRecord::End(_), Some(begun)) => {
            let open = "SELECT state = 0 FROM commands WHERE seq = ?1";
            connection.prepare_cached(open)?.query_row([begun], |row| row.get(0))
        }
        (JournalRecord::Observed(_), Some(judged)) => {
            let open = "SELECT end IS NULL FROM commands WHERE seq = ?1";
            connection.prepare_cached(open)?.query_row([judged], |row| row.get(0))
        }
        (JournalRecord::End(_) | JournalRecord::Observed(_), None) => Ok(false),
        (_, known) => Ok(known.is_none()),
    }
}
