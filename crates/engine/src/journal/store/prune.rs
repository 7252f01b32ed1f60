//! Dropping what is too old or too much, and sealing where the chain begins from then on.
//!
//! The seal is a record like any other: it names the last record that was dropped, by number and hash, so the rest is
//! still chained to what was there before. Dropping and sealing are one transaction.

use super::{Item, Store, last, put};
use crate::journal::head::Head;
use crate::journal::record::{Millis, Record, Seal};
use crate::journal::retention::{Keep, Stock};
use runward_core::render::hex;
use rusqlite::{Connection, OptionalExtension, params};
use std::io;

/// What was dropped.
#[derive(Debug, Default)]
pub(in crate::journal) struct Dropped {
    /// The runs that nothing is known of any more.
    pub(in crate::journal) runs: Vec<String>,
}

impl Store {
    /// Drops what is too old or too much, if there is such.
    pub(in crate::journal) fn prune(&mut self, keep: Keep, now: Millis) -> io::Result<Dropped> {
        let (dropped, head) = self.within(|connection| {
            let Some(stock) = stock(connection)? else { return Ok((Dropped::default(), Head::ORIGIN)) };
            let old = if keep.has_old(&stock, now) { too_old(connection, keep.oldest(now))? } else { None };
            let Some(through) = old.max(keep.too_much(&stock)).filter(|through| *through < stock.last) else {
                return Ok((Dropped::default(), Head::ORIGIN));
            };
            drop_through(connection, &stock, through, now)
        })?;
        if head != Head::ORIGIN {
            self.tell_head(head);
            // Gives back what it can; what it cannot is used again.
            let _ = self.connection.execute_batch("PRAGMA incremental_vacuum(2000)");
        }
        Ok(dropped)
    }
}

fn stock(connection: &Connection) -> rusqlite::Result<Option<Stock>> {
    let first = connection
        .query_row("SELECT seq, at FROM records ORDER BY seq LIMIT 1", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((first, first_at)) = first else { return Ok(None) };
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = pragma("page_count")? - pragma("freelist_count")?;
    let bytes = (pages * pragma("page_size")?).unsigned_abs();
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

fn drop_through(
    connection: &Connection,
    stock: &Stock,
    through: u64,
    now: Millis,
) -> rusqlite::Result<(Dropped, Head)> {
    let at = through.cast_signed();
    let hash: Vec<u8> =
        connection.query_row("SELECT hash FROM records WHERE seq = ?1", [at], |row| row.get(0))?;
    let mut runs = connection.prepare("SELECT run FROM commands WHERE seq <= ?1")?;
    let runs = runs.query_map([at], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for table in ["records", "commands", "outputs"] {
        connection.execute(&format!("DELETE FROM {table} WHERE seq <= ?1"), [at])?;
    }
    connection.execute("INSERT OR REPLACE INTO base VALUES (1, ?1, ?2)", params![at, hash])?;
    let seal = Record::Sealed(Seal { at: now, through, hash: hex(&hash), count: through + 1 - stock.first });
    let head = put(connection, last(connection)?, &Item::of(&seal), None)?;
    Ok((Dropped { runs }, head))
}
