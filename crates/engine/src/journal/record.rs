//! The records: one before a command starts, one at its end, and a few about the journal itself.
//!
//! This is a published format, like a receipt: it changes only with [`SCHEMA`]. May not hold values of environment
//! variables, nor standard input.

use crate::SpoolPiece;
use runward_core::network::{ConnectionRecord, NetworkReport};
use runward_core::plan::RunId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The version of every record. Since 2 the record of an end covers the stored output.
pub const SCHEMA: u32 = 2;

/// The first version in which the record of an end covers the stored output.
pub(super) const COVERING: u32 = 2;

/// Milliseconds since 1970, by the host's clock.
pub type Millis = u64;

/// One record. What it says is covered by the chain, down to the byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum JournalRecord<'a> {
    /// A command is about to start.
    Begin(Box<BeginRecord<'a>>),
    /// A command is over.
    End(Box<EndRecord>),
    /// A command may not run, or could not be made ready.
    Refused(Box<RefusedRecord>),
    /// A command that a client's own shell runs was judged.
    Judged(Box<JudgedRecord>),
    /// A client's own shell ended a command that was judged.
    Observed(ObservedRecord),
    /// A command began, and its runner was gone before it could record the end.
    Interrupted {
        /// When that was noticed.
        at: Millis,
        /// The run.
        id: String,
    },
    /// Older records were dropped.
    Sealed(Seal),
    /// Records are missing because they could not be written.
    Gap {
        /// When writing was possible again.
        at: Millis,
        /// How many records are missing.
        missed: u64,
        /// Why they could not be written.
        because: String,
    },
    /// The journal ended before the record that its head names.
    Cut {
        /// When that was noticed.
        at: Millis,
        /// The record that the head names.
        head: u64,
        /// The last record that was there.
        last: u64,
    },
    /// The first record of a journal that follows another, or the first under newer rules.
    Opened(Opening),
    /// The journal was not as it was left. Written by the process that found that, so that it stays known.
    Damaged {
        /// When that was noticed.
        at: Millis,
        /// The first record that it is about.
        seq: u64,
        /// In which way.
        what: String,
    },
    /// Output in the spool was removed to make room.
    Unspooled {
        /// When.
        at: Millis,
        /// Of these runs.
        runs: Vec<String>,
    },
}

impl JournalRecord<'_> {
    /// The same, with today's words where it was written with older ones.
    #[must_use]
    pub(super) fn in_words_of_today(mut self) -> Self {
        match &mut self {
            JournalRecord::Begin(begin) => begin.asker.in_words_of_today(),
            JournalRecord::Refused(refused) => refused.asker.in_words_of_today(),
            JournalRecord::Judged(judged) => judged.asker.in_words_of_today(),
            _ => {}
        }
        self
    }

    /// When it was written.
    pub fn at(&self) -> Millis {
        match self {
            JournalRecord::Begin(begin) => begin.at,
            JournalRecord::End(end) => end.at,
            JournalRecord::Refused(refused) => refused.at,
            JournalRecord::Judged(judged) => judged.at,
            JournalRecord::Observed(observed) => observed.at,
            JournalRecord::Sealed(seal) => seal.at,
            JournalRecord::Opened(opening) => opening.at,
            JournalRecord::Interrupted { at, .. }
            | JournalRecord::Gap { at, .. }
            | JournalRecord::Cut { at, .. }
            | JournalRecord::Damaged { at, .. }
            | JournalRecord::Unspooled { at, .. } => *at,
        }
    }

    /// The run it is about, if it is about one.
    pub fn run(&self) -> Option<&str> {
        match self {
            JournalRecord::Begin(begin) => Some(&begin.id),
            JournalRecord::End(end) => Some(&end.id),
            JournalRecord::Refused(refused) => Some(&refused.id),
            JournalRecord::Judged(judged) => Some(&judged.id),
            JournalRecord::Observed(observed) => Some(&observed.id),
            JournalRecord::Interrupted { id, .. } => Some(id),
            JournalRecord::Sealed(_)
            | JournalRecord::Gap { .. }
            | JournalRecord::Cut { .. }
            | JournalRecord::Opened(_)
            | JournalRecord::Damaged { .. }
            | JournalRecord::Unspooled { .. } => None,
        }
    }

    /// The spelling of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            JournalRecord::Begin(_) => "begin",
            JournalRecord::End(_) => "end",
            JournalRecord::Refused(_) => "refused",
            JournalRecord::Judged(_) => "judged",
            JournalRecord::Observed(_) => "observed",
            JournalRecord::Interrupted { .. } => "interrupted",
            JournalRecord::Sealed(_) => "sealed",
            JournalRecord::Gap { .. } => "gap",
            JournalRecord::Cut { .. } => "cut",
            JournalRecord::Opened(_) => "opened",
            JournalRecord::Damaged { .. } => "damaged",
            JournalRecord::Unspooled { .. } => "unspooled",
        }
    }
}

