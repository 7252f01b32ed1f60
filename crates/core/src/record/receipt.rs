//! The receipt: everything a door needs to answer, and everything the journal keeps. May not hold secrets.

use super::{End, SandboxDenials, SandboxUpkeep, Signal, StopCause};
use crate::facts::Containment;
use crate::network::{ConnectionRecord, NetworkReport};
use crate::output::{Encoding, KeptOutput, Stream, StreamMark, StreamText, interleave};
use crate::plan::{Draft, ExecPlan, Grantor, KeptLimit, PlanDigest, RunId};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of [`ReceiptView`].
pub const SCHEMA: u32 = 1;

/// What became of one stream.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct StreamSummary {
    /// What is kept of it in memory.
    pub kept: KeptOutput,
    /// Where the rest can be read, if it was written to disk.
    pub spool: Option<PathBuf>,
}

/// What happened to one command: how it ended, what it printed, who allowed it, what was enforced.
///
/// [`Receipt::view`] serialises as the published JSON; the fields are for programs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Receipt {
    /// The id of this run, as in the journal.
    pub id: RunId,
    /// The digest of the draft that was permitted and carried out.
    pub plan: PlanDigest,
    /// The command as asked: program and arguments.
    pub command: Vec<String>,
    /// The file that ran.
    pub program: PathBuf,
    /// Where it ran.
    pub cwd: PathBuf,
    /// Its pid, while it lived.
    pub pid: u32,
    /// The rule or the person that allowed it.
    pub permitted_by: Grantor,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub duration: Duration,
    /// What it printed to standard output; with joined streams or a terminal, everything.
    pub stdout: StreamSummary,
    /// What it printed to standard error.
    pub stderr: StreamSummary,
    /// In which order pieces of the two streams arrived.
    pub order: Vec<StreamMark>,
    /// How its processes were held together.
    pub containment: Containment,
    /// Layers of the sandbox that were in force.
    pub sandbox: Vec<String>,
    /// What appeared where the sandbox lets nothing appear, and where it lies now.
    pub set_aside: Vec<PathBuf>,
    /// What its sandbox denied it, as far as something saw it do so.
    pub denied: Option<SandboxDenials>,
    /// What it did with its list of hosts, where it had one.
    pub network: Option<NetworkReport>,
    /// Its connections, the first of them one by one. The journal has them; the published form does not.
    pub connections: Vec<ConnectionRecord>,
    /// How many more connections there were, by host and port.
    pub further_connections: BTreeMap<String, u64>,
    /// The limits in force, and what enforced each.
    pub limits: Vec<KeptLimit>,
    /// Sentences for people, such as that output was cut.
    pub notes: Vec<String>,
}

impl Receipt {
    /// A receipt for a plan that was carried out, with everything the plan already says.
    pub fn of(plan: &ExecPlan, pid: u32, end: End, duration: Duration) -> Self {
        let draft = plan.draft();
        Self {
            id: draft.id(),
            plan: draft.digest(),
            command: asked_words(draft),
            program: draft.command().program().to_owned(),
            cwd: draft.command().cwd().to_owned(),
            pid,
            permitted_by: plan.permitted_by().clone(),
            notes: crate::render::notes(&end),
            end,
            duration,
            stdout: StreamSummary::default(),
            stderr: StreamSummary::default(),
            order: Vec::new(),
            containment: draft.containment(),
            sandbox: draft.sandbox_layers().to_vec(),
            set_aside: Vec::new(),
            denied: None,
            network: None,
            connections: Vec::new(),
            further_connections: BTreeMap::new(),
            limits: draft.limits().to_vec(),
        }
    }

    /// The same, with what had to be done to keep the sandbox.
    pub fn kept_by(mut self, upkeep: &SandboxUpkeep) -> Self {
        self.set_aside.extend(upkeep.set_aside.iter().cloned());
        self.notes.extend(upkeep.notes());
        self
    }

    /// Notes what its sandbox denied it.
    pub fn tell_denials(&mut self, denials: Option<SandboxDenials>) {
        self.notes.extend(denials.as_ref().map(SandboxDenials::sentence));
        self.denied = denials;
    }

