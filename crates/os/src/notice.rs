//! What a running command yields.

use runward_core::output::Stream;
use runward_core::record::How;

/// Something happened to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// There may be bytes to read from a stream.
    Readable(Stream),
    /// The command itself ended.
    Exited {
        /// How.
        how: How,
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
    /// Whoever watched the command died.
    Lost,
    /// Everything written to the command's input has been taken, or it does not want any more.
    Fed,
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
