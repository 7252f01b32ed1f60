//! A stream as text: read, made plain and masked, with the place of everything in it. May not shorten it.
//!
//! Hazard: what the spool alone holds may begin or end in the middle of a secret. So the word before and behind such a gap
//! goes with it, and so does the rest of a private key.

use super::brackets::looks_like_ours;
use super::input::{StreamInput, StreamPiece};
use super::marks::MarkedLines;
use super::places::{PlaceStep, RawPlaces};
use super::plain::{first_special, push_plain};
use crate::output::escaped;
use crate::redact::Redactor;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// Where the stream goes on in its spool only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StreamGap {
    /// The place in the text.
    pub(super) at: usize,
    /// What is missing.
    pub(super) raw: Range<u64>,
}

/// A stream as it may be shown.
#[derive(Debug, Default)]
pub(super) struct RenderedStream<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) gaps: Vec<StreamGap>,
    pub(super) is_binary: bool,
    /// How many bytes the stream has.
    pub(super) total: u64,
    places: RawPlaces,
    /// Behind the last byte that was read.
    end: u64,
    marked: OnceCell<MarkedLines>,
}

impl RenderedStream<'_> {
    /// The marked lines of the text, looked for once.
    pub(super) fn marked(&self) -> &MarkedLines {
        self.marked.get_or_init(|| MarkedLines::of(&self.text))
    }

    /// Where what begins here comes from.
    pub(super) fn raw_start(&self, at: usize) -> u64 {
        if at >= self.text.len() { self.raw_end(at) } else { self.places.raw_line(&self.text, at) }
    }

    /// The stretch around this place that comes from one place of the stream: a mask, or a line that was written over.
    pub(super) fn fixed(&self, at: usize) -> Option<Range<usize>> {
        self.places.fixed(&self.text, at)
    }

    /// Where what ends here ends in the stream: before a gap, if there is one.
    pub(super) fn raw_end(&self, at: usize) -> u64 {
        match self.gaps.iter().find(|gap| gap.at == at && at > 0) {
            Some(gap) => gap.raw.start,
            None if at >= self.text.len() => self.end,
            None => self.places.raw_line(&self.text, at),
        }
    }
}

/// How a stream is to be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownAs<'a> {
    pub(super) plain: bool,
    pub(super) redactor: Option<&'a Redactor>,
}

/// A run of bytes without a gap.
struct UnbrokenRun<'a> {
    offset: u64,
    bytes: Cow<'a, [u8]>,
    /// Whether something is missing before and behind it.
    open: [bool; 2],
}

impl UnbrokenRun<'_> {
    fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

/// Reads a stream.
pub(super) fn rendered<'a>(input: &StreamInput<'a>, shown: ShownAs<'_>) -> RenderedStream<'a> {
    let mut runs = runs(input);
    runs.iter_mut().for_each(trim);
    runs.retain(|run| !run.bytes.is_empty());
    let is_binary = input.binary || runs.iter().any(|run| std::str::from_utf8(&run.bytes).is_err());
    let mut stream = RenderedStream { is_binary, total: input.total, ..RenderedStream::default() };
    for run in runs {
        if run.offset > stream.end {
            stream.gap(run.offset);
        }
        stream.end = run.end();
        let open = run.open;
        let (text, places) = text_of(run, is_binary, shown.plain);
        stream.append(text, &places, open, shown.redactor);
    }
    if input.total > stream.end {
        stream.gap(input.total);
    }
    stream
}

/// Reads a part of a stream that begins there. Nothing is taken away at its edges but half a character.
pub(super) fn rendered_part<'a>(
    (offset, bytes): (u64, &'a [u8]),
    binary: bool,
    shown: ShownAs<'_>,
) -> RenderedStream<'a> {
    let begins =
        if offset > 0 { bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count() } else { 0 };
    let ends = match std::str::from_utf8(&bytes[begins..]) {
        Err(error) if error.error_len().is_none() => begins + error.valid_up_to(),
        _ => bytes.len(),
    };
    let is_binary = binary || begins == ends || std::str::from_utf8(&bytes[begins..ends]).is_err();
    let (begins, ends) = if is_binary { (0, bytes.len()) } else { (begins, ends) };
    let (offset, bytes) = (offset + begins as u64, Cow::Borrowed(&bytes[begins..ends]));
    let run = UnbrokenRun { offset, bytes, open: [offset > 0, true] };
    let is_binary = is_binary && !run.bytes.is_empty();
    let mut stream =
        RenderedStream { is_binary, total: run.end(), end: run.end(), ..RenderedStream::default() };
    let open = run.open;
    let (text, places) = text_of(run, is_binary, shown.plain);
    stream.append(text, &places, open, shown.redactor);
    stream
}

impl<'a> RenderedStream<'a> {
    fn gap(&mut self, until: u64) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.to_mut().push('\n');
        }
        self.gaps.push(StreamGap { at: self.text.len(), raw: self.end..until });
    }

    /// Adds the text of a run, masked.
    fn append(
        &mut self,
        text: Cow<'a, str>,
        places: &RawPlaces,
        open: [bool; 2],
        redactor: Option<&Redactor>,
    ) {
        let edits = edits(&text, open, redactor);
        let base = self.text.len();
        if edits.is_empty() {
            self.places.append(places, base);
            if base == 0 {
                self.text = text;
            } else {
                self.text.to_mut().push_str(&text);
            }
            return;
        }
        let lengths: Vec<_> = edits.iter().map(|(part, new)| (part.clone(), new.len())).collect();
        self.places.append(&places.edited(&text, &lengths), base);
        let (out, mut from) = (self.text.to_mut(), 0);
        for (part, new) in &edits {
            out.push_str(&text[from..part.start]);
            out.push_str(new);
            from = part.end;
        }
        out.push_str(&text[from..]);
    }
}

