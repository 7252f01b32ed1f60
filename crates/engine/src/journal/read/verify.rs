//! Verifies a journal: the chain, where it begins and ends, the lists derived from it, and the
//! stored output. Every column of every table is compared with what the records say of it.
//!
//! Read first: [`JournalReader::verify`].

use super::spooled::SpoolLook;
use super::{BrokenRecord, JournalReader, ReadError, broken};
use crate::journal::chain::ChainLink;
use crate::journal::ending::{EndFound, judge_end};
use crate::journal::head::{self, HeadSays, JournalHead};
use crate::journal::record::{EndRecord, JournalRecord, Millis, Opening, Seal, Since, StoredRecord};
use crate::journal::store::digest;
use crate::journal::store::lines::{LINE, SET_AT_THE_END, first_line, last_line};
use crate::journal::store::schema::{OLDER, RULES};
use crate::journal::store::seek;
use crate::journal::summary::{OutcomeSummary, Summary};
use rusqlite::Row;
use rusqlite::types::{Value, ValueRef};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

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
    /// Commands without an end.
    pub interrupted: u64,
    /// The last record of an older format, which does not cover the stored output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<u64>,
    /// Where an earlier journal is that was set aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<String>,
}

/// What the walk knows of one command.
struct CommandFate {
    seq: u64,
    /// What the columns say that an end sets.
    shown: [Value; 5],
}

/// The end of a journal, by its own account.
struct JournalEnd {
    says: HeadSays,
    /// How far the database counted, and the latest time.
    marks: Option<(Value, Value)>,
}

struct ChainWalk<'a> {
    reader: &'a JournalReader,
    at: JournalHead,
    base: JournalHead,
    base_latest: Millis,
    latest: Millis,
    turns: Vec<i64>,
    seal: Option<Seal>,
    told: Verified,
    /// The format of the record before.
    rules: Option<i64>,
    commands: HashMap<String, CommandFate>,
    /// Beginnings of commands of which output is kept.
    kept: HashSet<i64>,
    spool: SpoolLook<'a>,
    named: Option<JournalHead>,
}

/// How often it is tried again, if other processes write at that moment.
const LOOKS: usize = 200;

impl JournalReader {
    /// Looks at every record. The error names the first that is broken.
    pub fn verify(&self) -> Result<Verified, ReadError> {
        let mut verified = self.look();
        for _ in 0..2 {
            // Output may have been removed in order since.
            let Err(ReadError::Broken(_)) = &verified else { break };
            verified = self.look();
        }
        verified
    }

    fn look(&self) -> Result<Verified, ReadError> {
        let end = self.begin_look()?;
        let verified = self.walk(&end);
        // It only read.
        let _ = self.connection.execute_batch("COMMIT");
        verified
    }

    /// Begins a read transaction in which the head does not move.
    fn begin_look(&self) -> Result<JournalEnd, ReadError> {
        let look = || head::look(&self.places.head()).map_err(|error| self.unreadable("head", &error));
        let mut says = look()?;
        for _ in 0..LOOKS {
            self.connection.execute_batch("BEGIN")?;
            let marks = self.marks()?;
            let now = look()?;
            if now == says {
                let says = if self.older { says.by_older_rules() } else { says };
                return Ok(JournalEnd { says, marks });
            }
            self.connection.execute_batch("COMMIT")?;
            says = now;
        }
        Err(ReadError::Busy)
    }

    fn marks(&self) -> Result<Option<(Value, Value)>, ReadError> {
        if self.older {
            return Ok(None);
        }
        let mut all = self.connection.prepare("SELECT * FROM marks")?;
        let (columns, mut rows) = (all.column_count(), all.query([])?);
        let Some(row) = rows.next()? else { return Ok(None) };
        let marks = (row.get::<_, Value>(1)?, row.get::<_, Value>(2)?);
        let one = columns == 3 && row.get::<_, Value>(0)? == Value::Integer(1);
        Ok(Some(marks).filter(|_| one && matches!(rows.next(), Ok(None))))
    }

