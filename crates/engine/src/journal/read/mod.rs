//! Reads a journal while other processes write it. May not change anything in it.
//!
//! Read first: [`JournalReader`].

mod cast;
mod filter;
mod scan;
mod spooled;
mod stats;
mod verify;
mod whole;

pub use cast::cast;
pub use filter::{Filter, OutcomeFilter};
pub use stats::{Share, Stats};
pub use verify::Verified;
pub use whole::Whole;

use super::alive;
use super::chain::ChainLink;
use super::head::{self, HeadSays};
use super::record::{COVERING, JournalRecord, Millis};
use super::store::schema::{JournalPaths, OLDER, RULES, holds_together, is_cut, to_read, version};
use super::store::seek;
use super::summary::{RecordState, Summary};
use crate::session::StreamSource;
use runward_core::error::{Code, Coded};
use runward_core::output::Stream;
use runward_core::render::{some_ids, word};
use rusqlite::{Connection, OptionalExtension, Row};
use std::io;
use std::path::{Path, PathBuf};

/// A journal that is open for reading.
#[derive(Debug)]
pub struct JournalReader {
    connection: Connection,
    places: JournalPaths,
    spool: Option<PathBuf>,
    /// It has an older format, and no process with write access has upgraded it.
    older: bool,
}

/// The first record that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal is broken at record {seq}: {what}")]
pub struct BrokenRecord {
    /// The number of the record.
    pub seq: u64,
    /// In which way.
    pub what: String,
}

fn broken<T>(seq: u64, what: impl Into<String>) -> Result<T, ReadError> {
    Err(BrokenRecord { seq, what: what.into() }.into())
}

/// A command in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedCommand {
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
    /// A part of it cannot be read.
    #[error("the journal cannot be read: `{path}`: {why}")]
    Unopened {
        /// Which part.
        path: String,
        /// What the system said.
        why: String,
    },
    /// There was a journal, and it is gone.
    #[error("the journal was taken away: its head names record {last}, and the database is missing or empty")]
    TakenAway {
        /// The last record that the head names.
        last: u64,
    },
    /// Other processes wrote all the time.
    #[error("the journal cannot be verified while others write it without a pause")]
    Busy,
    /// It has no such command.
    #[error("the journal has no command with the id `{id}`")]
    Unknown {
        /// What was asked for.
        id: String,
    },
    /// Several commands have such an id.
    #[error("{} commands have an id that begins or ends with `{id}`: {}", all.len(), some_ids(all))]
    Several {
        /// What was asked for.
        id: String,
        /// Which, as whole ids.
        all: Vec<String>,
    },
    /// A record does not say what it should.
    #[error("record {seq} of the journal cannot be understood: {why}")]
    Garbled {
        /// The number of the record.
        seq: u64,
        /// What is wrong with it.
        why: String,
    },
    /// Something was changed after it was written.
    #[error(transparent)]
    Broken(#[from] BrokenRecord),
}

impl Coded for ReadError {
    fn code(&self) -> Code {
        match self {
            ReadError::Unreadable(_) | ReadError::Unopened { .. } | ReadError::Busy => {
                Code::JournalUnavailable
            }
            ReadError::TakenAway { .. } => Code::JournalTakenAway,
            ReadError::Unknown { .. } | ReadError::Several { .. } => Code::JournalUnknown,
            ReadError::Garbled { .. } | ReadError::Broken(_) => Code::JournalBroken,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            ReadError::Busy => "Ask again in a moment.".to_owned(),
            ReadError::TakenAway { .. } => {
                "Find out who removed it; the next command begins a new one and records that.".to_owned()
            }
            ReadError::Unreadable(_) | ReadError::Unopened { .. } => {
                "Check the folder that `runward doctor` names: it must be readable and hold a journal of this version. `runward log --set-aside` keeps what is there and begins a new one."
                    .to_owned()
            }
            ReadError::Unknown { .. } => "See `runward log` for the commands there are.".to_owned(),
            ReadError::Several { .. } => "Write one of these ids, or more characters of it.".to_owned(),
            ReadError::Garbled { .. } => "Run `runward log --verify` to see whether others are broken too.".to_owned(),
            ReadError::Broken(_) => {
                "Ask who can write to its folder: nothing in Runward changes a record. `runward log --set-aside` keeps it and begins a new one.".to_owned()
            }
        })
    }
}

