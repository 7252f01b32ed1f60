//! The tables (SQLite), and how a connection is opened.
//!
//! `records` is the truth. `commands` is one line for each command, derived from it so that lists are fast; verifying
//! compares the two. Neither has an index: numbers grow with time, and a run's id begins with its time, so everything
//! is found by its time, and the first record of a command touches two pages. `outputs` holds the
//! output of short commands, masked; the digests are in the records. `marks` says how far the journal was counted, and
//! `turns` at which records the clock had been set back.

use super::seek;
use super::tip::holds;
use crate::journal::ending::{EndFound, judge_end};
use crate::journal::head::{HeadSays, JournalHead};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the tables, and of the chain's format: each record is written with one of them.
pub(in crate::journal) const RULES: i64 = 2;

/// The version before it, which is upgraded.
pub(in crate::journal) const OLDER: i64 = 1;

/// Marks the file as ours for other programs.
const APPLICATION: i64 = 0x5275_6e77;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, run TEXT, body TEXT NOT NULL, hash BLOB NOT NULL,
    rules INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE IF NOT EXISTS commands (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, run TEXT NOT NULL, door TEXT NOT NULL, program TEXT NOT NULL,
    line TEXT NOT NULL, state INTEGER NOT NULL, code INTEGER, took INTEGER, bytes INTEGER, end INTEGER, runner TEXT
);
CREATE TABLE IF NOT EXISTS outputs (seq INTEGER PRIMARY KEY, stdout BLOB, stderr BLOB, beats TEXT);
CREATE TABLE IF NOT EXISTS base (
    one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL, latest INTEGER NOT NULL DEFAULT 0
);
";

/// How far it was counted, and where the clock was set back.
const NEWER: &str = "
CREATE TABLE IF NOT EXISTS marks (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL, latest INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS turns (seq INTEGER PRIMARY KEY);
";

/// The upgrade of older tables. An older Runward with the journal still open cannot write into these, opens it again,
/// and says that it is of another version.
const ADDED: &str = "
ALTER TABLE records ADD COLUMN rules INTEGER NOT NULL DEFAULT 1;
ALTER TABLE base ADD COLUMN latest INTEGER NOT NULL DEFAULT 0;
";

/// Where the parts of a journal are.
#[derive(Debug, Clone)]
pub(in crate::journal) struct JournalPaths {
    pub(in crate::journal) folder: PathBuf,
}

impl JournalPaths {
    pub(in crate::journal) fn database(&self) -> PathBuf {
        self.folder.join("journal.db")
    }

    /// The database's write-ahead log, and its index.
    pub(in crate::journal) fn log(&self) -> [PathBuf; 2] {
        ["journal.db-wal", "journal.db-shm"].map(|name| self.folder.join(name))
    }

    pub(in crate::journal) fn head(&self) -> PathBuf {
        self.folder.join("head")
    }

    pub(in crate::journal) fn intake(&self) -> PathBuf {
        self.folder.join("intake")
    }

    pub(in crate::journal) fn alive(&self) -> PathBuf {
        self.folder.join("alive")
    }
}

/// Bytes of the database's write-ahead log.
pub(super) fn log_bytes(places: &JournalPaths) -> u64 {
    std::fs::metadata(places.folder.join("journal.db-wal")).map_or(0, |found| found.len())
}

/// A connection that writes; makes what is missing.
pub(super) fn to_write(places: &JournalPaths, patience: Duration) -> io::Result<Connection> {
    runward_os::private_folder(&places.folder)?;
    let path = places.database();
    // Made by us, so that no other user can read it; what the database adds beside it gets the same permissions.
    let cut = is_short(runward_os::private_log(&path)?)?;
    let connection =
        Connection::open_with_flags(&path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE)).map_err(told)?;
    prepare(&connection, patience).map_err(told)?;
    if cut {
        holds_together(&connection)?;
    }
    Ok(connection)
}

/// Whether the database at a path is shorter than it says itself. An unreadable one is found when it is opened.
pub(in crate::journal) fn is_cut(path: &Path) -> bool {
    runward_os::regular_file(path).and_then(is_short).unwrap_or(false)
}

/// Whether a database is shorter than it says itself. Looked at before there is a connection: closing the file
/// releases the locks that this process has on it.
fn is_short(mut file: File) -> io::Result<bool> {
    let (len, mut header) = (file.metadata()?.len(), [0; 32]);
    if len < header.len() as u64 {
        return Ok(len > 0);
    }
    file.read_exact(&mut header)?;
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        page => u64::from(page),
    };
    let pages = u32::from_be_bytes([header[28], header[29], header[30], header[31]]);
    Ok(len < page * u64::from(pages))
}