    fn walk(&self, end: &JournalEnd) -> Result<Verified, ReadError> {
        let (base, base_latest) = self.base()?;
        let told = Verified { first: base.seq + 1, ..Verified::default() };
        let named = match end.says {
            HeadSays::Names(pair) => Some(if self.older { pair.next } else { pair.was }),
            HeadSays::Nothing | HeadSays::Garbage | HeadSays::NamesOne(_) => None,
        };
        let mut walk = ChainWalk {
            reader: self,
            at: base,
            base,
            base_latest,
            latest: base_latest,
            turns: Vec::new(),
            seal: None,
            told,
            rules: None,
            commands: HashMap::new(),
            kept: HashSet::new(),
            spool: SpoolLook::of(self.spool.as_deref()),
            named,
        };
        let rules = if self.older { ", 1" } else { ", rules" };
        let text = format!("SELECT seq, body, hash, at, kind, run{rules} FROM records ORDER BY seq");
        let mut all = self.connection.prepare(&text)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            walk.step(row)?;
        }
        walk.finish(end)
    }

    /// Where the chain begins, and the latest time until there.
    fn base(&self) -> Result<(JournalHead, Millis), ReadError> {
        let latest = if self.older { ", 0" } else { "" };
        let mut all = self.connection.prepare(&format!("SELECT *{latest} FROM base"))?;
        let (columns, mut rows) = (all.column_count(), all.query([])?);
        let Some(row) = rows.next()? else { return Ok((JournalHead::ORIGIN, 0)) };
        let number = |at| match row.get_ref(at) {
            Ok(ValueRef::Integer(number)) => u64::try_from(number).ok(),
            _ => None,
        };
        let link = row.get_ref(2)?.as_blob().ok().and_then(ChainLink::from_bytes);
        let base = match (columns, number(0), number(1), link, number(3)) {
            (4, Some(1), Some(seq), Some(link), Some(latest)) => (JournalHead { seq, link }, latest),
            (.., seq, _, _) => {
                return broken(seq.unwrap_or(0) + 1, "its link to the one before is not a number and a hash");
            }
        };
        if rows.next()?.is_some() {
            return broken(base.0.seq + 1, "it is chained to several records");
        }
        Ok(base)
    }
}

