//! A record to be written: its text, its columns in lists, and the stored output.

use crate::journal::record::{JournalRecord, Millis, StoredRecord};
use crate::journal::summary::{OutcomeSummary, Summary};
use runward_core::redact::Redactor;
use runward_core::render::hex;
use std::borrow::Cow;

/// A command's output, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::journal) struct KeptPrint {
    pub(in crate::journal) stdout: Option<Vec<u8>>,
    pub(in crate::journal) stderr: Option<Vec<u8>>,
    /// When chunks of a terminal's output came.
    pub(in crate::journal) beats: Option<String>,
}

impl KeptPrint {
    fn bytes(&self) -> usize {
        let streams = [&self.stdout, &self.stderr].into_iter().flatten().map(Vec::len);
        streams.sum::<usize>() + self.beats.as_ref().map_or(0, String::len)
    }

    fn digests(&self) -> StoredRecord {
        StoredRecord {
            stdout: self.stdout.as_deref().map(digest),
            stderr: self.stderr.as_deref().map(digest),
            beats: self.beats.as_deref().map(|beats| digest(beats.as_bytes())),
        }
    }
}

/// Bytes of a usual record: its text is not moved while it grows.
const USUAL: usize = 1024;

/// The text of a record.
fn body(record: &JournalRecord<'_>) -> String {
    let mut bytes = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut bytes, record)
        .ok()
        .and_then(|()| String::from_utf8(bytes).ok())
        .unwrap_or_default()
}

/// The digest of a part of the output, as records have it.
pub(in crate::journal) fn digest(bytes: &[u8]) -> String {
    hex(blake3::hash(bytes).as_bytes())
}

/// A record to be written: its text, and its columns in lists.
#[derive(Debug)]
pub(in crate::journal) struct Item {
    pub(super) at: Millis,
    pub(in crate::journal) kind: &'static str,
    pub(super) run: Option<String>,
    body: String,
    pub(super) summary: Option<Summary>,
    pub(super) outcome: Option<OutcomeSummary>,
    pub(in crate::journal) kept: Option<KeptPrint>,
    /// The digests of the stored output, once it is masked.
    stored: Option<StoredRecord>,
    /// The redactor with further secrets of this command, beside the common ones.
    pub(in crate::journal) redactor: Option<Box<Redactor>>,
    /// It is in the intake.
    pub(in crate::journal) safe: bool,
}

impl Item {
    /// A record, ready to be written. One that JSON cannot hold does not exist.
    pub(in crate::journal) fn of(record: &JournalRecord<'_>) -> Self {
        Self {
            at: record.at(),
            kind: record.kind(),
            run: record.run().map(str::to_owned),
            body: body(record),
            summary: Summary::of(record),
            outcome: OutcomeSummary::of(record),
            kept: None,
            stored: None,
            redactor: None,
            safe: false,
        }
    }

    /// Its text, before the stored output is known.
    pub(in crate::journal) fn body(&self) -> &str {
        &self.body
    }

    /// Its text as it is chained: it covers the stored output.
    pub(super) fn text(&self) -> Cow<'_, str> {
        let stored = self.stored.as_ref().filter(|_| self.kept.is_some());
        let spliced = stored.and_then(|stored| {
            let stored = serde_json::to_string(stored).ok()?;
            Some(format!("{},\"stored\":{stored}}}", self.body.strip_suffix('}')?))
        });
        spliced.map_or(Cow::Borrowed(&self.body), Cow::Owned)
    }

    /// Masks the stored output, once.
    pub(in crate::journal) fn mask(&mut self, usual: &Redactor) {
        let (None, Some(kept)) = (&self.stored, &mut self.kept) else { return };
        let redactor = self.redactor.as_deref().unwrap_or(usual);
        for stream in [&mut kept.stdout, &mut kept.stderr].into_iter().flatten() {
            *stream = redactor.mask_bytes(stream);
        }
        self.stored = Some(kept.digests());
    }

    /// Bytes of everything that is written of it.
    pub(in crate::journal) fn bytes(&self) -> usize {
        self.body.len() + self.kept_bytes()
    }

    /// Bytes of output.
    pub(in crate::journal) fn kept_bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, KeptPrint::bytes)
    }
}
