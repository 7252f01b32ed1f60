//! What this very process has: the width of its terminal, the files it may open.

/// Not asked for here: a terminal that does not tell its width gets no status line.
pub(crate) fn terminal_width() -> Option<u16> {
    None
}

/// There is no such limit here.
pub(crate) fn open_files_limit() -> Option<u64> {
    None
}
