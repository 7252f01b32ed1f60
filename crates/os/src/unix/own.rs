//! What this very process has: the width of its terminal, the files it may open.

use rustix::process::{Resource, getrlimit};
use rustix::termios::tcgetwinsize;

/// Characters in a line of the terminal behind stderr, if there is one.
pub(crate) fn terminal_width() -> Option<u16> {
    tcgetwinsize(std::io::stderr()).ok().map(|size| size.ws_col).filter(|columns| *columns > 0)
}

/// Files this process may have open at once; `None` where there is no such limit.
pub(crate) fn open_files_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}
