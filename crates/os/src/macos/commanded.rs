//! Whether a caller on the private socket is a command: not to be told here, where orphans are handed to launchd.

use super::LocalStream;

/// Cannot be told here.
pub fn is_commanded(_: &LocalStream) -> Option<bool> {
    None
}

/// Whether this very process was started by a command; none where that cannot be told.
pub fn runs_under_runward() -> Option<bool> {
    None
}