/// Joins pieces between which nothing is missing.
fn runs<'a>(input: &StreamInput<'a>) -> Vec<UnbrokenRun<'a>> {
    let mut runs: Vec<UnbrokenRun<'a>> = Vec::new();
    for StreamPiece { offset, bytes } in input.pieces.iter().filter(|piece| !piece.bytes.is_empty()) {
        match runs.last_mut().filter(|run| run.end() == *offset) {
            Some(run) => run.bytes.to_mut().extend_from_slice(bytes),
            None => runs.push(UnbrokenRun { offset: *offset, bytes: Cow::Borrowed(bytes), open: [true; 2] }),
        }
    }
    if let Some(first) = runs.first_mut() {
        first.open[0] = first.offset > 0;
    }
    if let Some(last) = runs.last_mut() {
        last.open[1] = last.end() < input.total;
    }
    runs
}

/// No secret is longer without a blank in it.
const LONGEST_WORD: usize = 4096;

/// Takes the word at a gap away; it may be half a secret, or half a character.
fn trim(run: &mut UnbrokenRun<'_>) {
    let is_word = |byte: &&u8| !byte.is_ascii_whitespace();
    let before = run.bytes.iter().take(LONGEST_WORD).take_while(is_word).count();
    let after = run.bytes.iter().rev().take(LONGEST_WORD).take_while(is_word).count();
    let from = if run.open[0] { before } else { 0 };
    let to = if run.open[1] { run.bytes.len() - after } else { run.bytes.len() };
    let (from, to) = (from.min(to), to);
    run.offset += from as u64;
    match &mut run.bytes {
        Cow::Borrowed(bytes) => *bytes = &bytes[from..to],
        Cow::Owned(bytes) => {
            bytes.truncate(to);
            bytes.drain(..from);
        }
    }
    // A word longer than that may still begin or end in half a character.
    if run.open[0] {
        let half = run.bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        run.offset += half as u64;
        run.bytes = Cow::Owned(run.bytes[half..].to_vec());
    }
    if run.open[1]
        && let Err(error) = std::str::from_utf8(&run.bytes)
        && error.error_len().is_none()
    {
        run.bytes.to_mut().truncate(error.valid_up_to());
    }
}

fn text_of<'a>(run: UnbrokenRun<'a>, is_binary: bool, plain: bool) -> (Cow<'a, str>, RawPlaces) {
    let mut places = RawPlaces::default();
    if is_binary {
        places.anchor(0, run.offset, PlaceStep::Escaped);
        return (Cow::Owned(escaped(&run.bytes)), places);
    }
    if plain && first_special(&run.bytes).is_some() {
        let mut text = String::with_capacity(run.bytes.len());
        push_plain(std::str::from_utf8(&run.bytes).unwrap_or_default(), run.offset, &mut text, &mut places);
        return (Cow::Owned(text), places);
    }
    places.anchor(0, run.offset, PlaceStep::Same);
    let text = match run.bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(std::str::from_utf8(bytes).unwrap_or_default()),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_default()),
    };
    (text, places)
}

/// A part of a text, and what stands there instead.
type TextEdit = (Range<usize>, Cow<'static, str>);

/// What has to be changed: secrets are masked, and lines that look like ours moved by a blank. In order, none
/// overlapping another.
fn edits(text: &str, open: [bool; 2], redactor: Option<&Redactor>) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = redactor.map(|redactor| secrets(text, open, redactor)).unwrap_or_default();
    let bytes = text.as_bytes();
    for at in memchr::memchr_iter(b'[', bytes) {
        if (at == 0 || bytes[at - 1] == b'\n') && looks_like_ours(&text[at..]) {
            edits.push((at..at, Cow::Borrowed(" ")));
        }
    }
    // Of two that begin at the same place the longer one counts.
    edits.sort_by_key(|(part, _)| (part.start, std::cmp::Reverse(part.end)));
    let mut done = 0;
    let mut kept: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for (part, new) in edits {
        if part.start >= done {
            done = part.end;
            kept.push((part, new));
        } else if part.end > done {
            // What overlaps goes with what began before it.
            done = part.end;
            if let Some((last, _)) = kept.last_mut() {
                last.end = part.end;
            }
        }
    }
    kept
}

fn secrets(text: &str, open: [bool; 2], redactor: &Redactor) -> Vec<TextEdit> {
    let mut found = redactor.answer_spans(text, open[0] || open[1]);
    if open[0]
        && let Some(end) = end_of_a_key(text)
    {
        found.push((0..end, Cow::Borrowed(crate::redact::MASK)));
    }
    found
}

/// Where a private key ends whose beginning is missing.
fn end_of_a_key(text: &str) -> Option<usize> {
    let end = text.find("-----END ")?;
    let title = end + "-----END ".len();
    let close = title + text[title..].find("-----")?;
    let is_key = text[title..close].contains("PRIVATE KEY") && !text[..end].contains("-----BEGIN ");
    is_key.then_some(close + 5)
}
