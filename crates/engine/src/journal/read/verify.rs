//! Whether a journal is as it was written: the chain, where it begins, where it ends, and the lists that are made of it.

use super::{ReadError, Reader, found};
use crate::journal::chain::Link;
use crate::journal::head::{self, Head};
use crate::journal::record::{Record, Seal};
use crate::journal::summary::{Outcome, Summary};
use rusqlite::{OptionalExtension, Row};
use serde::Serialize;
use std::collections::HashMap;

/// A journal that is as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Records that were looked at.
    pub records: u64,
    /// The first of them.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// The hash of the last.
    pub head: String,
    /// Records that were dropped in order.
    pub sealed: u64,
    /// Records that could not be written, by the journal's own account.
    pub missed: u64,
    /// Commands that nobody ended.
    pub interrupted: u64,
}

/// The first record that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal is broken at record {seq}: {what}")]
pub struct Broken {
    /// Which.
    pub seq: u64,
    /// In which way.
    pub what: String,
}

struct Walk<'a> {
    reader: &'a Reader,
    at: Head,
    base: Head,
    seal: Option<Seal>,
    told: Verified,
    /// Where each command begins.
    commands: HashMap<String, u64>,
}

fn broken<T>(seq: u64, what: impl Into<String>) -> Result<T, ReadError> {
    Err(Broken { seq, what: what.into() }.into())
}

impl Reader {
    /// Looks at every record. The error names the first that is broken.
    pub fn verify(&self) -> Result<Verified, ReadError> {
        // The head first: what it names was written before it.
        let named = head::look(&self.places.head());
        self.connection.execute_batch("BEGIN")?;
        let verified = self.walk(named);
        // It only looked.
        let _ = self.connection.execute_batch("COMMIT");
        verified
    }

    fn walk(&self, named: Option<Head>) -> Result<Verified, ReadError> {
        let base = self.base()?;
        let told = Verified { first: base.seq + 1, ..Verified::default() };
        let mut walk = Walk { reader: self, at: base, base, seal: None, told, commands: HashMap::new() };
        let mut all =
            self.connection.prepare("SELECT seq, body, hash, at, kind, run FROM records ORDER BY seq")?;
        let mut rows = all.query([])?;
        let mut passed = named.is_none_or(|named| named.seq <= base.seq);
        while let Some(row) = rows.next()? {
            walk.step(row)?;
            if let Some(named) = named.filter(|named| named.seq == walk.at.seq) {
                passed = true;
                if named.link != walk.at.link {
                    return broken(named.seq, "it is not the one that the head names");
                }
            }
        }
        if let (false, Some(named)) = (passed, named) {
            let what =
                format!("it and everything up to record {}, which the head names, is missing", named.seq);
            return broken(walk.at.seq + 1, what);
        }
        walk.finish()
    }

    /// Where the chain begins.
    fn base(&self) -> Result<Head, ReadError> {
        let row = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?));
        let base = self.connection.query_row("SELECT seq, hash FROM base", [], row).optional()?;
        let Some((seq, hash)) = base else { return Ok(Head::ORIGIN) };
        let seq = seq.unsigned_abs();
        match Link::from_bytes(&hash) {
            Some(link) => Ok(Head { seq, link }),
            None => broken(seq, "the hash that everything after it is chained to is no hash"),
        }
    }
}

