//! Whether a caller on the private socket is a command of some Runward, or was started by one.
//!
//! Every command lives below a warden, and so do its descendants: orphans are handed up to it. So the parents of the
//! caller include a warden, whichever server it belongs to. Hazard: a process may be gone before it is looked at, and
//! its pid another's. What cannot be followed to the top counts as a command; a reused pid leads to the wrong answer
//! only for a caller that is gone. May not be taken for a sandbox: a command that has another program of this user
//! start something is not seen.

use super::LocalStream;
use std::path::PathBuf;

/// What a warden calls itself.
const WARDEN: &[u8] = b"runward-warden\0";

/// Longer than any chain of parents.
const GENERATIONS: usize = 4096;

/// Whether the caller is a command, or was started by one; none where that cannot be told.
pub fn is_commanded(caller: &LocalStream) -> Option<bool> {
    let pid = caller.peer_cred().ok().and_then(|who| who.pid()).unwrap_or(0);
    Some(descends_from_warden(u32::try_from(pid).unwrap_or(0)))
}

/// Whether this very process is a command, or was started by one; none where that cannot be told.
pub fn runs_under_runward() -> Option<bool> {
    Some(descends_from_warden(std::process::id()))
}

fn descends_from_warden(mut pid: u32) -> bool {
    for _ in 0..GENERATIONS {
        // Zero is beyond what can be seen from here, and no command of ours is there.
        if pid <= 1 {
            return false;
        }
        let place = PathBuf::from(format!("/proc/{pid}"));
        let Ok(name) = std::fs::read(place.join("cmdline")) else { return true };
        if name.starts_with(WARDEN) {
            return true;
        }
        let stat = std::fs::read(place.join("stat")).unwrap_or_default();
        let Some(parent) = parent(&stat) else { return true };
        pid = parent;
    }
    true
}

/// The second word after the name, which stands in parentheses and may hold any byte.
fn parent(stat: &[u8]) -> Option<u32> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_found_behind_any_name() {
        assert_eq!(parent(b"7 (a) 9 (b) S 42 7 7"), Some(42));
        assert_eq!(parent(b"7 (a"), None);
    }

    #[test]
    fn a_test_is_no_command_and_who_is_gone_might_be_one() {
        assert!(!descends_from_warden(1));
        assert!(descends_from_warden(u32::MAX));
    }
}
