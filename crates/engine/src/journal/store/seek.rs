//! Search by time: record numbers grow with it, and the id of a run begins with it.
//!
//! Records of several processes are written in nearly the order of their clocks; how far apart they may be is
//! [`OUT_OF_ORDER`]. A command that waits for a person has its id before it begins: see [`LONGEST_ASK`]. An id that
//! is not found where it belongs is looked for everywhere: the clock may have been set back.

use crate::journal::record::Millis;
use rusqlite::{Connection, OptionalExtension};
use std::ops::Range;

/// A record may wait a little before it is written.
const OUT_OF_ORDER: Millis = 120_000;

/// How long a command may wait for a person, between getting its id and beginning.
const LONGEST_ASK: Millis = 3_600_000;

/// Whether the time of one more record says that the clock was set back; keeps the latest time since it last was.
pub(in crate::journal) fn turns(latest: &mut Millis, at: Millis) -> bool {
    let turned = at.saturating_add(OUT_OF_ORDER) < *latest;
    *latest = if turned { at } else { at.max(*latest) };
    turned
}

/// The number of the first command at this moment or later. Times are nearly ordered between two turns of the clock.
pub(in crate::journal) fn moment(connection: &Connection, at: Millis) -> rusqlite::Result<i64> {
    let at = at.saturating_sub(OUT_OF_ORDER).cast_signed();
    let end = |order: &str| {
        let text = format!("SELECT seq FROM commands ORDER BY seq {order} LIMIT 1");
        connection.prepare_cached(&text)?.query_row([], |row| row.get::<_, i64>(0)).optional()
    };
    let (Some(first), Some(last)) = (end("ASC")?, end("DESC")?) else { return Ok(0) };
    let mut low = first;
    for turn in all_turns(connection)?.into_iter().filter(|turn| *turn > first && *turn <= last) {
        let found = between_turns(connection, at, low..turn)?;
        if found < turn {
            return Ok(found);
        }
        low = turn;
    }
    between_turns(connection, at, low..last)
}

/// The records at which the clock had been set back. Journals of an older format do not know.
fn all_turns(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    let Ok(mut all) = connection.prepare_cached("SELECT seq FROM turns ORDER BY seq") else {
        return Ok(Vec::new());
    };
    all.query_map([], |row| row.get(0))?.collect()
}

