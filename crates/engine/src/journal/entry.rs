//! One command's place in the journal, from before its start to its end.
//!
//! May not fail a command, but for the one case in which the rules say so: [`JournalEntry::written`].

use super::Journal;
use super::noting::Scribe;
use super::record::PrintedRecord;
use super::rules::{JournalNeed, LARGEST_OUTPUT, Outputs};
use super::store::{Item, KeptPrint};
use super::writer::now;
use crate::{Error, SpoolPiece};
use runward_core::error::ErrorView;
use runward_core::output::Stream;
use runward_core::plan::{ExecPlan, RunId};
use runward_core::record::Receipt;
use runward_core::redact::Redactor;
use runward_core::render::hex;
use runward_core::spec::Terminal;
use std::sync::LazyLock;
use std::time::Instant;
use tokio::sync::oneshot;

/// Moments of a terminal's output that are told apart, at most; later ones are joined.
const MOST_BEATS: usize = 20_000;

/// Moments closer than this are one, in milliseconds.
const ONE_BEAT: u64 = 8;

/// One command's place in the journal.
pub(crate) struct JournalEntry {
    journal: Journal,
    id: RunId,
    /// Signalled once the first record is written.
    first: Option<oneshot::Receiver<Result<(), String>>>,
    /// Why the first record is missing, if it is.
    missing: Option<String>,
    redactor: Option<Box<Redactor>>,
    digests: [StreamDigest; 2],
    beats: Option<Beats>,
}

impl std::fmt::Debug for JournalEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("id", &self.id).finish_non_exhaustive()
    }
}

impl JournalEntry {
    /// Queues the first record.
    pub(super) fn begin(journal: &Journal, plan: &ExecPlan) -> Self {
        let command = plan.draft().command();
        let redactor = &journal.0.terms.redactor;
        // What a caller adds to the environment may be secret too.
        let more = command.sets_env().then(|| redactor.also(command.env())).flatten();
        let scribe = Scribe { at: now(), redactor: more.as_ref().unwrap_or(redactor) };
        let item = Item::of(&scribe.begin(plan, &journal.0.terms.mark));
        let first = journal.send_first(item);
        let missing = first.is_none().then(|| "too many records wait to be written".to_owned());
        let spool = plan.draft().capture().spool;
        let is_terminal = command.terminal() != Terminal::Pipes;
        Self {
            journal: journal.clone(),
            id: plan.draft().id(),
            first,
            missing,
            redactor: more.map(Box::new),
            digests: [StreamDigest::of(spool), StreamDigest::of(spool)],
            beats: is_terminal.then(Beats::begin),
        }
    }

    /// Waits until the first record is written, for as long as the rules say. Where the journal is required, nothing
    /// may start without it.
    pub(crate) async fn written(&mut self) -> Result<(), Error> {
        let rules = &self.journal.0.terms.rules;
        if let Some(first) = self.first.take() {
            self.missing = match tokio::time::timeout(rules.write_timeout, first).await {
                Ok(Ok(Ok(()))) => None,
                Ok(Ok(Err(why))) => Some(why),
                Ok(Err(_)) => Some("its writer thread has ended".to_owned()),
                Err(_) => {
                    let late = runward_core::render::duration(rules.write_timeout);
                    if rules.need == JournalNeed::Required {
                        return Err(Error::RecordLate { within: late });
                    }
                    Some(format!("it was not written within {late}"))
                }
            };
        }
        match &self.missing {
            Some(why) if rules.need == JournalNeed::Required => Err(Error::NoJournal { why: why.clone() }),
            _ => Ok(()),
        }
    }

    /// What was read of a stream.
    pub(crate) fn printed(&mut self, stream: Stream, bytes: &[u8]) {
        self.digests[stream as usize].add(bytes);
        if let Some(beats) = &mut self.beats {
            beats.add(bytes.len());
        }
    }