const COLUMNS: &str = "seq, end, run, at, door, program, line, state, code, took, bytes, runner";

impl JournalReader {
    /// Opens the journal in this folder; none if there is none yet. The spool's folder may hold more of its output.
    /// A journal with a part cut off is an error, also where what is asked for would still be there.
    pub fn open(folder: &Path, spool: Option<&Path>) -> Result<Option<Self>, ReadError> {
        let database = JournalPaths { folder: folder.to_owned() }.database();
        let cut = is_cut(&database);
        let reader = Self::open_beside(folder, spool)?;
        if let Some(reader) = reader.as_ref().filter(|_| cut) {
            holds_together(&reader.connection).map_err(|error| unopened(&database, &error))?;
        }
        Ok(reader)
    }

    /// The same in a process that may be writing it: its own locks on the file must not be released.
    pub(super) fn open_beside(folder: &Path, spool: Option<&Path>) -> Result<Option<Self>, ReadError> {
        let places = JournalPaths { folder: folder.to_owned() };
        let none = || nothing_there(&places).map(|()| None);
        if !is_there(&places)? {
            return none();
        }
        let connection = to_read(&places.database())?;
        // The process that makes it may not have come further yet.
        let version = version(&connection)?;
        if version == 0 {
            return none();
        }
        if ![OLDER, RULES].contains(&version) {
            let what = format!("it was written by another version of Runward ({version}, not {RULES})");
            return Err(unopened(&places.database(), &io::Error::other(what)));
        }
        let older = version == OLDER;
        let marks = "SELECT count(*) FROM sqlite_schema WHERE name = 'marks'";
        if older && connection.query_row(marks, [], |row| row.get::<_, i64>(0))? > 0 {
            return broken(1, "the database says that it is older than it is");
        }
        Ok(Some(Self { connection, places, spool: spool.map(Path::to_owned), older }))
    }

    fn unreadable(&self, part: &str, error: &io::Error) -> ReadError {
        unopened(&self.places.folder.join(part), error)
    }

    /// The command with this id, or with an id that begins or ends like this.
    pub fn find(&self, id: &str) -> Result<RecordedCommand, ReadError> {
        let all = seek::meant_by(&self.connection, id)?;
        match all[..] {
            [] => Err(ReadError::Unknown { id: id.to_owned() }),
            [seq] => Ok(self.alive(self.command(seq)?)),
            _ => {
                let names = all.iter().map(|seq| self.command(*seq).map(|found| found.summary.run));
                Err(ReadError::Several { id: id.to_owned(), all: names.collect::<Result<_, _>>()? })
            }
        }
    }

    fn command(&self, seq: i64) -> Result<RecordedCommand, ReadError> {
        let text = format!("SELECT {COLUMNS} FROM commands WHERE seq = ?1");
        Ok(self.connection.prepare_cached(&text)?.query_row([seq], found)?)
    }

    /// A command that is recorded as running, with a runner that is gone, was interrupted.
    fn alive(&self, mut found: RecordedCommand) -> RecordedCommand {
        let runner = found.summary.runner.as_deref();
        let gone = || !runner.is_some_and(|mark| alive::is_alive(&self.places.alive(), mark));
        if found.summary.state == RecordState::Running && gone() {
            found.summary.state = RecordState::Interrupted;
        }
        found
    }

