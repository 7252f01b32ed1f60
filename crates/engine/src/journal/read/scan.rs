//! Searches every command line for a pattern: only the lines are read, and of many the older half by another thread.
//!
//! Everything else about a command is read once its line matched. May not change the order: the newest come first.

use super::{COLUMNS, Filter, JournalReader, ReadError, to_read};
use regex::Regex;
use rusqlite::{Connection, Row};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fewer numbers than this are looked at sooner than a thread and a connection are there.
const MANY: i64 = 50_000;

/// A search, and what for.
struct JournalScan<'a> {
    filter: &'a Filter,
    /// Set by the other thread, when it has found as many as are wanted.
    enough: &'a AtomicBool,
}

impl JournalScan<'_> {
    /// The numbers of the commands that match, newest first, and no more of them than are wanted.
    fn part(&self, connection: &Connection, grep: &Regex, part: Range<i64>) -> rusqlite::Result<Vec<i64>> {
        let (conditions, values) = self.filter.conditions(part);
        let text = format!("SELECT line, seq FROM commands WHERE {conditions} ORDER BY seq DESC");
        let mut lines = connection.prepare(&text)?;
        let mut rows = lines.query(rusqlite::params_from_iter(values))?;
        let (most, mut found) = (self.filter.limit.unwrap_or(usize::MAX), Vec::new());
        while let Some(row) = rows.next()? {
            if row.get_ref(0)?.as_str().is_ok_and(|line| grep.is_match(line)) {
                found.push(row.get(1)?);
            }
            if found.len() >= most || self.enough.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(found)
    }
}

impl JournalReader {
    /// Visits the commands with a line that matches, newest first, until it is told to stop.
    pub(super) fn matching(
        &self,
        filter: &Filter,
        grep: &Regex,
        all: Range<i64>,
        mut told: impl FnMut(&Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), ReadError> {
        let text = format!("SELECT {COLUMNS} FROM commands WHERE seq = ?1");
        let mut one = self.connection.prepare_cached(&text)?;
        for seq in self.lines(filter, grep, all)? {
            // One that was dropped meanwhile is gone.
            let mut rows = one.query([seq])?;
            if let Some(row) = rows.next()?
                && !told(row)?
            {
                break;
            }
        }
        Ok(())
    }

    fn lines(&self, filter: &Filter, grep: &Regex, all: Range<i64>) -> Result<Vec<i64>, ReadError> {
        let enough = AtomicBool::new(false);
        let scan = JournalScan { filter, enough: &enough };
        let text = "SELECT coalesce(min(seq), 0) FROM commands WHERE seq >= ?1";
        let first: i64 = self.connection.query_row(text, [all.start], |row| row.get(0))?;
        let last = self.newest()?.cast_signed();
        if last - first < MANY {
            return Ok(scan.part(&self.connection, grep, all)?);
        }
        let (middle, database) = (first + (last - first) / 2, self.places.database());
        std::thread::scope(|threads| {
            let older = threads.spawn(|| {
                // A compiled pattern's scratch memory is not shared between threads.
                scan.part(&to_read(&database)?, &grep.clone(), all.start..middle)
            });
            let newer = scan.part(&self.connection, grep, middle..all.end);
            let is_enough = match &newer {
                Ok(found) => filter.limit.is_some_and(|most| found.len() >= most),
                Err(_) => true,
            };
            enough.store(is_enough, Ordering::Relaxed);
            let older = older.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let mut found = newer?;
            if !is_enough {
                found.extend(older?);
            }
            Ok(found)
        })
    }
}
