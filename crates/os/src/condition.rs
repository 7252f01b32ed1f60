//! What a running command is doing (busy, waiting for input), as far as the kernel tells. May not look at output.

/// What a command is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessCondition {
    /// Something in it works, or waits for something other than its input.
    Busy,
    /// It waits for a line of input.
    WantsLine,
    /// It waits for a line of input that must not be shown.
    WantsSecret,
    /// It waits for keys and edits the line itself.
    WantsKeys,
    /// The kernel does not tell.
    Unknown,
}
