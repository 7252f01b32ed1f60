//! Reading a session's output: the request, and the result.

use super::SessionState;
use super::text::{cut, whole_characters};
use crate::Ledger;
use regex::Regex;
use runward_core::digest::{PageInput, page, written_cost};
use runward_core::output::Stream;
use runward_core::record::Receipt;
use runward_core::redact::Redactor;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// Which streams to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Both.
    #[default]
    Both,
    /// One.
    One(Stream),
}

impl Which {
    /// Whether a stream is among them.
    pub fn includes(self, stream: Stream) -> bool {
        self == Which::Both || self == Which::One(stream)
    }
}

/// Where to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReadFrom {
    /// Where the last reading ended; what is read is not read again.
    #[default]
    LastTime,
    /// At this byte; negative counts from the end. Changes nothing for the next reading.
    Offset(i64),
}

/// What to read, and how long to wait for it.
#[derive(Debug, Clone)]
pub struct ReadAsk {
    /// Which streams.
    pub which: Which,
    /// Where to begin.
    pub begin: ReadFrom,
    /// Characters at the most: of each stream, or for a model of both together, as they are written.
    pub max_chars: usize,
    /// How long to wait if there is nothing yet.
    pub timeout: Duration,
    /// Keep only lines that match.
    pub grep: Option<Regex>,
    /// The redactor that hides secrets from the search: a caller that may search for lines could otherwise find
    /// out, character by character, what is hidden in them.
    pub hiding: Option<Redactor>,
    /// Whether it is for a model.
    pub model: Option<ModelText>,
}

/// How a model is shown what was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelText {
    /// Without escape sequences; a line that was overwritten as it stood at its end.
    Plain,
    /// As it was printed.
    AsPrinted,
}

impl Default for ReadAsk {
    fn default() -> Self {
        Self {
            which: Which::Both,
            begin: ReadFrom::LastTime,
            max_chars: 20_000,
            timeout: Duration::ZERO,
            grep: None,
            hiding: None,
            model: None,
        }
    }
}

/// How much around what is read is looked at, so that no secret is shown in parts: no known one is longer.
const AROUND: u64 = 4096;

/// A line that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedLine {
    /// Where it begins in its stream.
    pub offset: u64,
    /// The line, without its end.
    pub text: String,
}

/// What was read of one stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Streamed {
    /// The text. With `grep`, only lines that match.
    pub text: String,
    /// With `grep`: each line that matched, and where it begins.
    pub lines: Vec<MatchedLine>,
    /// Where it begins.
    pub offset: u64,
    /// Where the next reading begins.
    pub next: u64,
    /// Bytes between where it was asked to begin and where it begins: they are lost.
    pub missing: u64,
    /// Bytes that are there and were not read, because of the limit.
    pub left: u64,
    /// Whether some bytes were not UTF-8; those are shown as `\xNN`.
    pub binary: bool,
}

/// The output that was read, and the state of the session.
#[derive(Debug, Clone)]
pub struct OutputReading {
    /// Stdout, if it was asked for.
    pub stdout: Option<Streamed>,
    /// Stderr, if it was asked for.
    pub stderr: Option<Streamed>,
    /// What the session is doing.
    pub state: SessionState,
    /// Its receipt, once it has ended.
    pub receipt: Option<Arc<Receipt>>,
    /// The exit code in the journal, of one that only the journal knows.
    pub recalled_code: Option<i64>,
}

/// Reads the output of a command that has ended. Without an offset, from the beginning: how far it was read is not
/// known.
pub fn read_ended(ledger: &Ledger, ask: &ReadAsk) -> OutputReading {
    let (stdout, stderr) = read_both(ledger, (0, 0), ask);
    let receipt = ledger.standing().receipt;
    OutputReading { stdout, stderr, state: SessionState::Exited, receipt, recalled_code: None }
}

/// Reads what was asked for. `cursors` are where the last reading of each stream ended.
pub(super) fn read_both(
    ledger: &Ledger,
    cursors: (u64, u64),
    ask: &ReadAsk,
) -> (Option<Streamed>, Option<Streamed>) {
    let standing = ledger.standing();
    let one = |stream, max_chars| {
        let (cursor, total) = match stream {
            Stream::Stdout => (cursors.0, standing.stdout),
            Stream::Stderr => (cursors.1, standing.stderr),
        };
        let offset = match ask.begin {
            ReadFrom::LastTime => cursor,
            ReadFrom::Offset(at) if at < 0 => total.saturating_sub(at.unsigned_abs()),
            ReadFrom::Offset(at) => at.unsigned_abs(),
        };
        ask.which
            .includes(stream)
            .then(|| read(ledger, stream, offset, &ReadAsk { max_chars, ..ask.clone() }))
    };
    if ask.model.is_none() || ask.which != Which::Both {
        return (one(Stream::Stdout, ask.max_chars), one(Stream::Stderr, ask.max_chars));
    }
    // A stream that needs less than half leaves the rest to the other.
    let spent = |read: &Option<Streamed>| read.as_ref().map_or(0, |read| written_cost(&read.text));
    let stderr = one(Stream::Stderr, ask.max_chars / 2);
    let stdout = one(Stream::Stdout, ask.max_chars.saturating_sub(spent(&stderr)));
    let room = ask.max_chars.saturating_sub(spent(&stdout));
    let is_cut = stderr.as_ref().is_some_and(|read| read.left > 0);
    if is_cut && room > ask.max_chars / 2 {
        return (stdout, one(Stream::Stderr, room));
    }
    (stdout, stderr)
}

