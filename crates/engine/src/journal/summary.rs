//! One command as one line of a list, derived from records and from nothing else. Pure.

use super::record::{
    AskedRecord, BeginRecord, EndRecord, JournalRecord, JudgedRecord, Millis, RefusedRecord,
};
use runward_core::render::{command_line, one_line};
use serde::Serialize;

/// How far a command is known to have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordState {
    /// It has begun, and its runner is alive.
    Running,
    /// It ended; the code says how.
    Ended,
    /// It may not run.
    Refused,
    /// It could not be started.
    Failed,
    /// It has begun, and its runner is gone.
    Interrupted,
    /// It was judged for a client, whose own shell runs it.
    Judged,
}

impl RecordState {
    const ALL: [RecordState; 6] = [
        RecordState::Running,
        RecordState::Ended,
        RecordState::Refused,
        RecordState::Failed,
        RecordState::Interrupted,
        RecordState::Judged,
    ];

    /// Its number in the store.
    pub(super) fn number(self) -> i64 {
        self as i64
    }

    /// The state of that number.
    pub(super) fn of_number(number: i64) -> Option<RecordState> {
        Self::ALL.into_iter().find(|state| state.number() == number)
    }

    /// Its stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            RecordState::Running => "running",
            RecordState::Ended => "ended",
            RecordState::Refused => "refused",
            RecordState::Failed => "failed",
            RecordState::Interrupted => "interrupted",
            RecordState::Judged => "judged",
        }
    }
}

/// What a list shows of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The run.
    pub run: String,
    /// When it was asked for.
    pub at: Millis,
    /// The door.
    pub door: String,
    /// The program's name, without its folder; or the commands in a text: `git push, tail`.
    pub program: String,
    /// The command, as a person would type it, masked.
    pub line: String,
    /// How far it came.
    pub state: RecordState,
    /// Its exit code, as a door that needs a number would give it.
    pub code: Option<i64>,
    /// How long it took.
    pub took_ms: Option<u64>,
    /// Bytes it printed.
    pub bytes: Option<u64>,
    /// The mark of its runner.
    pub runner: Option<String>,
}

/// What the end of a command adds to its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutcomeSummary {
    pub(super) state: RecordState,
    pub(super) code: Option<i64>,
    pub(super) took_ms: Option<u64>,
    pub(super) bytes: Option<u64>,
}

impl OutcomeSummary {
    /// What a record says about how a command ended; nothing if it does not say.
    pub(super) fn of(record: &JournalRecord<'_>) -> Option<Self> {
        match record {
            JournalRecord::End(end) => Some(Self::of_end(end)),
            JournalRecord::Observed(observed) => Some(Self {
                state: RecordState::Ended,
                code: observed.exit_code.map(i64::from),
                took_ms: Some(observed.duration_ms),
                bytes: None,
            }),
            JournalRecord::Interrupted { .. } => {
                Some(Self { state: RecordState::Interrupted, code: None, took_ms: None, bytes: None })
            }
            _ => None,
        }
    }

    fn of_end(end: &EndRecord) -> Self {
        if end.failed.is_some() {
            return Self {
                state: RecordState::Failed,
                code: None,
                took_ms: Some(end.duration_ms),
                bytes: None,
            };
        }
        let by_signal =
            || runward_core::record::Signal::named(end.signal.as_deref()?).map(|signal| 128 + signal.0);
        Self {
            state: RecordState::Ended,
            code: end.exit_code.or_else(by_signal).map(i64::from),
            took_ms: Some(end.duration_ms),
            bytes: Some(end.stdout.bytes + end.stderr.bytes),
        }
    }
}

impl Summary {
    /// The line that a first record makes; nothing for every other record.
    pub(super) fn of(record: &JournalRecord<'_>) -> Option<Self> {
        match record {
            JournalRecord::Begin(begin) => Some(Self::begun(begin)),
            JournalRecord::Refused(refused) => Some(Self::refused(refused)),
            JournalRecord::Judged(judged) => Some(Self::judged(judged)),
            _ => None,
        }
    }

    fn begun(begin: &BeginRecord<'_>) -> Self {
        Self {
            run: begin.id.clone(),
            at: begin.at,
            door: begin.asker.door.to_string(),
            program: named(&begin.comes_to, &begin.program),
            line: line(&begin.asked),
            state: RecordState::Running,
            code: None,
            took_ms: None,
            bytes: None,
            runner: Some(begin.runner.mark.to_string()),
        }
    }

    fn judged(judged: &JudgedRecord) -> Self {
        Self {
            run: judged.id.clone(),
            at: judged.at,
            door: judged.asker.door.to_string(),
            program: named(&judged.comes_to, first_word(&judged.asked)),
            line: line(&judged.asked),
            state: RecordState::Judged,
            code: None,
            took_ms: None,
            bytes: None,
            runner: None,
        }
    }

    fn refused(refused: &RefusedRecord) -> Self {
        let policy = refused.trouble.code.starts_with("policy.");
        Self {
            run: refused.id.clone(),
            at: refused.at,
            door: refused.asker.door.to_string(),
            program: named(
                &refused.comes_to,
                refused.program.as_deref().unwrap_or_else(|| first_word(&refused.asked)),
            ),
            line: line(&refused.asked),
            state: if policy { RecordState::Refused } else { RecordState::Failed },
            code: None,
            took_ms: None,
            bytes: None,
            runner: None,
        }
    }
}

/// The command as a person would type it, in one line.
pub(super) fn line(asked: &AskedRecord<'_>) -> String {
    match asked {
        AskedRecord::Exec(words) => command_line(words.iter().map(AsRef::<str>::as_ref)),
        AskedRecord::Shell(text) => one_line(text.trim()),
    }
}

fn first_word<'a>(asked: &'a AskedRecord<'_>) -> &'a str {
    match asked {
        AskedRecord::Exec(words) => words.first().map_or("", AsRef::as_ref),
        AskedRecord::Shell(_) => "",
    }
}

/// The names of a command: the commands in it where they are known, else the program.
fn named(comes_to: &[String], program: &str) -> String {
    if comes_to.is_empty() { name_of(program) } else { comes_to.join(", ") }
}

fn name_of(program: &str) -> String {
    program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
}
