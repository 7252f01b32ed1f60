//! The journal on disk: appended to in one transaction at a time, by any number of processes.
//!
//! The race: two processes append at once. `BEGIN IMMEDIATE` lets one in at a time, and whoever is in reads the last
//! link anew before adding to it. May not decide what is recorded.
//! Read first: [`Store`].

mod prune;
pub(super) mod schema;
pub(super) mod seek;

use super::alive;
use super::chain::Link;
use super::head::{Head, HeadFile};
use super::intake;
use super::record::{Millis, Record};
use super::summary::{Outcome, State, Summary};
use runward_core::redact::Redactor;
use rusqlite::{Connection, OptionalExtension, params};
use schema::{Places, told};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::time::Duration;

pub(super) use prune::Dropped;

/// What a command printed, as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) stdout: Option<Vec<u8>>,
    pub(super) stderr: Option<Vec<u8>>,
    /// When pieces of a terminal's output came.
    pub(super) beats: Option<String>,
}

impl Kept {
    fn bytes(&self) -> usize {
        let streams = [&self.stdout, &self.stderr].into_iter().flatten().map(Vec::len);
        streams.sum::<usize>() + self.beats.as_ref().map_or(0, String::len)
    }
}

/// A record on its way: its text, and what lists take from it.
#[derive(Debug)]
pub(super) struct Item {
    at: Millis,
    kind: &'static str,
    run: Option<String>,
    body: String,
    summary: Option<Summary>,
    outcome: Option<Outcome>,
    pub(super) kept: Option<Kept>,
    /// What it printed is masked already.
    pub(super) masked: bool,
    /// Who knows further secrets of this command, beside those that everybody knows.
    pub(super) redactor: Option<Box<Redactor>>,
}

impl Item {
    /// Its text.
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// Bytes of everything that is written of it.
    pub(super) fn bytes(&self) -> usize {
        self.body.len() + self.kept_bytes()
    }

    /// Bytes of what a command printed.
    pub(super) fn kept_bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, Kept::bytes)
    }

    /// A record, ready to be written. One that JSON cannot hold does not exist.
    pub(super) fn of(record: &Record<'_>) -> Self {
        Self {
            at: record.at(),
            kind: record.kind(),
            run: record.run().map(str::to_owned),
            body: serde_json::to_string(record).unwrap_or_default(),
            summary: Summary::of(record),
            outcome: Outcome::of(record),
            kept: None,
            masked: false,
            redactor: None,
        }
    }
}

/// A journal that is open for writing.
#[derive(Debug)]
pub(super) struct Store {
    connection: Connection,
    head: HeadFile,
    places: Places,
    /// Where the commands of this process that still run begin.
    open: HashMap<String, i64>,
    /// The last record that was there before the first of this process.
    before: Option<u64>,
}

/// What those who are gone left.
struct Left {
    dead: Vec<String>,
    /// Of whom the intake cannot be read. Whoever can brings it in; until then their commands are theirs.
    unread: Vec<String>,
    records: Vec<Record<'static>>,
}

impl Store {
    /// Opens it, and makes it if it is not there. Whoever begins commands in it has set a mark.
    pub(super) fn open(places: &Places, patience: Duration) -> io::Result<Self> {
        let connection = schema::to_write(places, patience)?;
        let head = HeadFile::open(&places.head())?;
        Ok(Self { connection, head, places: places.clone(), open: HashMap::new(), before: None })
    }