/// What is missing in a short database may still be in its log, if a checkpoint was killed. Then all is well.
pub(in crate::journal) fn holds_together(connection: &Connection) -> io::Result<()> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(told)?;
    if found == "ok" { Ok(()) } else { Err(io::Error::other(format!("it is cut, and malformed: {found}"))) }
}

/// A connection that only reads.
pub(in crate::journal) fn to_read(path: &Path) -> rusqlite::Result<Connection> {
    // Reading needs the index of the log, which is a file that may have to be made.
    let connection = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))
        .or_else(|_| Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY)))?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "mmap_size", 1_i64 << 30)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

fn flags(access: OpenFlags) -> OpenFlags {
    access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE
}

fn prepare(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(patience)?;
    // Closing must not wait for the disk: the log is read back by the process that opens the journal next.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let version = version(connection)?;
    if version == 0 {
        make(connection)?;
    } else if ![RULES, OLDER].contains(&version) {
        let what = format!("it was written by another version of Runward ({version}, not {RULES})");
        return Err(rusqlite::Error::ToSqlConversionFailure(what.into()));
    }
    // Records are appended: little of what was written is read again.
    connection.pragma_update(None, "cache_size", -256)?;
    // A waiter for a record must not wait for the checkpoint: it is done when there is no waiter.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    // A log that grew because of a reader is truncated again.
    connection.pragma_update(None, "journal_size_limit", 16_i64 << 20)?;
    // Survives being killed at any point; a power cut may take the last records, and the head then shows it.
    connection.pragma_update(None, "synchronous", "NORMAL")
}

/// Several processes may do this at once: the first makes the tables, and the others find them.
fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let _: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    // Another process may have been faster, and may have written since.
    let made = if version(connection)? == 0 { tables(connection) } else { Ok(()) };
    connection.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    made
}

fn tables(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TABLES)?;
    connection.execute_batch(NEWER)?;
    connection.execute("INSERT INTO marks VALUES (1, 0, 0)", [])?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", RULES)
}

/// The version of the tables that are there; 0 where there are none yet.
pub(in crate::journal) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Upgrades older tables, within a transaction.
pub(super) fn renew(connection: &Connection, last: JournalHead) -> rusqlite::Result<()> {
    connection.execute_batch(ADDED)?;
    connection.execute_batch(NEWER)?;
    let (mut latest, mut all) = (0, connection.prepare("SELECT seq, at FROM records ORDER BY seq")?);
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let (seq, at): (i64, i64) = (row.get(0)?, row.get(1)?);
        if seek::turns(&mut latest, at.unsigned_abs()) {
            connection.execute("INSERT INTO turns VALUES (?1)", [seq])?;
        }
    }
    let marks = [last.seq.cast_signed(), latest.cast_signed()];
    connection.execute("INSERT INTO marks VALUES (1, ?1, ?2)", marks)?;
    connection.pragma_update(None, "user_version", RULES)
}

/// What is wrong with the end of a journal of an older format: its head may lag behind, and names what is there.
pub(super) fn harm_by_older_rules(
    connection: &Connection,
    last: JournalHead,
    says: HeadSays,
) -> rusqlite::Result<EndFound> {
    let says = says.by_older_rules();
    let lags = match says {
        HeadSays::Names(pair) => pair.next.seq <= last.seq && holds(connection, last, pair.next)?,
        HeadSays::Nothing | HeadSays::Garbage | HeadSays::NamesOne(_) => false,
    };
    Ok(if lags { EndFound::Sound } else { judge_end(says, last, Some(last.seq)) })
}

/// Whether the database itself is damaged, by its error.
pub(in crate::journal) fn is_damage(why: &str) -> bool {
    ["malformed", "not a database", "another version"].iter().any(|part| why.contains(part))
}

/// An error beside the database.
pub(super) fn outside(error: io::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

/// The database's error as text.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
pub(in crate::journal) fn told(error: rusqlite::Error) -> io::Error {
    use rusqlite::ErrorCode as E;
    if let rusqlite::Error::ToSqlConversionFailure(inner) = &error
        && let Some(inner) = inner.downcast_ref::<io::Error>()
    {
        return io::Error::new(inner.kind(), inner.to_string());
    }
    let kind = match error.sqlite_error_code() {
        Some(E::DiskFull) => io::ErrorKind::StorageFull,
        Some(E::DatabaseBusy | E::DatabaseLocked) => io::ErrorKind::TimedOut,
        Some(E::PermissionDenied | E::ReadOnly | E::CannotOpen) => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error.to_string())
}
