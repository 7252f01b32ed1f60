//! The order in which pieces of standard output and standard error arrived, in bounded memory.

use super::{KeptOutput, Stream};
use std::collections::VecDeque;

/// One run of bytes that arrived from one stream without the other in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamMark {
    /// Its place in the order of arrival, counted from 0 over both streams.
    pub seq: u64,
    /// The stream.
    pub stream: Stream,
    /// Where in the stream it begins.
    pub offset: u64,
    /// How long it is.
    pub len: u64,
}

/// The order of arrival, in bounded memory: the first and the last runs are kept.
#[derive(Debug, Default)]
pub struct Marks {
    first: Vec<StreamMark>,
    last: VecDeque<StreamMark>,
    next: u64,
}

/// How many runs are kept at each end.
const KEPT: usize = 512;

impl Marks {
    /// Notes that bytes arrived, and gives them their sequence number.
    pub fn note(&mut self, stream: Stream, offset: u64, len: u64) -> u64 {
        if let Some(mark) = self.newest().filter(|mark| mark.stream == stream) {
            mark.len += len;
            return mark.seq;
        }
        let mark = StreamMark { seq: self.next, stream, offset, len };
        self.next += 1;
        if self.first.len() < KEPT {
            self.first.push(mark);
        } else {
            if self.last.len() == KEPT {
                self.last.pop_front();
            }
            self.last.push_back(mark);
        }
        mark.seq
    }

    fn newest(&mut self) -> Option<&mut StreamMark> {
        self.last.back_mut().or(self.first.last_mut())
    }

    /// Every run that is remembered, in order.
    pub fn into_list(self) -> Vec<StreamMark> {
        self.first.into_iter().chain(self.last).collect()
    }
}

/// What was kept of both streams, in the order in which it arrived.
pub fn interleave<'a>(
    marks: &[StreamMark],
    stdout: &'a KeptOutput,
    stderr: &'a KeptOutput,
) -> Vec<(Stream, &'a [u8])> {
    let mut pieces = Vec::new();
    for mark in marks {
        let kept = match mark.stream {
            Stream::Stdout => stdout,
            Stream::Stderr => stderr,
        };
        let (from, to) = (mark.offset, mark.offset + mark.len);
        pieces.push((mark.stream, overlap(&kept.head, 0, from, to)));
        pieces.push((mark.stream, overlap(&kept.tail, kept.tail_offset(), from, to)));
    }
    pieces.retain(|(_, bytes)| !bytes.is_empty());
    pieces
}

/// The part of `bytes`, which begin at `base` in their stream, that lies in `from..to`.
fn overlap(bytes: &[u8], base: u64, from: u64, to: u64) -> &[u8] {
    let end = base + bytes.len() as u64;
    let (from, to) = (from.clamp(base, end), to.clamp(base, end));
    let index = |at: u64| usize::try_from(at - base).unwrap_or(bytes.len());
    if from >= to { &[] } else { &bytes[index(from)..index(to)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_stream_are_one_mark() {
        let mut marks = Marks::default();
        assert_eq!(marks.note(Stream::Stdout, 0, 2), 0);
        assert_eq!(marks.note(Stream::Stdout, 2, 3), 0);
        assert_eq!(marks.note(Stream::Stderr, 0, 1), 1);
        assert_eq!(marks.into_list()[0], StreamMark { seq: 0, stream: Stream::Stdout, offset: 0, len: 5 });
    }

    #[test]
    fn the_order_of_arrival_can_be_shown() {
        let mut marks = Marks::default();
        marks.note(Stream::Stdout, 0, 2);
        marks.note(Stream::Stderr, 0, 1);
        marks.note(Stream::Stdout, 2, 2);
        let stdout = KeptOutput { head: b"ab".to_vec(), tail: b"cd".to_vec(), total: 4 };
        let stderr = KeptOutput { head: b"!".to_vec(), tail: vec![], total: 1 };
        let pieces = interleave(&marks.into_list(), &stdout, &stderr);
        assert_eq!(pieces, [(Stream::Stdout, &b"ab"[..]), (Stream::Stderr, b"!"), (Stream::Stdout, b"cd")]);
    }

    #[test]
    fn memory_is_bounded() {
        let mut marks = Marks::default();
        for n in 0..100_000 {
            marks.note(if n % 2 == 0 { Stream::Stdout } else { Stream::Stderr }, n, 1);
        }
        let list = marks.into_list();
        assert_eq!(list.len(), 2 * KEPT);
        assert_eq!(list.last().map(|mark| mark.seq), Some(99_999));
    }
}
