//! The events of a running child process: bytes to read, input taken, an exit.

use runward_core::life::LifeInput;
use runward_core::output::Stream;

/// Something happened to a child: to its streams, or to its processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// There may be bytes to read from a stream.
    Readable(Stream),
    /// Everything written to the command's input has been taken, or it does not want any more.
    Fed,
    /// What the state machine of the command's life is told as it is.
    Life(LifeInput),
}

/// What a read brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Got {
    /// This many bytes.
    Bytes(usize),
    /// Nothing yet.
    Later,
    /// The stream is at its end.
    End,
}

/// Whether nothing is left of a tree after this, so that nothing has to be watched any more.
pub(crate) fn is_empty_after(input: LifeInput) -> bool {
    matches!(input, LifeInput::Emptied { .. } | LifeInput::Exited { others: false, .. })
}