    /// One record.
    pub fn record(&self, seq: u64) -> Result<Option<JournalRecord<'static>>, ReadError> {
        let mut one = self.connection.prepare_cached("SELECT body, hash FROM records WHERE seq = ?1")?;
        let mut rows = one.query([seq.cast_signed()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let Ok(body) = row.get_ref(0)?.as_str() else { return broken(seq, "it is not text") };
        let link = self.link_before(seq)?.map(|before| before.next(seq, body));
        if link.is_some_and(|link| {
            row.get_ref(1).ok().and_then(|hash| hash.as_blob().ok()) != Some(link.as_bytes())
        }) {
            return broken(seq, "its text does not match its hash");
        }
        let read = |error: serde_json::Error| ReadError::Garbled { seq, why: error.to_string() };
        serde_json::from_str(body).map(JournalRecord::in_words_of_today).map(Some).map_err(read)
    }

    /// The hash that a record is chained to, if it is there.
    fn link_before(&self, seq: u64) -> Result<Option<ChainLink>, ReadError> {
        if seq == 1 {
            return Ok(Some(ChainLink::ORIGIN));
        }
        let text = "SELECT hash FROM records WHERE seq = ?1 UNION ALL SELECT hash FROM base WHERE seq = ?1";
        let before = seq.saturating_sub(1).cast_signed();
        let mut one = self.connection.prepare_cached(text)?;
        let hash = one.query_row([before], |row| row.get::<_, Vec<u8>>(0)).optional()?;
        Ok(hash.and_then(|hash| ChainLink::from_bytes(&hash)))
    }

    /// Everything about one command.
    pub fn whole(&self, found: &RecordedCommand) -> Result<Whole, ReadError> {
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
            let (Ok(body), Ok(hash)) = (body.as_str(), hash.as_blob()) else {
                return broken(seq, "it is not text with a hash");
            };
            told(seq, body, hash);
        }
        Ok(())
    }

    /// The rules that would have allowed what people approved, as TOML, oldest first.
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

    /// A command's output: masked from the journal, or unmasked from the spool. None where it was not kept. What
    /// was changed since is an error.
    pub fn output(&self, found: &RecordedCommand, stream: Stream) -> Result<Option<Vec<u8>>, ReadError> {
        self.is_covered(found)?;
        let column = stream_name(stream);
        let text = format!("SELECT {column} FROM outputs WHERE seq = ?1");
        let kept = self
            .connection
            .query_row(&text, [found.seq.cast_signed()], |row| row.get(0))
            .optional()?
            .flatten();
        let spooled = || {
            let file = self.spool.as_ref()?.join(format!("{}.{column}", found.summary.run));
            plain_file(&file).and_then(|_| std::fs::read(file)).ok()
        };
        Ok(kept.or_else(spooled))
    }

    /// The stored output is what the record of the end covers, if there is one.
    fn is_covered(&self, found: &RecordedCommand) -> Result<(), ReadError> {
        let Some(seq) = found.end else { return Ok(()) };
        let Some(JournalRecord::End(end)) = self.record(seq)? else { return Ok(()) };
        if end.schema < COVERING {
            return Ok(());
        }
        if end.id != found.summary.run {
            return broken(found.seq, "the list of commands shows another ending");
        }
        match &end.stored {
            Some(stored) => self.is_stored(seq, found.seq.cast_signed(), stored)?,
            None => self.is_stored_nowhere(found)?,
        }
        for (name, printed) in [("stdout", &end.stdout), ("stderr", &end.stderr)] {
            let file = self.spool.as_ref().map(|spool| spool.join(format!("{}.{name}", end.id)));
            let (Some(piece), Some(file)) = (&printed.spool, file) else { continue };
            // A missing file may have been removed in order.
            if spooled::digest_of(&file).is_ok_and(|held| held != *piece) {
                return broken(seq, "its output in the spool was changed after it was written");
            }
        }
        Ok(())
    }

    fn is_stored_nowhere(&self, found: &RecordedCommand) -> Result<(), ReadError> {
        let text = "SELECT count(*) FROM outputs WHERE seq = ?1";
        let count: i64 = self.connection.query_row(text, [found.seq.cast_signed()], |row| row.get(0))?;
        if count == 0 { Ok(()) } else { broken(found.seq, "output is stored for it that no record mentions") }
    }