    /// The receipt in its published form.
    pub fn view(&self) -> ReceiptView<'_> {
        let (stdout, stderr) = (StreamText::of(&self.stdout.kept), StreamText::of(&self.stderr.kept));
        let encodings = [stdout.encoding, stderr.encoding];
        ReceiptView {
            stdout: Some(stdout.text),
            stderr: Some(stderr.text),
            ..ReceiptView::of(self, encodings)
        }
    }

    /// The same without what it printed.
    pub fn facts(&self) -> ReceiptView<'_> {
        ReceiptView::of(self, [Encoding::of(&self.stdout.kept), Encoding::of(&self.stderr.kept)])
    }
}

fn asked_words(draft: &Draft) -> Vec<String> {
    draft.command().argv().iter().map(|word| crate::render::word(word)).collect()
}

/// The published form of a receipt: what `--json` prints and structured content carries.
#[derive(Debug, Serialize)]
pub struct ReceiptView<'a> {
    schema: u32,
    id: RunId,
    command: &'a [String],
    program: String,
    cwd: String,
    pid: u32,
    exit_code: Option<i32>,
    signal: Option<Signal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<String>,
    stdout_bytes: u64,
    stderr_bytes: u64,
    stdout_truncated: bool,
    stderr_truncated: bool,
    stdout_encoding: &'static str,
    stderr_encoding: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout_spool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr_spool: Option<String>,
    timed_out: bool,
    stopped: Option<StopCause>,
    leftovers: Option<u32>,
    leftovers_state: &'static str,
    duration_ms: u64,
    containment: Containment,
    sandbox: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<&'a SandboxDenials>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<&'a NetworkReport>,
    limits: &'a [KeptLimit],
    rule: String,
    plan: PlanDigest,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl<'a> ReceiptView<'a> {
    fn of(receipt: &'a Receipt, [stdout, stderr]: [Encoding; 2]) -> Self {
        let timed_out = receipt.end.stopped == Some(StopCause::Timeout);
        Self {
            schema: SCHEMA,
            id: receipt.id,
            command: &receipt.command,
            program: shown(&receipt.program),
            cwd: shown(&receipt.cwd),
            pid: receipt.pid,
            exit_code: receipt.end.own_exit_code(),
            signal: receipt.end.signal(),
            stdout: None,
            stderr: None,
            stdout_bytes: receipt.stdout.kept.total,
            stderr_bytes: receipt.stderr.kept.total,
            stdout_truncated: receipt.stdout.kept.missing() > 0,
            stderr_truncated: receipt.stderr.kept.missing() > 0,
            stdout_encoding: stdout.name(),
            stderr_encoding: stderr.name(),
            stdout_spool: receipt.stdout.spool.as_deref().map(shown),
            stderr_spool: receipt.stderr.spool.as_deref().map(shown),
            timed_out,
            stopped: receipt.end.stopped,
            leftovers: receipt.end.leftovers.count(),
            leftovers_state: receipt.end.leftovers.state(),
            duration_ms: u64::try_from(receipt.duration.as_millis()).unwrap_or(u64::MAX),
            containment: receipt.containment,
            sandbox: &receipt.sandbox,
            set_aside: receipt.set_aside.iter().map(|path| shown(path)).collect(),
            denied: receipt.denied.as_ref(),
            network: receipt.network.as_ref(),
            limits: &receipt.limits,
            rule: receipt.permitted_by.name(),
            plan: receipt.plan,
            notes: &receipt.notes,
        }
    }
}

fn shown(path: &Path) -> String {
    crate::render::word(path.as_os_str())
}

impl StreamSummary {
    /// Whether nothing at all was printed.
    pub fn is_empty(&self) -> bool {
        self.kept.total == 0
    }
}

impl Receipt {
    /// What became of one stream.
    pub fn stream(&self, stream: Stream) -> &StreamSummary {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }

    /// What was kept of both streams, in the order in which it arrived.
    pub fn interleaved(&self) -> Vec<(Stream, &[u8])> {
        interleave(&self.order, &self.stdout.kept, &self.stderr.kept)
    }
}