    /// It was recorded and did not start.
    pub(crate) fn never_started(self, error: &Error) {
        let scribe = self.scribe();
        let item = Item::of(&scribe.never_started(self.id.to_string(), &ErrorView::of(error)));
        self.journal.send(item);
    }

    /// What the receipt must say about the journal.
    pub(crate) fn note(&self) -> Option<String> {
        let why = self.missing.as_ref()?;
        Some(format!("this command began before it was in the journal: {why}"))
    }

    /// It is over. This record is not waited for.
    pub(crate) fn end(self, receipt: &Receipt, spooled: [Option<SpoolPiece>; 2]) {
        let [out, err] = spooled;
        let printed = [(Stream::Stdout, out), (Stream::Stderr, err)].map(|(stream, spool)| {
            let (summary, digest) = (receipt.stream(stream), &self.digests[stream as usize]);
            PrintedRecord { spool, ..digest.printed(summary.kept.total, summary.spool.is_some()) }
        });
        let mut item = Item::of(&self.scribe().end(receipt, printed));
        if self.journal.0.terms.rules.outputs == Outputs::Kept {
            item.kept = self.kept(receipt);
        }
        let Self { journal, redactor, .. } = self;
        item.redactor = redactor;
        journal.send(item);
    }

    fn scribe(&self) -> Scribe<'_> {
        Scribe { at: now(), redactor: self.redactor.as_deref().unwrap_or(&self.journal.0.terms.redactor) }
    }

    /// Its output, where all of it is in memory; where it is not, the spool has it.
    fn kept(&self, receipt: &Receipt) -> Option<KeptPrint> {
        let whole = |stream| {
            let kept = &receipt.stream(stream).kept;
            let fits = kept.missing() == 0 && kept.total > 0 && kept.total <= LARGEST_OUTPUT;
            fits.then(|| kept.bytes())
        };
        let kept = KeptPrint {
            stdout: whole(Stream::Stdout),
            stderr: whole(Stream::Stderr),
            beats: self.beats.as_ref().map(Beats::text),
        };
        (kept != KeptPrint::default()).then_some(kept)
    }
}

/// The digest of the beginning of a stream.
struct StreamDigest {
    /// From the first byte on, and boxed: it is large, and the entry is moved with its command.
    hasher: Option<Box<blake3::Hasher>>,
    left: u64,
}

impl StreamDigest {
    /// As much as the spool may hold: a file on disk can then be compared.
    fn of(bytes: u64) -> Self {
        Self { hasher: None, left: bytes }
    }

    fn add(&mut self, bytes: &[u8]) {
        let len = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.hasher.get_or_insert_default().update(&bytes[..len]);
        self.left -= len as u64;
    }

    fn printed(&self, bytes: u64, spooled: bool) -> PrintedRecord {
        static OF_NOTHING: LazyLock<String> = LazyLock::new(|| hex(blake3::hash(b"").as_bytes()));
        let (digest, digest_bytes) = match &self.hasher {
            Some(hasher) => (hex(hasher.finalize().as_bytes()), hasher.count()),
            None => (OF_NOTHING.clone(), 0),
        };
        PrintedRecord { bytes, digest, digest_bytes, spooled, spool: None }
    }
}

/// When chunks of a terminal's output came: milliseconds since the start, and bytes until then.
struct Beats {
    begun: Instant,
    all: Vec<(u64, u64)>,
}

impl Beats {
    fn begin() -> Self {
        Self { begun: Instant::now(), all: Vec::new() }
    }

    fn add(&mut self, len: usize) {
        let at = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let total = self.all.last().map_or(0, |(_, bytes)| *bytes) + len as u64;
        let full = self.all.len() >= MOST_BEATS;
        match self.all.last_mut().filter(|(last, _)| full || at - last < ONE_BEAT) {
            Some((_, bytes)) => *bytes = total,
            None => self.all.push((at, total)),
        }
    }

    fn text(&self) -> String {
        serde_json::to_string(&self.all).unwrap_or_default()
    }
}
