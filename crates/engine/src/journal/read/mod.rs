//! Looking into a journal while others write it. May not change anything in it.
//!
//! Read first: [`Reader`].

mod cast;
mod filter;
mod scan;
mod stats;
mod verify;
mod whole;

pub use cast::cast;
pub use filter::{Filter, Outcome};
pub use stats::{Share, Stats};
pub use verify::{Broken, Verified};
pub use whole::Whole;

use super::alive;
use super::record::{Millis, Record};
use super::store::schema::{Places, to_read};
use super::store::seek;
use super::summary::{State, Summary};
use crate::session::Source;
use runward_core::error::{Code, Coded};
use runward_core::output::Stream;
use rusqlite::{Connection, OptionalExtension, Row};
use std::path::{Path, PathBuf};

/// A journal that is open for reading.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    places: Places,
    spool: Option<PathBuf>,
}

/// A command in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The number of its first record.
    pub seq: u64,
    /// The number of its last record, if it has one.
    pub end: Option<u64>,
    /// What a list shows of it.
    pub summary: Summary,
}

/// A journal that cannot be read, or does not have what is asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It cannot be read.
    #[error("the journal cannot be read: {0}")]
    Unreadable(#[from] rusqlite::Error),
    /// It has no such command.
    #[error("the journal has no command with the id `{id}`")]
    Unknown {
        /// What was asked for.
        id: String,
    },
    /// Several commands have such an id.
    #[error("{count} commands have an id that begins with `{id}`")]
    Several {
        /// What was asked for.
        id: String,
        /// How many.
        count: usize,
    },
    /// A record does not say what it should.
    #[error("record {seq} of the journal cannot be understood: {why}")]
    Garbled {
        /// Which.
        seq: u64,
        /// Why.
        why: String,
    },
    /// Something was changed after it was written.
    #[error(transparent)]
    Broken(#[from] Broken),
}

impl Coded for ReadError {
    fn code(&self) -> Code {
        match self {
            ReadError::Unreadable(_) => Code::JournalUnavailable,
            ReadError::Unknown { .. } | ReadError::Several { .. } => Code::JournalUnknown,
            ReadError::Garbled { .. } | ReadError::Broken(_) => Code::JournalBroken,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            ReadError::Unreadable(_) => {
                "Check the folder that `runward doctor` names: it must be readable and hold a journal of this version."
                    .to_owned()
            }
            ReadError::Unknown { .. } => "See `runward log` for the commands there are.".to_owned(),
            ReadError::Several { .. } => "Write more of it: an id is 36 letters long.".to_owned(),
            ReadError::Garbled { .. } => "Run `runward log --verify` to see whether others are broken too.".to_owned(),
            ReadError::Broken(_) => {
                "Keep a copy of the folder, and ask who can write to it: nothing in Runward changes a record.".to_owned()
            }
        })
    }
}

/// The first letters of an id that are enough to ask for it: the moment it was made.
pub const SHORT: usize = 13;

const COLUMNS: &str = "seq, end, run, at, door, program, line, state, code, took, bytes, runner";

impl Reader {
    /// Opens the journal in this folder; none if there is none yet. The spool's folder may hold more of its output.
    pub fn open(folder: &Path, spool: Option<&Path>) -> Result<Option<Self>, ReadError> {
        let places = Places { folder: folder.to_owned() };
        let file = places.database();
        if std::fs::metadata(&file).is_ok_and(|found| found.len() == 0) || !file.exists() {
            return Ok(None);
        }
        let connection = to_read(&file)?;
        // Whoever makes it may not have come further yet.
        if connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? == 0 {
            return Ok(None);
        }
        Ok(Some(Self { connection, places, spool: spool.map(Path::to_owned) }))
    }

    /// The command with this id, or with an id that begins like this.
    pub fn find(&self, id: &str) -> Result<Found, ReadError> {
        let all = seek::beginning_with(&self.connection, id)?;
        match all[..] {
            [] => Err(ReadError::Unknown { id: id.to_owned() }),
            [seq] => Ok(self.alive(self.command(seq)?)),
            _ => Err(ReadError::Several { id: id.to_owned(), count: all.len() }),
        }
    }

    fn command(&self, seq: i64) -> Result<Found, ReadError> {
        let text = format!("SELECT {COLUMNS} FROM commands WHERE seq = ?1");
        Ok(self.connection.prepare_cached(&text)?.query_row([seq], found)?)
    }

    /// A command that is said to run, and whose runner is gone, was interrupted.
    fn alive(&self, mut found: Found) -> Found {
        let runner = found.summary.runner.as_deref();
        let gone = || !runner.is_some_and(|mark| alive::is_alive(&self.places.alive(), mark));
        if found.summary.state == State::Running && gone() {
            found.summary.state = State::Interrupted;
        }
        found
    }