/// The caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asker {
    /// The door.
    pub door: Cow<'static, str>,
    /// Where the command comes from: `typed`, `file` or `program`.
    pub hand: Cow<'static, str>,
    /// The client's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

impl Asker {
    /// Old records say `person` of what was typed, and of what stood in a file that a person ran.
    fn in_words_of_today(&mut self) {
        if self.hand == "person" {
            let file = matches!(&*self.door, "flow" | "gateway");
            self.hand = Cow::Borrowed(if file { "file" } else { "typed" });
        }
    }
}

/// What was asked, masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskedRecord<'a> {
    /// A program and its arguments.
    Exec(Vec<Cow<'a, str>>),
    /// A text for a shell.
    Shell(Cow<'a, str>),
}

/// A limit, and what enforced it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitRecord {
    /// Its name, as in the configuration.
    pub name: Cow<'static, str>,
    /// Its value.
    pub value: u64,
    /// What enforced it.
    pub by: Cow<'static, str>,
}

/// The runner: the process, and the mark that is locked for as long as it lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunnerRecord {
    /// The process.
    pub pid: u32,
    /// Its mark.
    pub mark: Cow<'static, str>,
}

/// A command that is about to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeginRecord<'a> {
    /// The version of the format.
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// The run.
    pub id: String,
    /// Who asked.
    #[serde(flatten)]
    pub asker: Asker,
    /// What was asked.
    pub asked: AskedRecord<'a>,
    /// The commands in it, in a few words each, where that says more than the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comes_to: Vec<String>,
    /// Where, in the caller's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_cwd: Option<Cow<'a, str>>,
    /// Why, in the caller's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Cow<'a, str>>,
    /// The file that is executed, with every link followed.
    pub program: Cow<'a, str>,
    /// Its arguments.
    pub argv: Vec<Cow<'a, str>>,
    /// Where it runs.
    pub cwd: Cow<'a, str>,
    /// The names in its environment.
    pub env: Vec<Cow<'a, str>>,
    /// Its standard input: `null`, `open`, or how many bytes.
    pub stdin: String,
    /// Rows and columns of its terminal, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<(u16, u16)>,
    /// The rule that decided.
    pub rule: Cow<'a, str>,
    /// The person who approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    /// The rules that would have allowed what a person approved, as TOML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<String>,
    /// How its processes are held together.
    pub containment: Cow<'static, str>,
    /// Layers of the sandbox in force.
    pub sandbox: Vec<String>,
    /// Limits, and what enforces them.
    pub limits: Vec<LimitRecord>,
    /// The identity of the plan.
    pub plan: String,
    /// The runner.
    pub runner: RunnerRecord,
}

/// What is known of one stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedRecord {
    /// All its bytes.
    pub bytes: u64,
    /// The blake3 digest of the first `digest_bytes` of them.
    pub digest: String,
    /// How many of them the digest is of.
    pub digest_bytes: u64,
    /// Whether it is in the spool.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spooled: bool,
    /// What the spool's file holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spool: Option<SpoolPiece>,
}

/// The output that the journal itself stores, masked and cut: the blake3 digest of each part, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRecord {
    /// Its standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// Its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// When chunks of a terminal's output came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beats: Option<String>,
}