impl ChainWalk<'_> {
    fn step(&mut self, row: &Row<'_>) -> Result<(), ReadError> {
        let (found, next): (Value, u64) = (row.get(0)?, self.at.seq + 1);
        let Value::Integer(seq) = found else { return broken(next, "its number is not valid") };
        if seq != next.cast_signed() {
            return broken(next, format!("it is missing; the next that is there is {seq}"));
        }
        let seq = next;
        let Ok(body) = row.get_ref(1)?.as_str() else { return broken(seq, "it is not text") };
        let link = self.at.link.next(seq, body);
        if row.get_ref(2)?.as_blob().ok() != Some(link.as_bytes()) {
            return broken(seq, "its text does not match its hash");
        }
        let record: JournalRecord<'static> = match serde_json::from_str(body) {
            Ok(record) => record,
            Err(error) => return broken(seq, format!("it cannot be understood: {error}")),
        };
        let filed = [
            Value::Integer(record.at().cast_signed()),
            Value::Text(record.kind().to_owned()),
            record.run().map_or(Value::Null, |run| Value::Text(run.to_owned())),
        ];
        for (column, expected) in (3..).zip(&filed) {
            if row.get::<_, Value>(column)? != *expected {
                return broken(seq, "its columns do not match its text");
            }
        }
        self.by_rules(seq, &row.get(6)?, &record)?;
        self.at = JournalHead { seq, link };
        if let Some(named) = self.named.filter(|named| named.seq == seq && named.link != link) {
            return broken(named.seq, "it is not the one that the head names");
        }
        if seek::turns(&mut self.latest, record.at()) {
            self.turns.push(seq.cast_signed());
        }
        self.told.records += 1;
        self.hear(seq, record)
    }

    /// Records of older formats come first, and the first of a newer one says so.
    fn by_rules(&mut self, seq: u64, rules: &Value, record: &JournalRecord<'_>) -> Result<(), ReadError> {
        let taken_over =
            matches!(record, JournalRecord::Opened(Opening { because: Since::OlderRules, rules: RULES, .. }));
        match (self.rules, rules) {
            (None | Some(OLDER), Value::Integer(OLDER)) => {
                (self.rules, self.told.older) = (Some(OLDER), Some(seq));
            }
            (None | Some(RULES), Value::Integer(RULES)) => self.rules = Some(RULES),
            (Some(OLDER), Value::Integer(RULES)) if taken_over => self.rules = Some(RULES),
            _ => return broken(seq, "its format version is not the one it was written with"),
        }
        Ok(())
    }

    fn hear(&mut self, seq: u64, record: JournalRecord<'static>) -> Result<(), ReadError> {
        if let Some(summary) = Summary::of(&record) {
            self.listed(seq, &summary)?;
        }
        if let (Some(outcome), Some(run)) = (OutcomeSummary::of(&record), record.run())
            && let Some(fate) = self.commands.get_mut(run)
        {
            // The beginning of others may have been dropped.
            fate.shown = last_line(&outcome, Some(seq.cast_signed()));
        }
        match record {
            JournalRecord::Sealed(seal) => self.seal = Some(seal),
            JournalRecord::Gap { missed, .. } => self.told.missed += missed,
            JournalRecord::Interrupted { .. } => self.told.interrupted += 1,
            JournalRecord::End(end) => self.printed(seq, &end)?,
            JournalRecord::Unspooled { runs, .. } => self.spool.removed(&runs),
            JournalRecord::Cut { head, last, .. } => {
                return broken(last + 1, format!("it and everything up to record {head} was cut off"));
            }
            JournalRecord::Damaged { seq: at, what, .. } => {
                return broken(at, format!("record {seq} says: {what}"));
            }
            JournalRecord::Opened(opening) => self.follows(seq, opening)?,
            JournalRecord::Begin(_)
            | JournalRecord::Refused(_)
            | JournalRecord::Judged(_)
            | JournalRecord::Observed(_) => {}
        }
        Ok(())
    }

    fn follows(&mut self, seq: u64, opening: Opening) -> Result<(), ReadError> {
        match opening.because {
            Since::OlderRules => Ok(()),
            Since::SetAside => {
                self.told.set_aside = opening.kept_in;
                Ok(())
            }
            Since::TakenAway => {
                let Opening { last, hash, .. } = opening;
                broken(seq, format!("the journal before it was taken away after record {last}, hash {hash}"))
            }
        }
    }

    /// The list shows what the first record says.
    fn listed(&mut self, seq: u64, summary: &Summary) -> Result<(), ReadError> {
        let mut one = self.reader.connection.prepare_cached("SELECT * FROM commands WHERE seq = ?1")?;
        let (columns, mut rows) = (one.column_count(), one.query([seq.cast_signed()])?);
        let Some(row) = rows.next()? else { return broken(seq, "the list of commands does not have it") };
        let expected = first_line(seq.cast_signed(), summary);
        let same = |column: usize| Ok(row.get::<_, Value>(column)? == expected[column]);
        for column in (0..LINE).filter(|column| !SET_AT_THE_END.contains(column)) {
            if columns != LINE || !same(column).map_err(|error: rusqlite::Error| ReadError::from(error))? {
                return broken(seq, "the list of commands shows something else");
            }
        }
        let mut shown = expected.into_iter().skip(SET_AT_THE_END.start);
        let shown = std::array::from_fn(|_| shown.next().unwrap_or(Value::Null));
        self.commands.insert(summary.run.clone(), CommandFate { seq, shown });
        Ok(())
    }

    /// The stored output is what its record covers. Older formats covered nothing.
    fn printed(&mut self, seq: u64, end: &EndRecord) -> Result<(), ReadError> {
        // Stored output belongs to the beginning, which may have been dropped.
        let Some(begun) = self.commands.get(&end.id).map(|fate| fate.seq.cast_signed()) else {
            return Ok(());
        };
        if self.rules == Some(OLDER) {
            self.kept.insert(begun);
            return Ok(());
        }
        self.spool.covered(seq, end);
        let Some(stored) = end.stored.as_ref() else { return Ok(()) };
        self.kept.insert(begun);
        self.reader.is_stored(seq, begun, stored)
    }

    fn finish(mut self, end: &JournalEnd) -> Result<Verified, ReadError> {
        self.ends(end)?;
        self.lists()?;
        self.keeps()?;
        let sealed = self.seal.as_ref().map_or(0, |seal| seal.through);
        let hash =
            self.seal.as_ref().and_then(|seal| ChainLink::from_hex(&seal.hash)).unwrap_or(ChainLink::ORIGIN);
        let latest = self.seal.as_ref().map_or(0, |seal| seal.latest);
        if (JournalHead { seq: sealed, link: hash }, latest) != (self.base, self.base_latest) {
            return broken(self.base.seq + 1, "no record seals what was before it");
        }
        self.spool.check()?;
        (self.told.last, self.told.head, self.told.sealed) = (self.at.seq, self.at.link.to_string(), sealed);
        Ok(self.told)
    }

    /// The journal ends where its head and its own count say.
    fn ends(&self, end: &JournalEnd) -> Result<(), ReadError> {
        let last = self.at;
        if self.reader.older {
            let lags = matches!(end.says, HeadSays::Names(pair) if pair.next.seq <= last.seq);
            let found = judge_end(end.says, last, Some(last.seq));
            return if lags { Ok(()) } else { told(found) };
        }
        let (counted, latest) = match &end.marks {
            Some((Value::Integer(last), latest)) => (u64::try_from(*last).ok(), Some(latest)),
            _ => (None, None),
        };
        told(judge_end(end.says, last, counted))?;
        if latest != Some(&Value::Integer(self.latest.cast_signed())) {
            return broken(last.seq, "the database has another latest time than the records");
        }
        if self.rules == Some(OLDER) {
            return broken(last.seq, "its format version is not the one it was written with");
        }
        let mut all = self.reader.connection.prepare("SELECT * FROM turns ORDER BY seq")?;
        let columns = all.column_count();
        let turns = all.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        if columns != 1 || turns != self.turns {
            let other = turns.iter().zip(&self.turns).find(|(one, other)| one != other);
            let seq = other.map_or(last.seq, |(one, other)| (*one.min(other)).unsigned_abs());
            return broken(seq, "the list of times at which the clock was set back is wrong");
        }
        Ok(())
    }

    /// Every line of the list is of a command in the records, and shows how it ended.
    fn lists(&self) -> Result<(), ReadError> {
        let text = "SELECT seq, run, state, code, took, bytes, end FROM commands ORDER BY seq";
        let mut all = self.reader.connection.prepare(text)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let seq: i64 = row.get(0)?;
            let run = row.get_ref(1)?.as_str().unwrap_or_default();
            let fate = self.commands.get(run).filter(|fate| fate.seq.cast_signed() == seq);
            let Some(fate) = fate else {
                return broken(seq.unsigned_abs(), "the list of commands has one that no record has");
            };
            for (column, expected) in (2..).zip(&fate.shown) {
                if row.get::<_, Value>(column)? != *expected {
                    let seq = match fate.shown[4] {
                        Value::Integer(end) => end.unsigned_abs(),
                        _ => fate.seq,
                    };
                    return broken(seq, "the list of commands shows another ending");
                }
            }
        }
        Ok(())
    }

    /// Nothing is stored but what records cover.
    fn keeps(&self) -> Result<(), ReadError> {
        let mut all = self.reader.connection.prepare("SELECT * FROM outputs ORDER BY seq")?;
        let columns = all.column_count();
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let seq: i64 = row.get(0)?;
            if columns != 4 || !self.kept.contains(&seq) {
                return broken(seq.unsigned_abs(), "output is stored for it that no record mentions");
            }
        }
        Ok(())
    }
}

