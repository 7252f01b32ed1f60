//! Drops what is too old or too much (retention), and seals where the chain begins from then on.
//!
//! The seal is a record like any other: it names the last record that was dropped, by number and hash, so the rest is
//! still chained to what was there before. Dropping and sealing are one transaction.

use super::tip::{Tip, last};
use super::{Item, Store, schema, seek};
use crate::journal::record::{JournalRecord, Millis, Seal};
use crate::journal::retention::{Keep, Stock};
use runward_core::render::hex;
use rusqlite::{Connection, OptionalExtension, params};
use std::io;

/// What was dropped.
#[derive(Debug, Default)]
pub(in crate::journal) struct Dropped {
    /// The runs without any record now.
    pub(in crate::journal) runs: Vec<String>,
    /// Whether anything was.
    any: bool,
}

impl Store {
    /// Drops what is too old or too much, if there is any.
    pub(in crate::journal) fn prune(&mut self, keep: Keep, now: Millis) -> io::Result<Dropped> {
        // A log with a reader cannot be truncated, and must not drive everything out.
        let log = schema::log_bytes(&self.places).min(keep.bytes / 2);
        // Mostly nothing is, and to find that out keeps nobody from writing.
        let surplus = stock(&self.connection, log).map_err(schema::told)?;
        if surplus.is_none_or(|stock| !keep.has_old(&stock, now) && keep.too_much(&stock).is_none()) {
            return Ok(Dropped::default());
        }
        let dropped = self.extend(|tip| {
            let Some(stock) = stock(tip.connection, log)? else { return Ok(Dropped::default()) };
            let old =
                if keep.has_old(&stock, now) { too_old(tip.connection, keep.oldest(now))? } else { None };
            let Some(through) = old.max(keep.too_much(&stock)).filter(|through| *through < stock.last) else {
                return Ok(Dropped::default());
            };
            drop_through(tip, &stock, through, now)
        })?;
        if dropped.any {
            // Returns free pages to the disk where it can; the others are used again.
            let _ = self.connection.execute_batch("PRAGMA incremental_vacuum(2000)");
            self.settle_log(keep.log());
        }
        Ok(dropped)
    }
}

fn stock(connection: &Connection, log: u64) -> rusqlite::Result<Option<Stock>> {
    let first = connection
        .query_row("SELECT seq, at FROM records ORDER BY seq LIMIT 1", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((first, first_at)) = first else { return Ok(None) };
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = pragma("page_count")? - pragma("freelist_count")?;
    let bytes = (pages * pragma("page_size")?).unsigned_abs() + log;
    let first_at: i64 = first_at;
    let last = last(connection)?.seq;
    Ok(Some(Stock { first: first.unsigned_abs(), last, first_at: first_at.unsigned_abs(), bytes }))
}

/// The last record that was written before this.
fn too_old(connection: &Connection, oldest: Millis) -> rusqlite::Result<Option<u64>> {
    // Records stand in the order in which they were written: what comes before the first young one is old.
    let young = connection
        .query_row(
            "SELECT seq FROM records WHERE at >= ?1 ORDER BY seq LIMIT 1",
            [oldest.cast_signed()],
            |row| row.get::<_, i64>(0),
        )
        .optional()?;
    Ok(Some(match young {
        Some(young) => young.unsigned_abs().saturating_sub(1),
        None => last(connection)?.seq.saturating_sub(1),
    }))
}

fn drop_through(tip: &mut Tip<'_>, stock: &Stock, through: u64, now: Millis) -> rusqlite::Result<Dropped> {
    let (connection, at) = (tip.connection, through.cast_signed());
    let hash: Vec<u8> =
        connection.query_row("SELECT hash FROM records WHERE seq = ?1", [at], |row| row.get(0))?;
    let mut runs = connection.prepare("SELECT run FROM commands WHERE seq <= ?1")?;
    let runs = runs.query_map([at], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let latest = latest_through(connection, at)?;
    for table in ["records", "commands", "outputs", "turns"] {
        connection.execute(&format!("DELETE FROM {table} WHERE seq <= ?1"), [at])?;
    }
    let base = params![at, hash, latest.cast_signed()];
    connection.execute("INSERT OR REPLACE INTO base VALUES (1, ?1, ?2, ?3)", base)?;
    let count = through + 1 - stock.first;
    let seal = JournalRecord::Sealed(Seal { at: now, through, hash: hex(&hash), count, latest });
    tip.put(&Item::of(&seal), None)?;
    Ok(Dropped { runs, any: true })
}

/// The latest time up to a record, since the clock was last set back.
fn latest_through(connection: &Connection, through: i64) -> rusqlite::Result<Millis> {
    let before = "SELECT coalesce(max(latest), 0) FROM base";
    let mut latest = connection.query_row(before, [], |row| row.get::<_, i64>(0))?.unsigned_abs();
    let mut all = connection.prepare("SELECT at FROM records WHERE seq <= ?1 ORDER BY seq")?;
    let mut rows = all.query([through])?;
    while let Some(row) = rows.next()? {
        seek::turns(&mut latest, row.get::<_, i64>(0)?.unsigned_abs());
    }
    Ok(latest)
}
