//! Formats of known tools: which lines are known to be harmless, and what was counted.
//!
//! A format is used where the program and its opening line agree. May not leave out a marked line, nor a line it does not
//! know. Read first: [`Reading`].

use super::input::CommandEnding;
use super::results::RunResults;
use super::stream::RenderedStream;
use super::tally::LeftOutLines;

/// What was read of both streams.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) results: Option<RunResults>,
    pub(super) left_out: [LeftOutLines; 2],
}

impl Reading {
    /// Whether anything is left out.
    pub(super) fn is_some(&self) -> bool {
        self.left_out.iter().any(|lines| !lines.ranges.is_empty())
    }
}

/// Reads the formats of these programs.
pub(super) fn read(
    _programs: &[Vec<String>],
    _streams: &[RenderedStream<'_>; 2],
    _ending: CommandEnding,
) -> Reading {
    Reading::default()
}