    /// Where a stream of a command of the past is.
    pub(super) fn source(&self, found: &RecordedCommand, stream: Stream) -> Result<StreamSource, ReadError> {
        let file = self
            .spool
            .as_ref()
            .map(|spool| spool.join(format!("{}.{}", found.summary.run, stream_name(stream))));
        let spooled = file.and_then(|file| Some((std::fs::metadata(&file).ok()?.len(), file)));
        Ok(match spooled {
            Some((len, file)) => StreamSource::File(file, len),
            None => StreamSource::Bytes(self.output(found, stream)?.unwrap_or_default()),
        })
    }

    /// When chunks of a terminal's output came: milliseconds, and bytes until then.
    pub fn beats(&self, found: &RecordedCommand) -> Result<Vec<(u64, u64)>, ReadError> {
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

    /// The commands with a first or last record after this one, in the order in which they ended.
    pub fn since_record(&self, seq: u64) -> Result<Vec<RecordedCommand>, ReadError> {
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

/// Whether this is a file, and how long it is; none where there is nothing. Anything else there is an error.
fn plain_file(path: &Path) -> io::Result<Option<u64>> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found.len())),
        Ok(_) => Err(io::Error::other("it is not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn unopened(path: &Path, error: &io::Error) -> ReadError {
    ReadError::Unopened { path: word(path.as_os_str()), why: error.to_string() }
}

/// Whether there is a database. Something else in its place is an error.
fn is_there(places: &JournalPaths) -> Result<bool, ReadError> {
    match std::fs::metadata(&places.folder) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(unopened(&places.folder, &io::Error::other("it is no folder"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(unopened(&places.folder, &error)),
    }
    let file = places.database();
    let len = plain_file(&file).map_err(|error| unopened(&file, &error))?;
    Ok(len.is_some_and(|len| len > 0))
}

/// Without a database there was never a record, or it was removed: then its head is still there.
fn nothing_there(places: &JournalPaths) -> Result<(), ReadError> {
    let file = places.head();
    let says = plain_file(&file).and_then(|_| head::look(&file)).map_err(|error| unopened(&file, &error))?;
    match says.by_older_rules() {
        HeadSays::Nothing => Ok(()),
        HeadSays::Garbage | HeadSays::NamesOne(_) => {
            broken(1, "the database is missing or empty, and the head is damaged")
        }
        HeadSays::Names(pair) => Err(ReadError::TakenAway { last: pair.next.seq }),
    }
}

/// Whether there was a journal, or something else is in its place.
pub(super) fn is_gone(places: &JournalPaths) -> bool {
    is_there(places).is_err() || is_there(places).is_ok_and(|there| !there && nothing_there(places).is_err())
}

/// Whether there is a journal of an older format, which the next writer upgrades.
pub(super) fn is_older(places: &JournalPaths) -> bool {
    let older = |connection: Connection| version(&connection).is_ok_and(|version| version == OLDER);
    is_there(places).unwrap_or(false) && to_read(&places.database()).is_ok_and(older)
}

/// The name of a stream's file and column.
fn stream_name(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    }
}

fn found(row: &Row<'_>) -> rusqlite::Result<RecordedCommand> {
    let number = |value: Option<i64>| value.map(i64::unsigned_abs);
    Ok(RecordedCommand {
        seq: row.get::<_, i64>(0)?.unsigned_abs(),
        end: number(row.get(1)?),
        summary: Summary {
            run: row.get(2)?,
            at: row.get::<_, i64>(3)?.unsigned_abs() as Millis,
            door: row.get(4)?,
            program: row.get(5)?,
            line: row.get(6)?,
            state: RecordState::of_number(row.get(7)?).unwrap_or(RecordState::Interrupted),
            code: row.get(8)?,
            took_ms: number(row.get(9)?),
            bytes: number(row.get(10)?),
            runner: row.get(11)?,
        },
    })
}