/// The number of the first command with a time that is not earlier, or the end of the range.
fn between_turns(connection: &Connection, at: i64, range: Range<i64>) -> rusqlite::Result<i64> {
    let (mut low, mut high) = (range.start, range.end);
    let mut next =
        connection.prepare_cached("SELECT seq, at FROM commands WHERE seq >= ?1 ORDER BY seq LIMIT 1")?;
    // Everything before `low` is too early; `high` or something before it is not, or nothing is.
    while low < high {
        let middle = low + (high - low) / 2;
        let (seq, found): (i64, i64) = next.query_row([middle], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if seq >= high {
            high = middle;
        } else if found < at {
            low = (seq + 1).min(high);
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// The number of the command with this id.
pub(in crate::journal) fn run(connection: &Connection, run: &str) -> rusqlite::Result<Option<i64>> {
    Ok(beginning_with(connection, run)?.first().copied())
}

/// The numbers of the commands with an id that begins like this.
pub(in crate::journal) fn beginning_with(
    connection: &Connection,
    beginning: &str,
) -> rusqlite::Result<Vec<i64>> {
    let Some((from, to)) = times(beginning) else { return Ok(Vec::new()) };
    let until = moment(connection, to.saturating_add(LONGEST_ASK + 2 * OUT_OF_ORDER))?;
    let found = between(connection, beginning, (moment(connection, from)?, until))?;
    if found.is_empty() { between(connection, beginning, (0, i64::MAX)) } else { Ok(found) }
}

/// The numbers of the commands with an id that begins or ends like this, oldest first. The end of an id says nothing
/// about its time, so all are looked at.
pub(in crate::journal) fn meant_by(connection: &Connection, written: &str) -> rusqlite::Result<Vec<i64>> {
    let mut all = beginning_with(connection, written)?;
    if written.is_empty() || written.len() >= WHOLE {
        return Ok(all);
    }
    let letters = i64::try_from(written.len()).unwrap_or(i64::MAX);
    let text = "SELECT seq FROM commands WHERE substr(run, -?1) = ?2 LIMIT 100";
    let mut found = connection.prepare_cached(text)?;
    let rows = found.query_map(rusqlite::params![letters, written], |row| row.get::<_, i64>(0))?;
    all.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// The commands with these numbers and an id that begins like this.
fn between(
    connection: &Connection,
    beginning: &str,
    (from, until): (i64, i64),
) -> rusqlite::Result<Vec<i64>> {
    let text = "SELECT seq FROM commands WHERE seq BETWEEN ?1 AND ?2 AND substr(run, 1, ?3) = ?4 LIMIT ?5";
    // A whole id is there once, so nothing after it has to be looked at.
    let most = if beginning.len() == WHOLE { 1 } else { 100 };
    let mut found = connection.prepare_cached(text)?;
    let letters = i64::try_from(beginning.len()).unwrap_or(i64::MAX);
    let rows = found.query_map(rusqlite::params![from, until, letters, beginning, most], |row| row.get(0))?;
    rows.collect()
}

/// Characters of a whole id.
const WHOLE: usize = 36;

/// The first and the last moment at which an id may begin like this.
fn times(beginning: &str) -> Option<(Millis, Millis)> {
    const DIGITS: usize = 12;
    let digits: String = beginning.chars().filter(|c| *c != '-').take(DIGITS).collect();
    if digits.is_empty() || !beginning.chars().all(|c| c.is_ascii_hexdigit() || c == '-') {
        return None;
    }
    let filled = |with: char| {
        let rest: String = std::iter::repeat_n(with, DIGITS - digits.len()).collect();
        Millis::from_str_radix(&(digits.clone() + &rest), 16).ok()
    };
    Some((filled('0')?, filled('f')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_time() {
        let id = uuid::Uuid::now_v7();
        let millis = id.get_timestamp().unwrap().to_unix();
        let millis = millis.0 * 1000 + u64::from(millis.1) / 1_000_000;
        assert_eq!(times(&id.to_string()), Some((millis, millis)));
        let (from, to) = times(&id.to_string()[..8]).unwrap();
        assert!(from <= millis && millis <= to && to - from == 0xffff);
        assert_eq!(times("no"), None);
        assert_eq!(times(""), None);
    }

    #[test]
    fn a_command_is_found_though_the_clock_was_set_back() {
        let connection = Connection::open_in_memory().unwrap();
        let table = "CREATE TABLE commands (seq INTEGER PRIMARY KEY, at INTEGER, run TEXT)";
        connection.execute_batch(table).unwrap();
        let name = |at: i64| format!("{:08x}-{:04x}-7000-8000-000000000000", at >> 16, at & 0xffff);
        let times: Vec<i64> = (0..20).map(|number| number * 600_000 + 1_700_000_000_000).collect();
        // The clock is set back by ten hours.
        for (seq, at) in
            (1_i64..).zip(times.iter().chain(&times).enumerate().map(|(n, at)| at + (n / 20) as i64))
        {
            let row = rusqlite::params![seq, at, name(at)];
            connection.execute("INSERT INTO commands VALUES (?1, ?2, ?3)", row).unwrap();
        }
        for (seq, at) in (21_i64..).zip(&times) {
            assert_eq!(run(&connection, &name(at + 1)).unwrap(), Some(seq), "{at}");
        }
        assert_eq!(run(&connection, &name(5)).unwrap(), None);
    }

    #[test]
    fn a_moment_is_found_among_many() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE commands (seq INTEGER PRIMARY KEY, at INTEGER)").unwrap();
        assert_eq!(moment(&connection, 5).unwrap(), 0, "nothing is there");
        for number in 0..500_i64 {
            // Every third number is a command; each is ten minutes after the one before.
            connection
                .execute("INSERT INTO commands VALUES (?1, ?2)", [number * 3 + 7, number * 600_000])
                .unwrap();
        }
        for number in [0_u64, 1, 2, 250, 498, 499] {
            let found = moment(&connection, number * 600_000 + OUT_OF_ORDER).unwrap();
            let first: i64 = connection
                .query_row(
                    "SELECT min(seq) FROM commands WHERE at >= ?1",
                    [(number * 600_000).cast_signed()],
                    |row| row.get(0),
                )
                .unwrap();
            assert!(found <= first && found + 3 > first, "{number}: {found} and {first}");
        }
    }
}