    /// Whether commands of this process began and did not end.
    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Appends records in one transaction: all of them or none. Gives the new head, which is not in its file yet.
    pub(super) fn append(&mut self, items: &[Item]) -> io::Result<Head> {
        let (mut open, mut before) = (std::mem::take(&mut self.open), self.before);
        let appended = self.within(|connection| {
            let mut head = last(connection)?;
            before.get_or_insert(head.seq);
            for item in items {
                let run = item.run.as_deref().unwrap_or_default();
                let begun = item.outcome.as_ref().and_then(|_| open.remove(run));
                head = put(connection, head, item, begun)?;
                if item.kind == "begin" {
                    open.insert(run.to_owned(), head.seq.cast_signed());
                }
            }
            Ok(head)
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

    /// Moves what was written from the log to where it belongs, for as far as nobody reads it.
    pub(super) fn settle_log(&self) {
        // What cannot be moved now is moved next time.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }

    /// Tells the head's file. A file that cannot be written lags behind, and is told again next time.
    pub(super) fn tell_head(&mut self, head: Head) {
        let _ = self.head.advance(head);
    }

    fn within<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> io::Result<T> {
        let connection = &self.connection;
        let run = |text: &str| connection.prepare_cached(text)?.execute([]);
        run("BEGIN IMMEDIATE").map_err(told)?;
        let done = work(connection).and_then(|done| run("COMMIT").map(|_| done));
        if done.is_err() {
            // A transaction that failed may be rolled back already; either way it is gone.
            let _ = run("ROLLBACK");
        }
        done.map_err(told)
    }

    /// Looks for what went wrong before: a head that names what is not there, commands that nobody ended.
    pub(super) fn look_back(&mut self, now: Millis) -> io::Result<()> {
        // The head first: records are written before it, so what it names must be there by the time they are read.
        let named = self.head.read()?;
        let (alive, intake, mut cut) = (self.places.alive(), self.places.intake(), false);
        let left = left(&self.places);
        let head = self.within(|connection| {
            let mut head = last(connection)?;
            if let Some(named) = named.filter(|named| !holds(connection, head, *named).unwrap_or(true)) {
                cut = true;
                let record = Record::Cut { at: now, head: named.seq, last: head.seq };
                head = put(connection, head, &Item::of(&record), None)?;
            }
            for record in &left.records {
                let known = record.run().map_or(Ok(None), |run| seek::run(connection, run))?;
                if is_news(connection, record, known)? {
                    head = put(connection, head, &Item::of(record), known)?;
                }
            }
            for (begun, id) in orphans(connection, &left, &alive)? {
                let record = Record::Interrupted { at: now, id };
                head = put(connection, head, &Item::of(&record), Some(begun))?;
            }
            Ok(head)
        })?;
        for mark in &left.dead {
            intake::forget(&intake, mark);
            alive::forget(&alive, mark);
        }
        if cut { self.head.reset(head) } else { self.head.advance(head) }
    }
}

fn left(places: &Places) -> Left {
    let mut left = Left { dead: Vec::new(), unread: Vec::new(), records: Vec::new() };
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

/// The last record there is.
fn last(connection: &Connection) -> rusqlite::Result<Head> {
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?));
    let newest = "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1";
    let found = connection.prepare_cached(newest)?.query_row([], row).optional()?;
    let found = match found {
        Some(found) => Some(found),
        None => connection.prepare_cached("SELECT seq, hash FROM base")?.query_row([], row).optional()?,
    };
    let head = found.map(|(seq, hash)| Head {
        seq: seq.unsigned_abs(),
        link: Link::from_bytes(&hash).unwrap_or(Link::ORIGIN),
    });
    Ok(head.unwrap_or(Head::ORIGIN))
}

/// Whether the record that a head names is there as it names it, or was dropped in order.
fn holds(connection: &Connection, last: Head, named: Head) -> rusqlite::Result<bool> {
    let there = connection
        .query_row("SELECT hash FROM records WHERE seq = ?1", [named.seq.cast_signed()], |row| {
            row.get::<_, Vec<u8>>(0)
        })
        .optional()?;
    Ok(match there {
        Some(hash) => hash == named.link.as_bytes(),
        None => named.seq <= last.seq,
    })
}

/// Commands that began and did not end, of runners that are gone, with or without a mark. Looked for only if somebody
/// left something.
fn orphans(connection: &Connection, left: &Left, alive: &Path) -> rusqlite::Result<Vec<(i64, String)>> {
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

/// Whether a record that was left tells what is not in the journal: a beginning, or the end of what has none.
fn is_news(connection: &Connection, record: &Record<'_>, known: Option<i64>) -> rusqlite::Result<bool> {
    match (record, known) {
        (Record::End(_), Some(begun)) => {
            let open = "SELECT state = 0 FROM commands WHERE seq = ?1";
            connection.prepare_cached(open)?.query_row([begun], |row| row.get(0))
        }
        (Record::End(_), None) => Ok(false),
        (_, known) => Ok(known.is_none()),
    }
}

/// Adds one record to the chain, and keeps the lists in step.
fn put(connection: &Connection, head: Head, item: &Item, begun: Option<i64>) -> rusqlite::Result<Head> {
    let seq = head.seq + 1;
    let link = head.link.next(seq, &item.body);
    let number = seq.cast_signed();
    connection.prepare_cached("INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?.execute(params![
        number,
        item.at.cast_signed(),
        item.kind,
        item.run,
        item.body,
        link.as_bytes()
    ])?;
    if let Some(summary) = &item.summary {
        list(connection, number, summary)?;
    }
    if let (Some(outcome), Some(run)) = (&item.outcome, &item.run) {
        // Whoever opened the journal anew since has to look for the beginning.
        let begun = begun.map_or_else(|| seek::run(connection, run), |begun| Ok(Some(begun)))?;
        if let Some(begun) = begun {
            settle(connection, begun, number, outcome, item.kept.as_ref())?;
        }
    }
    Ok(Head { seq, link })
}

fn list(connection: &Connection, seq: i64, summary: &Summary) -> rusqlite::Result<()> {
    let new = "INSERT INTO commands VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, NULL, NULL, NULL, ?8)";
    connection.prepare_cached(new)?.execute(params![
        seq,
        summary.at.cast_signed(),
        summary.run,
        summary.door,
        summary.program,
        summary.line,
        summary.state.number(),
        summary.runner
    ])?;
    Ok(())
}

fn settle(
    connection: &Connection,
    seq: i64,
    end: i64,
    outcome: &Outcome,
    kept: Option<&Kept>,
) -> rusqlite::Result<()> {
    // Whoever was thought to be gone and ends after all has the last word.
    let set = "UPDATE commands SET state = ?2, code = ?3, took = ?4, bytes = ?5, end = ?6 WHERE seq = ?1";
    let number = |value: Option<u64>| value.map(u64::cast_signed);
    let known = connection.prepare_cached(set)?.execute(params![
        seq,
        outcome.state.number(),
        outcome.code,
        number(outcome.took_ms),
        number(outcome.bytes),
        end
    ])?;
    // Nothing is kept of a command whose beginning was dropped.
    if let Some(kept) = kept.filter(|_| known > 0 && outcome.state == State::Ended) {
        connection
            .prepare_cached("INSERT OR REPLACE INTO outputs VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![seq, kept.stdout, kept.stderr, kept.beats])?;
    }
    Ok(())
}
