//! A tree under wine that runs into its time limit: nothing of it may be left.
//!
//! Hazard: a search that never finds anything would pass. So the tree is waited for first.

use super::{cases, wine};
use crate::ChoreResult;
use crate::root::RepositoryRoot;
use std::time::{Duration, Instant};
use std::{fs, process, thread};

/// How long the tree may take to be there, and to be gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// One `ping` in the background, one in front, and nothing left of either.
pub(super) fn none_after_a_timeout(root: &RepositoryRoot) -> ChoreResult {
    let (code, ()) = wine::told(|| time_out(root))?;
    if code != Some(124) {
        return Err(format!("a command at its time limit ended with {code:?}, not with 124"));
    }
    println!("a tree of two processes ended at its time limit, and nothing is left");
    Ok(())
}

fn time_out(root: &RepositoryRoot) -> Result<(Option<i32>, ()), String> {
    // A count that no other process asks for is the mark by which the tree is known.
    let mark = format!("4{:08}", process::id());
    let text = format!("start /b ping -n {mark} 127.0.0.1 >nul & ping -n {mark} 127.0.0.1 >nul");
    let mut child = cases::runward(root, ["exec", "--timeout", "4s", "--shell", &text]).start(root)?;
    let begun = until(|| pings(&mark) == 2);
    let status = child.wait().map_err(|error| format!("runward.exe was lost: {error}"))?;
    if !begun {
        return Err("the two processes of the tree were never seen".to_owned());
    }
    if pings(&mark) != 0 {
        return Err("a process of the tree outlived the time limit".to_owned());
    }
    Ok((status.code(), ()))
}

fn until(mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Processes with `ping` as their own first word that carry the mark; those that merely start them do not count.
fn pings(mark: &str) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| is_ping(line, mark)).count()
}

/// Words of a command line end with NUL here.
fn is_ping(line: &[u8], mark: &str) -> bool {
    let mut words = line.split(|byte| *byte == 0);
    let first = words.next().unwrap_or_default();
    first.windows(4).any(|part| part == b"ping") && words.any(|word| word == mark.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_processes_themselves_count() {
        assert!(is_ping(b"ping\0-n\x0041\x00127.0.0.1\0", "41"));
        assert!(!is_ping(b"cmd.exe\0/c\0ping -n 41\0", "41"));
        assert!(!is_ping(b"ping\0-n\x0042\0", "41"));
        assert!(!is_ping(b"", "41"));
    }
}