impl Walk<'_> {
    fn step(&mut self, row: &Row<'_>) -> Result<(), ReadError> {
        let seq = row.get::<_, i64>(0)?.unsigned_abs();
        let next = self.at.seq + 1;
        if seq != next {
            return broken(next, format!("it is missing; the next that is there is {seq}"));
        }
        let Ok(body) = row.get_ref(1)?.as_str() else { return broken(seq, "it is no text") };
        let link = self.at.link.next(seq, body);
        if row.get_ref(2)?.as_blob().ok() != Some(link.as_bytes()) {
            return broken(seq, "its text and its hash do not belong together");
        }
        let record: Record<'static> = match serde_json::from_str(body) {
            Ok(record) => record,
            Err(error) => return broken(seq, format!("it cannot be understood: {error}")),
        };
        let same = row.get::<_, i64>(3)?.unsigned_abs() == record.at()
            && row.get_ref(4)?.as_str().ok() == Some(record.kind())
            && row.get_ref(5)?.as_str_or_null().ok().flatten() == record.run();
        if !same {
            return broken(seq, "what it is filed under is not what it says");
        }
        self.at = Head { seq, link };
        self.told.records += 1;
        self.hear(seq, record)
    }

    fn hear(&mut self, seq: u64, record: Record<'static>) -> Result<(), ReadError> {
        if let Some(summary) = Summary::of(&record) {
            self.commands.insert(summary.run.clone(), seq);
            self.listed(seq, &summary)?;
        }
        if let (Some(outcome), Some(run)) = (Outcome::of(&record), record.run()) {
            self.settled(seq, run, outcome)?;
        }
        match record {
            Record::Sealed(seal) => self.seal = Some(seal),
            Record::Gap { missed, .. } => self.told.missed += missed,
            Record::Interrupted { .. } => self.told.interrupted += 1,
            Record::Cut { head, last, .. } => {
                return broken(last + 1, format!("it and everything up to record {head} was cut off"));
            }
            Record::Begin(_) | Record::End(_) | Record::Refused(_) => {}
        }
        Ok(())
    }

    /// The list shows what the record says.
    fn listed(&self, seq: u64, summary: &Summary) -> Result<(), ReadError> {
        let text = format!("SELECT {} FROM commands WHERE seq = ?1", super::COLUMNS);
        let mut one = self.reader.connection.prepare_cached(&text)?;
        let Some(shown) = one.query_row([seq.cast_signed()], found).optional()? else {
            return broken(seq, "the list of commands does not have it");
        };
        let outcome = |summary: &Summary| (summary.state, summary.code, summary.took_ms, summary.bytes);
        let (state, code, took_ms, bytes) = outcome(&shown.summary);
        // How it came out is another record's to say, unless there is none.
        let expected = if shown.end.is_some() {
            Summary { state, code, took_ms, bytes, ..summary.clone() }
        } else {
            summary.clone()
        };
        if shown.summary == expected {
            Ok(())
        } else {
            broken(seq, "the list of commands shows something else")
        }
    }

    /// The list shows how it came out.
    fn settled(&self, seq: u64, run: &str, outcome: Outcome) -> Result<(), ReadError> {
        // Its beginning may have been dropped.
        let Some(begun) = self.commands.get(run) else { return Ok(()) };
        let text = format!("SELECT {} FROM commands WHERE seq = ?1", super::COLUMNS);
        let mut one = self.reader.connection.prepare_cached(&text)?;
        let shown = one.query_row([begun.cast_signed()], found)?;
        match shown.end {
            Some(end) if end > seq => return Ok(()),
            Some(end) if end == seq => {}
            _ => return broken(seq, "the list of commands does not know of it"),
        }
        let summary = shown.summary;
        let same = (summary.state, summary.code, summary.took_ms, summary.bytes)
            == (outcome.state, outcome.code, outcome.took_ms, outcome.bytes);
        if same { Ok(()) } else { broken(seq, "the list of commands shows another ending") }
    }

    fn finish(mut self) -> Result<Verified, ReadError> {
        let listed: i64 =
            self.reader.connection.query_row("SELECT count(*) FROM commands", [], |row| row.get(0))?;
        if listed.unsigned_abs() != self.commands.len() as u64 {
            let what = format!("the list has {listed} commands, and the records {}", self.commands.len());
            return broken(self.at.seq, what);
        }
        let sealed = self.seal.as_ref().map_or(0, |seal| seal.through);
        let hash = self.seal.as_ref().and_then(|seal| Link::from_hex(&seal.hash)).unwrap_or(Link::ORIGIN);
        if (Head { seq: sealed, link: hash }) != self.base {
            return broken(self.base.seq + 1, "no record seals what was before it");
        }
        (self.told.last, self.told.head, self.told.sealed) = (self.at.seq, self.at.link.to_string(), sealed);
        Ok(self.told)
    }
}