    /// One record.
    pub fn record(&self, seq: u64) -> Result<Option<Record<'static>>, ReadError> {
        let mut one = self.connection.prepare_cached("SELECT body FROM records WHERE seq = ?1")?;
        let body = one.query_row([seq.cast_signed()], |row| row.get::<_, String>(0)).optional()?;
        let read = |body: String| {
            serde_json::from_str(&body).map_err(|error| ReadError::Garbled { seq, why: error.to_string() })
        };
        body.map(read).transpose()
    }

    /// Everything about one command.
    pub fn whole(&self, found: &Found) -> Result<Whole, ReadError> {
        let missing = || ReadError::Garbled { seq: found.seq, why: "it is not there".to_owned() };
        let first = self.record(found.seq)?.ok_or_else(missing)?;
        let last = found.end.map(|seq| self.record(seq)).transpose()?.flatten();
        Ok(Whole { state: found.summary.state, first, last })
    }

    /// Every record, in order, as it is written: its number, its text, its hash.
    pub fn each(&self, mut told: impl FnMut(u64, &str, &[u8])) -> Result<(), ReadError> {
        let mut all = self.connection.prepare("SELECT seq, body, hash FROM records ORDER BY seq")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let seq = row.get::<_, i64>(0)?.unsigned_abs();
            let (body, hash) = (row.get_ref(1)?, row.get_ref(2)?);
            if let (Ok(body), Ok(hash)) = (body.as_str(), hash.as_blob()) {
                told(seq, body, hash);
            }
        }
        Ok(())
    }

    /// The rules that would have covered what people agreed to, as TOML, oldest first.
    pub fn each_agreed(&self, mut told: impl FnMut(String)) -> Result<(), ReadError> {
        let text =
            "SELECT body ->> 'agreed' FROM records WHERE kind = 'begin' AND body ->> 'agreed' IS NOT NULL";
        let mut all = self.connection.prepare(text)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            told(row.get(0)?);
        }
        Ok(())
    }

    /// What a command printed: masked from the journal, or as it was from the spool. None where nobody kept it.
    pub fn output(&self, found: &Found, stream: Stream) -> Result<Option<Vec<u8>>, ReadError> {
        let column = stream_name(stream);
        let text = format!("SELECT {column} FROM outputs WHERE seq = ?1");
        let kept = self
            .connection
            .query_row(&text, [found.seq.cast_signed()], |row| row.get(0))
            .optional()?
            .flatten();
        let spooled = || {
            let file = self.spool.as_ref()?.join(format!("{}.{column}", found.summary.run));
            std::fs::read(file).ok()
        };
        Ok(kept.or_else(spooled))
    }

    /// Where a stream of a command of the past is.
    pub(super) fn source(&self, found: &Found, stream: Stream) -> Result<Source, ReadError> {
        let file = self
            .spool
            .as_ref()
            .map(|spool| spool.join(format!("{}.{}", found.summary.run, stream_name(stream))));
        let spooled = file.and_then(|file| Some((std::fs::metadata(&file).ok()?.len(), file)));
        Ok(match spooled {
            Some((len, file)) => Source::File(file, len),
            None => Source::Bytes(self.output(found, stream)?.unwrap_or_default()),
        })
    }

    /// When pieces of a terminal's output came: milliseconds, and bytes until then.
    pub fn beats(&self, found: &Found) -> Result<Vec<(u64, u64)>, ReadError> {
        let text = "SELECT beats FROM outputs WHERE seq = ?1";
        let row =
            self.connection.query_row(text, [found.seq.cast_signed()], |row| row.get::<_, Option<String>>(0));
        let beats = row.optional()?.flatten().unwrap_or_default();
        Ok(serde_json::from_str(&beats).unwrap_or_default())
    }

    /// The number of the newest record.
    pub fn newest(&self) -> Result<u64, ReadError> {
        let newest = self
            .connection
            .query_row("SELECT max(seq) FROM records", [], |row| row.get::<_, Option<i64>>(0))?;
        Ok(newest.unwrap_or(0).unsigned_abs())
    }

    /// How many records there are. Their numbers have no holes; verifying looks whether that is so.
    pub fn count(&self) -> Result<u64, ReadError> {
        let text = "SELECT coalesce(max(seq), 0) FROM base";
        let dropped: i64 = self.connection.query_row(text, [], |row| row.get(0))?;
        Ok(self.newest()?.saturating_sub(dropped.unsigned_abs()))
    }

    /// The commands whose first or last record came after this one, in the order in which they ended.
    pub fn since_record(&self, seq: u64) -> Result<Vec<Found>, ReadError> {
        let text = "SELECT DISTINCT run FROM records WHERE seq > ?1 AND run IS NOT NULL";
        let mut runs = self.connection.prepare_cached(text)?;
        let runs = runs
            .query_map([seq.cast_signed()], |row| row.get::<_, String>(0))?
            .collect::<Result<Vec<_>, _>>()?;
        let mut all = Vec::new();
        for run in runs {
            if let Some(seq) = seek::run(&self.connection, &run)? {
                all.push(self.alive(self.command(seq)?));
            }
        }
        all.sort_by_key(|found| found.end);
        Ok(all)
    }
}

/// The name of a stream's file and column.
fn stream_name(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    }
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    let number = |value: Option<i64>| value.map(i64::unsigned_abs);
    Ok(Found {
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        end: number(row.get(1)?),
        summary: Summary {
            run: row.get(2)?,
            at: row.get::<_, i64>(3)?.unsigned_abs() as Millis,
            door: row.get(4)?,
            program: row.get(5)?,
            line: row.get(6)?,
            state: State::of_number(row.get(7)?).unwrap_or(State::Interrupted),
            code: row.get(8)?,
            took_ms: number(row.get(9)?),
            bytes: number(row.get(10)?),
            runner: row.get(11)?,
        },
    })
}
