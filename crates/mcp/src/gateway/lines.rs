//! A child's standard output, cut into lines, none of which is held beyond the bound.
//!
//! A line that passes the bound is skipped to its end, and the waiting caller is known as soon as the line
//! has its id: many servers write the id first, others last. May not know what a message means.

use super::whose::{LineBeginning, id_at_end};
use bytes::{Buf, Bytes, BytesMut};
use memchr::memchr;

/// How many times the bound is skipped of one line before its end is no longer waited for.
const SKIPPED: usize = 16;
/// From how many bytes on a line has an allocation of its own.
const LARGE: usize = 1024 * 1024;
/// The size of that allocation, however much is used. Allocators map what is larger than 32 MiB and unmap it when
/// it is freed: otherwise a hole stays behind, and what is made of the line next to it takes three times its size.
const APART: usize = 33 * 1024 * 1024;
/// How much of the end of a line is looked at for an id.
const TAIL: usize = 256;

/// Bytes cut into lines, each looked at once.
#[derive(Debug)]
pub(super) struct MessageLines {
    most: usize,
    /// The beginning of a line without its end yet.
    begun: LineText,
    /// What has not been looked at.
    fresh: Bytes,
    /// Set while a line that is too long is skipped.
    skipped: Option<SkippedLine>,
    /// Nothing that follows is used any more.
    lost: bool,
}

#[derive(Debug)]
struct SkippedLine {
    /// Whether the caller was told about it already.
    told: bool,
    /// How much there was of it.
    bytes: usize,
    /// The last bytes of it.
    tail: Vec<u8>,
}

/// The result of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MessageLine {
    /// A line within the bound.
    Whole(LineText),
    /// One that is too long, and is the answer to this request.
    TooLong(u64),
    /// One that is too long, and that no caller waits for.
    Passed,
    /// One that is too long and has no id that can be found.
    Hopeless,
}

impl MessageLines {
    pub(super) fn new(most: usize) -> Self {
        let (begun, fresh) = (LineText::default(), Bytes::new());
        Self { most, begun, fresh, skipped: None, lost: false }
    }

    /// Whether a line was too long to make anything of what follows.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// More was printed. What was printed before must have been taken.
    pub(super) fn push(&mut self, bytes: Bytes) {
        if !self.lost {
            self.fresh = bytes;
        }
    }

    /// The next line that is there.
    pub(super) fn next(&mut self) -> Option<MessageLine> {
        while !self.fresh.is_empty() && !self.lost {
            let end = memchr(b'\n', &self.fresh);
            let piece = self.fresh.split_to(end.unwrap_or(self.fresh.len()));
            if end.is_some() {
                self.fresh.advance(1);
            }
            let line = match &self.skipped {
                Some(_) => self.skip(&piece, end.is_some()),
                None => self.take(piece, end.is_some()),
            };
            if line.is_some() {
                return line;
            }
        }
        self.lost.then_some(MessageLine::Hopeless)
    }

    fn take(&mut self, piece: Bytes, ended: bool) -> Option<MessageLine> {
        if self.begun.text().len() + piece.len() > self.most {
            return self.begin_skipping(&piece, ended);
        }
        if ended && self.begun.text().is_empty() {
            return Some(MessageLine::Whole(LineText::of(piece)));
        }
        self.begun.push(&piece);
        ended.then(|| MessageLine::Whole(std::mem::take(&mut self.begun)))
    }

    fn begin_skipping(&mut self, piece: &Bytes, ended: bool) -> Option<MessageLine> {
        let begun = std::mem::take(&mut self.begun);
        let beginning = LineBeginning::of(if begun.text().is_empty() { piece } else { begun.text() });
        let told = match beginning {
            LineBeginning::Answer(id) => Some(MessageLine::TooLong(id)),
            LineBeginning::Other => Some(MessageLine::Passed),
            LineBeginning::Unknown => None,
        };
        self.skipped =
            Some(SkippedLine { told: told.is_some(), bytes: begun.text().len(), tail: begun.end() });
        // A caller that was told hears nothing more of the same line.
        let ended = self.skip(piece, ended);
        told.or(ended)
    }

    fn skip(&mut self, piece: &[u8], ended: bool) -> Option<MessageLine> {
        let line = self.skipped.as_mut()?;
        line.bytes += piece.len();
        line.tail.extend_from_slice(&piece[piece.len().saturating_sub(TAIL)..]);
        line.tail.drain(..line.tail.len().saturating_sub(TAIL));
        if !ended {
            self.lost = line.bytes > self.most.saturating_mul(SKIPPED);
            return None;
        }
        let line = self.skipped.take().filter(|line| !line.told)?;
        match id_at_end(&line.tail) {
            Some(id) => Some(MessageLine::TooLong(id)),
            None => {
                self.lost = true;
                None
            }
        }
    }
}

