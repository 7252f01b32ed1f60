//! What can be asked of a session's output, and what comes back.

use super::State;
use super::text::cut;
use crate::Ledger;
use crate::journal::Recalled;
use regex::Regex;
use runward_core::output::Stream;
use runward_core::record::Receipt;
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
}

impl Default for ReadAsk {
    fn default() -> Self {
        Self {
            which: Which::Both,
            begin: Begin::LastTime,
            max_chars: 20_000,
            timeout: Duration::ZERO,
            grep: None,
        }
    }
}

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
    let lines = ask.grep.as_ref().map(|grep| matching(&cut.text, begin, grep)).unwrap_or_default();
    let text = if ask.grep.is_some() { joined(&lines) } else { cut.text };
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

fn matching(text: &str, begin: u64, grep: &Regex) -> Vec<Line> {
    let mut at = begin;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if grep.is_match(bare) {
            lines.push(Line { offset: at, text: bare.to_owned() });
        }
        at += line.len() as u64;
    }
    lines
}

fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}
