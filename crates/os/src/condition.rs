//! What a running command is doing, as far as the kernel tells. Facts; nothing here looks at output.

/// What a command is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
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
