//! Whether a caller on the private socket is a command: not to be told here, where orphans are handed to launchd.

use super::LocalStream;

/// Cannot be told here.
pub fn is_commanded(_: &LocalStream) -> Option<bool> {
    None
}
