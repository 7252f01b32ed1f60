//! The inputs, actions and terms of a life.

use crate::output::Stream;
use crate::plan::{Draft, StopLadder};
use crate::record::{End, EndedBy, Signal, StopCause};
use crate::spec::{Limits, Streams, Terminal};
use std::time::Duration;

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LifeInput {
    /// The command printed this many bytes.
    Output(Stream, u64),
    /// A stream is at its end.
    Eof(Stream),
    /// The command itself ended.
    Exited {
        /// How.
        how: EndedBy,
        /// Whether anything it started is still there.
        others: bool,
    },
    /// Nothing of the tree is left.
    Emptied {
        /// How many outlived the command and had to be told to end.
        outlived: u32,
    },
    /// The kernel ended part of the tree for using too much memory.
    OutOfMemory,
    /// The warden died; how the command ended is unknown.
    Lost,
    /// It is to end.
    Stop(StopCause),
    /// It is to end, and to be asked with this signal.
    StopWith(StopCause, Signal),
    /// Time passed.
    Tick,
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send a signal to every process of the tree.
    Signal(Signal),
    /// Kill every process of the tree, and whatever they still start, until nothing is left.
    Sweep,
    /// It is over. Comes exactly once, and nothing after it.
    Finish(End),
}

/// The terms of one life, taken from its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LifeTerms {
    /// Wall-clock limit.
    pub wall: Option<Duration>,
    /// Limit on time without output.
    pub idle: Option<Duration>,
    /// Limit on bytes of output.
    pub output: Option<u64>,
    /// How long output is read after the end.
    pub drain: Duration,
    /// How it is made to end.
    pub ladder: StopLadder,
    /// How many streams there are to read.
    pub streams: StreamCount,
}

/// How many streams a command's output comes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamCount {
    /// Stdout alone: joined streams, or a terminal.
    One,
    /// Stdout and stderr.
    Two,
}

impl LifeTerms {
    /// The terms a draft sets.
    pub fn of(draft: &Draft) -> Self {
        let command = draft.command();
        let Limits { wall, idle, output, .. } = *command.limits();
        let joined = command.streams() == Streams::Joined || command.terminal() != Terminal::Pipes;
        Self {
            wall,
            idle,
            output,
            drain: draft.capture().drain,
            ladder: draft.ladder(),
            streams: if joined { StreamCount::One } else { StreamCount::Two },
        }
    }
}
