//! Where the code is in a markdown text: fences, indented blocks, spans between backticks. May not know what stands in it.
//!
//! Follows CommonMark where it matters for not taking an example for an order: containers (quotes, list items) are
//! known, so that a fence inside one ends with it, and text that a list item indents is not code.

use super::blocks::{BlockStart, Cursor};
use std::ops::Range;

/// How many list items may stand in each other. A line of nothing but markers would otherwise be read again for each.
const DEEPEST: usize = 100;

/// What a stretch of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StretchKind {
    /// Text in which something can be wanted.
    Prose,
    /// An inline span with its backticks.
    Span {
        /// How many backticks stand on each side.
        ticks: usize,
        /// Whether its lines begin with the mark of a quote.
        quoted: bool,
    },
    /// Indented code, or a fence inside a list or a quote.
    Block,
    /// A fence that stands in nothing else. Its content begins and ends at these bytes.
    Fence {
        /// The first byte after the opening line.
        from: usize,
        /// The first byte of the closing line.
        to: usize,
        /// How many blanks stand before its opening line: as many are no part of the lines in it.
        indent: usize,
    },
}

/// A stretch of the text that is one thing. All of them together are the whole text, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeStretch {
    pub(super) kind: StretchKind,
    pub(super) range: Range<usize>,
}

/// The stretches of a text.
pub(super) fn stretches(text: &str) -> Vec<CodeStretch> {
    let mut reader = CodeReader { text, ..CodeReader::default() };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        reader.line(at..at + line.len());
        at += line.len();
    }
    reader.finish();
    reader.found
}

/// A fence that was opened.
struct Open {
    mark: u8,
    length: usize,
    quotes: usize,
    base: usize,
    indent: usize,
    start: usize,
    inside: usize,
}

#[derive(Default)]
struct CodeReader<'t> {
    text: &'t str,
    found: Vec<CodeStretch>,
    /// How many quotes the lines stand in.
    quotes: usize,
    /// Where the content of each list item begins that the lines stand in.
    items: Vec<usize>,
    /// Where the prose began whose spans are still to be found.
    prose: Option<usize>,
    /// Whether the next line can go on with a paragraph.
    paragraph: bool,
    fence: Option<Open>,
}