impl JournalReader {
    /// The stored output is what the record of the end covers.
    pub(super) fn is_stored(&self, seq: u64, begun: i64, stored: &StoredRecord) -> Result<(), ReadError> {
        let mut one =
            self.connection.prepare_cached("SELECT stdout, stderr, beats FROM outputs WHERE seq = ?1")?;
        let mut rows = one.query([begun])?;
        let Some(row) = rows.next()? else { return broken(seq, "its output is missing") };
        for (column, covered) in [&stored.stdout, &stored.stderr, &stored.beats].into_iter().enumerate() {
            let found = match row.get_ref(column)? {
                ValueRef::Null => None,
                ValueRef::Blob(bytes) if column < 2 => Some(digest(bytes)),
                ValueRef::Text(bytes) if column == 2 => Some(digest(bytes)),
                _ => return broken(seq, "its output is stored in another form"),
            };
            if found != *covered {
                return broken(seq, "its output was changed after it was written");
            }
        }
        Ok(())
    }
}

fn told(found: EndFound) -> Result<(), ReadError> {
    match found {
        EndFound::Sound => Ok(()),
        EndFound::TakenAway(before) => Err(ReadError::TakenAway { last: before.seq }),
        EndFound::Damaged { seq, what } => Err(BrokenRecord { seq, what }.into()),
    }
}