/// The text of one line: a part of one read, or put together from several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LineText {
    given: Bytes,
    grown: BytesMut,
}

impl LineText {
    pub(super) fn of(given: Bytes) -> Self {
        Self { given, grown: BytesMut::new() }
    }

    /// More of the same line. What came in one read is whole already.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.grown.capacity() < APART && self.grown.len() + bytes.len() > LARGE {
            let mut apart = BytesMut::with_capacity(APART);
            apart.extend_from_slice(&self.grown);
            self.grown = apart;
        }
        self.grown.extend_from_slice(bytes);
    }

    /// All of it.
    pub(super) fn text(&self) -> &[u8] {
        if self.grown.is_empty() { &self.given } else { &self.grown }
    }

    /// The last bytes of it.
    fn end(&self) -> Vec<u8> {
        let text = self.text();
        text[text.len().saturating_sub(TAIL)..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn heard(lines: &mut MessageLines, text: &[u8], cut: usize) -> Vec<MessageLine> {
        let mut heard = Vec::new();
        for piece in text.chunks(cut) {
            lines.push(Bytes::copy_from_slice(piece));
            heard.extend(std::iter::from_fn(|| lines.next()).take(99));
        }
        heard
    }

    fn text(line: MessageLine) -> Vec<u8> {
        let MessageLine::Whole(line) = line else { panic!("{line:?}") };
        line.text().to_vec()
    }

    proptest! {
        #[test]
        fn lines_come_whole_however_they_are_cut(lines in prop::collection::vec("[a-z]{0,9}", 0..9), cut in 1usize..7) {
            let all: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let heard = heard(&mut MessageLines::new(99), all.as_bytes(), cut);
            let heard: Vec<_> = heard.into_iter().map(text).collect();
            let expected: Vec<_> = lines.iter().map(|line| line.clone().into_bytes()).collect();
            prop_assert_eq!(heard, expected);
        }
    }

    #[test]
    fn a_line_within_the_bound_is_whole_and_one_byte_more_is_too_long() {
        let answer = |len: usize| {
            let mut line = br#"{"jsonrpc":"2.0","id":7,"result":""#.to_vec();
            line.resize(len - 2, b'x');
            line.extend(b"\"}\nnext\n");
            line
        };
        for cut in [1, 7, 4096] {
            let mut lines = MessageLines::new(100);
            let whole = heard(&mut lines, &answer(100), cut);
            assert_eq!(whole.into_iter().map(|line| text(line).len()).collect::<Vec<_>>(), [100, 4]);
            let mut long = heard(&mut lines, &answer(101), cut);
            assert_eq!(text(long.pop().unwrap()), b"next");
            assert_eq!(long, [MessageLine::TooLong(7)], "{cut}");
        }
    }

    #[test]
    fn whose_a_long_line_is_is_told_at_once_or_at_its_end() {
        let long = "x".repeat(200);
        for (line, expected) in [
            (format!(r#"{{"id": "7", "jsonrpc": "2.0", "result": "{long}"}}"#), MessageLine::TooLong(7)),
            (format!(r#"{{"result":{{"a":"{long}"}},"jsonrpc":"2.0","id":7}}"#), MessageLine::TooLong(7)),
            (format!(r#"{{"method":"notifications/message","params":"{long}"}}"#), MessageLine::Passed),
            (format!("log: {long}"), MessageLine::Passed),
            (format!(r#"{{"result":"{long}"}}"#), MessageLine::Hopeless),
        ] {
            let mut lines = MessageLines::new(100);
            let said = heard(&mut lines, format!("{line}\n").as_bytes(), 50);
            assert_eq!(said.first(), Some(&expected), "{line}");
        }
    }

    #[test]
    fn a_line_that_never_ends_takes_bounded_memory_and_is_given_up() {
        let piece = Bytes::from(vec![b'x'; 1 << 20]);
        let most = 4 * piece.len();
        let mut lines = MessageLines::new(most);
        let mut said = Vec::new();
        for _ in 0..(SKIPPED * 4 + 8) {
            lines.push(piece.clone());
            said.extend(lines.next());
            assert!(lines.begun.text().len() <= most);
            assert!(lines.skipped.as_ref().is_none_or(|line| line.tail.len() <= TAIL));
        }
        assert_eq!(said.first(), Some(&MessageLine::Passed));
        assert_eq!(said.last(), Some(&MessageLine::Hopeless));
        lines.push(Bytes::from_static(b"\nnext\n"));
        assert_eq!(lines.next(), Some(MessageLine::Hopeless), "nothing is believed behind it");
    }
}