impl CodeReader<'_> {
    fn line(&mut self, range: Range<usize>) {
        if self.fence.is_some() && self.inside_fence(&range) {
            return;
        }
        let mut cursor = Cursor::new(&self.text[range.clone()]);
        let quotes = cursor.quotes(usize::MAX);
        if quotes != self.quotes {
            self.end_prose(range.start);
            self.items.clear();
            self.quotes = quotes;
        }
        if cursor.blank() {
            self.end_prose(range.start);
            return self.push(StretchKind::Prose, range);
        }
        self.content(cursor, range);
    }

    /// One line behind the marks of its quotes.
    fn content(&mut self, mut cursor: Cursor<'_>, range: Range<usize>) {
        loop {
            let indent = cursor.indent();
            let fitting = self.items.iter().rposition(|base| *base <= indent).map_or(0, |last| last + 1);
            let base = self.items[..fitting].last().copied().unwrap_or(0);
            let start = if indent - base < 4 { self.start(cursor.rest()) } else { None };
            if start.is_none() && self.paragraph {
                return;
            }
            self.items.truncate(fitting);
            match start {
                None if indent - base >= 4 => {
                    self.end_prose(range.start);
                    return self.push(StretchKind::Block, range);
                }
                None => return self.begin_prose(range.start),
                Some(BlockStart::Fence { mark, length }) => {
                    self.end_prose(range.start);
                    let (quotes, start) = (self.quotes, range.start);
                    self.fence = Some(Open { mark, length, quotes, base, indent, start, inside: range.end });
                    return;
                }
                Some(BlockStart::Alone) => {
                    self.end_prose(range.start);
                    self.begin_prose(range.start);
                    return self.end_prose(range.end);
                }
                Some(BlockStart::Item { width, .. }) => {
                    self.end_prose(range.start);
                    let base = cursor.enter(width);
                    self.items.push(base);
                    if cursor.blank() {
                        return self.push(StretchKind::Prose, range);
                    }
                }
            }
        }
    }

    /// What begins here. A number other than 1 is no list in the middle of a paragraph.
    fn start(&self, rest: &str) -> Option<BlockStart> {
        if self.items.len() >= DEEPEST {
            return None;
        }
        let start = BlockStart::of(rest)?;
        let interrupts = !self.paragraph || !self.items.is_empty();
        match start {
            BlockStart::Item { first: false, .. } if !interrupts => None,
            other => Some(other),
        }
    }

    /// Whether the line belongs to the open fence. If not, the fence ended before it.
    fn inside_fence(&mut self, range: &Range<usize>) -> bool {
        let Some(open) = &self.fence else { return false };
        let mut cursor = Cursor::new(&self.text[range.clone()]);
        let quotes = cursor.quotes(open.quotes);
        let (blank, indent) = (cursor.blank(), cursor.indent());
        if quotes < open.quotes || (!blank && indent < open.base) {
            self.end_fence(range.start, range.start);
            return false;
        }
        if indent - open.base.min(indent) < 4 && closes(cursor.rest(), open) {
            self.end_fence(range.start, range.end);
        }
        true
    }

    fn end_fence(&mut self, to: usize, end: usize) {
        let Some(open) = self.fence.take() else { return };
        let kind = match (open.quotes, open.base) {
            (0, 0) => StretchKind::Fence { from: open.inside, to, indent: open.indent },
            _ => StretchKind::Block,
        };
        self.push(kind, open.start..end);
    }

    fn begin_prose(&mut self, at: usize) {
        self.prose.get_or_insert(at);
        self.paragraph = true;
    }

    fn end_prose(&mut self, end: usize) {
        self.paragraph = false;
        if let Some(start) = self.prose.take() {
            self.spans(start, end);
        }
    }

    fn finish(&mut self) {
        let end = self.text.len();
        self.end_fence(end, end);
        self.end_prose(end);
    }

    fn push(&mut self, kind: StretchKind, range: Range<usize>) {
        if !range.is_empty() {
            self.found.push(CodeStretch { kind, range });
        }
    }

    /// The inline spans of one paragraph, and the prose between them.
    fn spans(&mut self, start: usize, end: usize) {
        let bytes = &self.text.as_bytes()[..end];
        let (mut at, mut from, mut unclosed) = (start, start, Vec::new());
        while at < end {
            match bytes[at] {
                b'\\' => at += 2,
                b'`' => {
                    let ticks = run(bytes, at);
                    let close =
                        if unclosed.contains(&ticks) { None } else { closing(bytes, at + ticks, ticks) };
                    let Some(close) = close else {
                        unclosed.push(ticks);
                        at += ticks;
                        continue;
                    };
                    self.push(StretchKind::Prose, from..at);
                    from = close + ticks;
                    self.push(StretchKind::Span { ticks, quoted: self.quotes > 0 }, at..from);
                    at = from;
                }
                _ => at += 1,
            }
        }
        self.push(StretchKind::Prose, from..end);
    }
}

/// How many backticks stand here.
fn run(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|byte| **byte == b'`').count()
}

/// Where exactly this many backticks stand next.
fn closing(bytes: &[u8], mut at: usize, ticks: usize) -> Option<usize> {
    while at < bytes.len() {
        match run(bytes, at) {
            0 => at += 1,
            found if found == ticks => return Some(at),
            other => at += other,
        }
    }
    None
}

fn closes(rest: &str, open: &Open) -> bool {
    let rest = rest.trim_end();
    rest.len() >= open.length && rest.bytes().all(|byte| byte == open.mark)
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
