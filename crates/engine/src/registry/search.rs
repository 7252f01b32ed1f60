//! Searches output as it comes, a chunk at a time. May not consume it: read cursors stay.

use super::pattern::OutputPattern;
use super::text::whole_characters;
use crate::{Ledger, LedgerStanding};
use runward_core::output::{Stream, StreamPart, Utf8Stream};

/// Bytes that are searched before other tasks get their turn.
const PIECE: usize = 256 * 1024;

/// Bytes that are looked at once more together with what came after them: a match may begin there. A longer match that
/// arrives in chunks may be missed.
const BEHIND: usize = 64 * 1024;

/// The result of searching a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchStep {
    /// It is there.
    Found,
    /// Not in this chunk; there are more.
    MoreToSee,
    /// Not in anything that is there.
    AllSeen,
}

/// A search through one stream.
#[derive(Debug)]
pub(super) struct Search<'a> {
    wanted: &'a OutputPattern,
    stream: Stream,
    /// Everything before this was looked at.
    seen: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(wanted: &'a OutputPattern, stream: Stream) -> Self {
        Self { wanted, stream, seen: 0 }
    }

    /// Searches the next chunk behind `cursor`.
    pub(super) fn look(&mut self, ledger: &Ledger, standing: &LedgerStanding, cursor: u64) -> SearchStep {
        let total = match self.stream {
            Stream::Stdout => standing.stdout,
            Stream::Stderr => standing.stderr,
        };
        if self.seen.max(cursor) >= total {
            return SearchStep::AllSeen;
        }
        let part = self.piece(ledger, cursor);
        let open = standing.receipt.is_none();
        let bytes = if open { whole_characters(&part.bytes) } else { &part.bytes };
        let end = part.offset + bytes.len() as u64;
        let more = end < total && end > self.seen;
        // What cannot be read any more, or is half a character, is not looked at again before more comes.
        self.seen = if more { end } else { total.max(end) };
        let text = decoded(bytes);
        let begin = if part.offset == cursor { 0 } else { text.chars().next().map_or(0, char::len_utf8) };
        match self.wanted.end_of_match(&text, begin) {
            // The end of a chunk is not the end of the output, for which a pattern may ask.
            Some(end) if !more || end < text.len() => SearchStep::Found,
            _ if more => SearchStep::MoreToSee,
            _ => SearchStep::AllSeen,
        }
    }

    /// The next chunk, with what lies behind it where nothing is missing in between.
    fn piece(&self, ledger: &Ledger, cursor: u64) -> StreamPart {
        let read = |from| ledger.read(self.stream, from, PIECE + BEHIND);
        let part = read(self.seen.saturating_sub(BEHIND as u64).max(cursor));
        if part.next() > self.seen { part } else { read(self.seen.max(cursor)) }
    }
}

fn decoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut stream = Utf8Stream::default();
    stream.push(bytes, &mut text);
    stream.finish(&mut text);
    text
}