/// Reads one stream from an offset.
pub(super) fn read(ledger: &Ledger, stream: Stream, offset: u64, ask: &ReadAsk) -> Streamed {
    let standing = ledger.standing();
    let total = match stream {
        Stream::Stdout => standing.stdout,
        Stream::Stderr => standing.stderr,
    };
    let mut bytes = Vec::new();
    let mut begin = None;
    let mut at = offset;
    let wanted = ask.max_chars.saturating_mul(4);
    while bytes.len() < wanted {
        let part = ledger.read(stream, at, wanted - bytes.len());
        let begun = *begin.get_or_insert(part.offset);
        // A gap in the middle ends this reading; the next one begins behind it.
        if part.bytes.is_empty() || part.offset != begun + bytes.len() as u64 {
            break;
        }
        at = part.next();
        bytes.extend(part.bytes);
    }
    let begin = begin.unwrap_or(offset);
    let open = standing.receipt.is_none() && begin + bytes.len() as u64 >= total;
    let found = match (ask.model, &ask.grep) {
        (Some(model), None) => for_model(ledger, (stream, begin), &bytes, (model, open), ask),
        _ => as_bytes(ledger, (stream, begin), &bytes, open, ask),
    };
    let left = total.saturating_sub(found.next);
    Streamed { offset: begin, missing: begin.saturating_sub(offset), left, ..found }
}

/// What was printed, with bytes that are no text escaped, and nothing else changed.
fn as_bytes(
    ledger: &Ledger,
    (stream, begin): (Stream, u64),
    bytes: &[u8],
    open: bool,
    ask: &ReadAsk,
) -> Streamed {
    let cut = cut(bytes, ask.max_chars, open);
    let next = begin + cut.bytes as u64;
    let lines = ask.grep.as_ref().map(|grep| matching(&cut.text, begin, grep, ask.hiding.as_ref()));
    let text = match (&lines, &ask.hiding) {
        (Some(lines), _) => joined(lines),
        (None, Some(redactor)) => hidden(redactor, ledger, (stream, begin, next), &cut.text),
        (None, None) => cut.text,
    };
    Streamed { text, lines: lines.unwrap_or_default(), next, binary: cut.binary, ..Streamed::default() }
}

/// One page for a model: masked, plain unless the owner wants it otherwise, and no longer than it may be when written.
fn for_model(
    ledger: &Ledger,
    (stream, begin): (Stream, u64),
    bytes: &[u8],
    (model, open): (ModelText, bool),
    ask: &ReadAsk,
) -> Streamed {
    let bytes = if open { whole_characters(bytes) } else { bytes };
    let end = begin + bytes.len() as u64;
    let from = begin.saturating_sub(AROUND);
    let before = around(ledger, stream, from, begin - from);
    let after = around(ledger, stream, end, AROUND);
    let shown = page(&PageInput {
        before: &before,
        bytes,
        after: &after,
        offset: begin,
        binary: false,
        plain: model == ModelText::Plain,
        max_chars: ask.max_chars,
        redactor: ask.hiding.as_ref(),
    });
    Streamed { text: shown.text, next: shown.next, binary: shown.binary, ..Streamed::default() }
}

/// Bytes beside a part; nothing where they are lost.
fn around(ledger: &Ledger, stream: Stream, at: u64, length: u64) -> Vec<u8> {
    let part = ledger.read(stream, at, usize::try_from(length).unwrap_or_default());
    if part.offset == at { part.bytes } else { Vec::new() }
}

/// A part of a stream with secrets masked; all of it, where nothing is masked.
pub fn shown_part(
    ledger: &Ledger,
    stream: Stream,
    (offset, max): (u64, usize),
    hiding: Option<&Redactor>,
) -> String {
    let part = ledger.read(stream, offset, max);
    let text = cut(&part.bytes, usize::MAX, false).text;
    let place = (stream, part.offset, part.next());
    hiding.map_or_else(|| text.clone(), |redactor| hidden(redactor, ledger, place, &text))
}

/// The part, with secrets masked: those that begin before it or end behind it are known by what stands around it.
fn hidden(
    redactor: &Redactor,
    ledger: &Ledger,
    (stream, begin, end): (Stream, u64, u64),
    text: &str,
) -> String {
    let from = begin.saturating_sub(AROUND);
    let shown = |at, length| cut(&around(ledger, stream, at, length), usize::MAX, false).text;
    let (before, after) = (shown(from, begin - from), shown(end, AROUND));
    let whole = format!("{before}{text}{after}");
    redactor.mask_within(&whole, before.len()..before.len() + text.len())
}

fn matching(text: &str, begin: u64, grep: &Regex, hiding: Option<&Redactor>) -> Vec<MatchedLine> {
    let mut at = begin;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let shown = hiding.map_or(Cow::Borrowed(bare), |redactor| redactor.mask_part(bare));
        if grep.is_match(&shown) {
            lines.push(MatchedLine { offset: at, text: bare.to_owned() });
        }
        at += line.len() as u64;
    }
    lines
}

fn joined(lines: &[MatchedLine]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}
