//! What can be asked of a session's output, and what comes back.

use super::State;
use super::text::cut;
use crate::Ledger;
use crate::journal::Recalled;
use regex::Regex;
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
pub enum Begin {
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
    pub begin: Begin,
    /// Characters of each stream at the most.
    pub max_chars: usize,
    /// How long to wait if there is nothing yet.
    pub timeout: Duration,
    /// Keep only lines that match.
    pub grep: Option<Regex>,
    /// Whose secrets a line is looked at without: whoever may ask for lines that match could otherwise find out, letter
    /// by letter, what is hidden in them.
    pub hiding: Option<Redactor>,
}

impl Default for ReadAsk {
    fn default() -> Self {
        Self {
            which: Which::Both,
            begin: Begin::LastTime,
            max_chars: 20_000,
            timeout: Duration::ZERO,
            grep: None,
            hiding: None,
        }
    }
}

/// How much around what is read is looked at, so that no secret is shown in parts: no known one is longer.
const AROUND: u64 = 4096;

/// A line that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
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
    pub lines: Vec<Line>,
    /// Where it begins.
    pub offset: u64,
    /// Where the next reading begins.
    pub next: u64,
    /// Bytes between where it was asked to begin and where it begins: nowhere to be had any more.
    pub missing: u64,
    /// Bytes that are there and were not read, because of the limit.
    pub left: u64,
    /// Whether some bytes were not UTF-8; those are shown as `\xNN`.
    pub binary: bool,
}

/// What was read, and how things stand.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Stdout, if it was asked for.
    pub stdout: Option<Streamed>,
    /// Stderr, if it was asked for.
    pub stderr: Option<Streamed>,
    /// What the session is doing.
    pub state: State,
    /// Its receipt, once it has ended.
    pub receipt: Option<Arc<Receipt>>,
}

/// Reads what the journal has of a session. Without an offset, from the beginning: nobody remembers how far it was read.
pub fn read_recalled(recalled: &Recalled, ask: &ReadAsk) -> Reading {
    let standing = recalled.ledger.standing();
    let stream = |stream, total: u64| {
        let offset = match ask.begin {
            Begin::LastTime => 0,
            Begin::Offset(at) if at < 0 => total.saturating_sub(at.unsigned_abs()),
            Begin::Offset(at) => at.unsigned_abs(),
        };
        ask.which.includes(stream).then(|| read(&recalled.ledger, stream, offset, ask))
    };
    let (stdout, stderr) = (stream(Stream::Stdout, standing.stdout), stream(Stream::Stderr, standing.stderr));
    Reading { stdout, stderr, state: State::Exited, receipt: None }
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
    let cut = cut(&bytes, ask.max_chars, open);
    let next = begin + cut.bytes as u64;
    let lines = ask.grep.as_ref().map(|grep| matching(&cut.text, begin, grep, ask.hiding.as_ref()));
    let text = match (&lines, &ask.hiding) {
        (Some(lines), _) => joined(lines),
        (None, Some(redactor)) => hidden(redactor, ledger, (stream, begin, next), &cut.text),
        (None, None) => cut.text,
    };
    let lines = lines.unwrap_or_default();
    let left = total.saturating_sub(next);
    Streamed {
        text,
        lines,
        offset: begin,
        next,
        missing: begin.saturating_sub(offset),
        left,
        binary: cut.binary,
    }
}

/// A part of a stream for whoever may not see secrets; all of it, where nothing is hidden.
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

/// What was read, without secrets: those that begin before it or end behind it are known by what stands around it.
fn hidden(
    redactor: &Redactor,
    ledger: &Ledger,
    (stream, begin, end): (Stream, u64, u64),
    text: &str,
) -> String {
    let from = begin.saturating_sub(AROUND);
    let bytes = |at: u64, length: u64| {
        let part = ledger.read(stream, at, usize::try_from(length).unwrap_or_default());
        if part.offset == at { part.bytes } else { Vec::new() }
    };
    let shown = |bytes: &[u8]| cut(bytes, usize::MAX, false).text;
    let (before, after) = (shown(&bytes(from, begin - from)), shown(&bytes(end, AROUND)));
    let whole = format!("{before}{text}{after}");
    redactor.mask_within(&whole, before.len()..before.len() + text.len())
}

fn matching(text: &str, begin: u64, grep: &Regex, hiding: Option<&Redactor>) -> Vec<Line> {
    let mut at = begin;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let shown = hiding.map_or(Cow::Borrowed(bare), |redactor| redactor.mask_part(bare));
        if grep.is_match(&shown) {
            lines.push(Line { offset: at, text: bare.to_owned() });
        }
        at += line.len() as u64;
    }
    lines
}

fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}