/// Why a command did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TroubleRecord {
    /// The stable code.
    pub code: Cow<'static, str>,
    /// In words, masked.
    pub message: String,
}

/// The connections of a command that had a list of hosts, masked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkRecord {
    /// Their sum.
    #[serde(flatten)]
    pub report: NetworkReport,
    /// The first of them, one by one.
    pub rows: Vec<ConnectionRecord>,
    /// How many more there were, by host and port.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub further: BTreeMap<String, u64>,
}

/// A command that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRecord {
    /// The version of the format.
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// The run.
    pub id: String,
    /// Its process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Its exit code; 124 at its deadline.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<String>,
    /// Why it was stopped.
    pub stopped: Option<Cow<'static, str>>,
    /// How many processes outlived it.
    pub leftovers: Option<u32>,
    /// What was done with the processes that outlived it.
    pub leftovers_state: Cow<'static, str>,
    /// How long it took.
    pub duration_ms: u64,
    /// Its standard output.
    pub stdout: PrintedRecord,
    /// Its standard error.
    pub stderr: PrintedRecord,
    /// Why it never started, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<TroubleRecord>,
    /// Sentences of the receipt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What its sandbox denied it, in the form of the receipt, masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied: Option<Box<serde_json::Value>>,
    /// What it did with its list of hosts, where it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Box<NetworkRecord>>,
    /// The output that the journal stores; nothing where nothing is stored. The last field: it is added when the
    /// output is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<StoredRecord>,
}

/// A command that may not run, or could not be made ready.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRecord {
    /// The version of the format.
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// A name for the request: it never became a run.
    pub id: String,
    /// Who asked.
    #[serde(flatten)]
    pub asker: Asker,
    /// What was asked.
    pub asked: AskedRecord<'static>,
    /// The commands in it, in a few words each, where that says more than the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comes_to: Vec<String>,
    /// Where, in the caller's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_cwd: Option<String>,
    /// The file that would have been executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why it did not run.
    #[serde(flatten)]
    pub trouble: TroubleRecord,
}

/// A command that a client's own shell runs: what the client was told about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedRecord {
    /// The version of the format.
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// A name for the request.
    pub id: String,
    /// Who asked.
    #[serde(flatten)]
    pub asker: Asker,
    /// What was asked.
    pub asked: AskedRecord<'static>,
    /// The commands in it, in a few words each, where that says more than the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comes_to: Vec<String>,
    /// Where, in the caller's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_cwd: Option<String>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the client was told: `pass`, `ask` (its own question), or `watch` (nothing was decided).
    pub told: Cow<'static, str>,
    /// The person who approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    /// The client's name for its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The client's name for the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What else is worth knowing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How a command ended that a client's own shell ran, in the client's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedRecord {
    /// The version of the format.
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// The request.
    pub id: String,
    /// Its exit code, where the client says it.
    pub exit_code: Option<i32>,
    /// Time between the two events.
    pub duration_ms: u64,
}

/// Older records were dropped: where the chain begins now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// When.
    pub at: Millis,
    /// The last record that was dropped.
    pub through: u64,
    /// Its place in the chain.
    pub hash: String,
    /// How many were dropped this time.
    pub count: u64,
    /// The latest time up to the last record that was dropped, since the clock was last set back.
    #[serde(default)]
    pub latest: Millis,
}

/// Where a journal, or a newer format of the chain, begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// When.
    pub at: Millis,
    /// The format of the chain from this record on.
    pub rules: i64,
    /// Why it was opened.
    pub because: Since,
    /// The last record before it.
    pub last: u64,
    /// The hash of that record, as far as it is known.
    pub hash: String,
    /// Where the journal before it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_in: Option<String>,
}

/// Why a journal, or a newer format, begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Since {
    /// What is before it has an older format.
    OlderRules,
    /// What was before it was removed.
    TakenAway,
    /// What was before it was set aside by the owner.
    SetAside,
}

/// A run's name as records have it.
pub(super) fn run_name(id: RunId) -> String {
    id.to_string()
}
