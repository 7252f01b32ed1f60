//! The end of the chain within a transaction, and adding to it: the record, the lists derived from it, and the
//! counts. May not begin or end a transaction.

use super::item::KeptPrint;
use super::lines::{first_line, last_line};
use super::schema::RULES;
use super::{Item, seek};
use crate::journal::chain::ChainLink;
use crate::journal::head::JournalHead;
use crate::journal::record::Millis;
use crate::journal::summary::{OutcomeSummary, RecordState, Summary};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

/// The end of the chain within a transaction.
pub(super) struct Tip<'a> {
    pub(super) connection: &'a Connection,
    pub(super) head: JournalHead,
    /// How far the database says that it counted.
    pub(super) counted: Option<u64>,
    latest: Millis,
}

impl<'a> Tip<'a> {
    pub(super) fn read(connection: &'a Connection) -> rusqlite::Result<Self> {
        let marks = connection
            .prepare_cached("SELECT last, latest FROM marks WHERE one = 1")?
            .query_row([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))
            .optional()?;
        let latest = marks.map_or(0, |(_, latest)| latest.unsigned_abs());
        let counted = marks.and_then(|(last, _)| u64::try_from(last).ok());
        Ok(Self { connection, head: last(connection)?, counted, latest })
    }

    /// Adds one record to the chain, and keeps the lists in step.
    pub(super) fn put(&mut self, item: &Item, begun: Option<i64>) -> rusqlite::Result<()> {
        let (seq, text) = (self.head.seq + 1, item.text());
        let (number, link) = (seq.cast_signed(), self.head.link.next(seq, &text));
        let new = "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.connection.prepare_cached(new)?.execute(params![
            number,
            item.at.cast_signed(),
            item.kind,
            item.run,
            text,
            link.as_bytes(),
            RULES
        ])?;
        if seek::turns(&mut self.latest, item.at) {
            self.connection.prepare_cached("INSERT INTO turns VALUES (?1)")?.execute([number])?;
        }
        if let Some(summary) = &item.summary {
            self.list(number, summary)?;
        }
        if let (Some(outcome), Some(run)) = (&item.outcome, &item.run) {
            // A process that opened the journal again since has to look for the beginning.
            let begun = begun.map_or_else(|| seek::run(self.connection, run), |begun| Ok(Some(begun)))?;
            if let Some(begun) = begun {
                self.settle(begun, number, outcome, item.kept.as_ref())?;
            }
        }
        self.head = JournalHead { seq, link };
        Ok(())
    }

    /// Counts what was added.
    pub(super) fn count(&self) -> rusqlite::Result<()> {
        let set = "INSERT OR REPLACE INTO marks VALUES (1, ?1, ?2)";
        let marks = [self.head.seq.cast_signed(), self.latest.cast_signed()];
        self.connection.prepare_cached(set)?.execute(marks).map(drop)
    }

    fn list(&self, seq: i64, summary: &Summary) -> rusqlite::Result<()> {
        let new = "INSERT INTO commands VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        let values = params_from_iter(first_line(seq, summary));
        self.connection.prepare_cached(new)?.execute(values).map(drop)
    }

    fn settle(
        &self,
        seq: i64,
        end: i64,
        outcome: &OutcomeSummary,
        kept: Option<&KeptPrint>,
    ) -> rusqlite::Result<()> {
        // A runner that was thought to be dead and ends after all has the last word.
        let set = "UPDATE commands SET state = ?1, code = ?2, took = ?3, bytes = ?4, end = ?5 WHERE seq = ?6";
        let values = last_line(outcome, Some(end)).into_iter().chain([Value::Integer(seq)]);
        let known = self.connection.prepare_cached(set)?.execute(params_from_iter(values))?;
        // Nothing is stored of a command with a dropped beginning.
        if let Some(kept) = kept.filter(|_| known > 0 && outcome.state == RecordState::Ended) {
            self.connection
                .prepare_cached("INSERT OR REPLACE INTO outputs VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![seq, kept.stdout, kept.stderr, kept.beats])?;
        }
        Ok(())
    }
}

/// The last record there is.
pub(super) fn last(connection: &Connection) -> rusqlite::Result<JournalHead> {
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?));
    let newest = "SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1";
    let found = connection.prepare_cached(newest)?.query_row([], row).optional()?;
    let found = match found {
        Some(found) => Some(found),
        None => connection.prepare_cached("SELECT seq, hash FROM base")?.query_row([], row).optional()?,
    };
    let head = found.map(|(seq, hash)| JournalHead {
        seq: seq.unsigned_abs(),
        link: ChainLink::from_bytes(&hash).unwrap_or(ChainLink::ORIGIN),
    });
    Ok(head.unwrap_or(JournalHead::ORIGIN))
}

/// Whether a record is there as it is named, or was dropped in order.
pub(super) fn holds(
    connection: &Connection,
    last: JournalHead,
    named: JournalHead,
) -> rusqlite::Result<bool> {
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
