//! Facts from `/proc` about processes, and signals to them by their pid.
//!
//! May not signal anything by name.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Waits until something is so, for so long at most. Says whether it came.
pub(crate) fn comes(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        if holds() {
            return true;
        }
        if begun.elapsed() > limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process, or with a minus sign to a group. One that is gone already is no matter.
pub(crate) fn signal(name: &str, target: &str) {
    let mut command = Command::new("kill");
    command.args([&format!("-{name}"), "--", target]);
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// The arguments of a process, with spaces between. Nothing for one that is gone, or has ended and was not waited for.
pub(crate) fn line(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    bytes.iter().map(|byte| if *byte == 0 { ' ' } else { char::from(*byte) }).collect()
}

/// A number in `/proc/PID/status`.
fn status(pid: u32, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}

/// The parent of a process.
pub(crate) fn parent(pid: u32) -> Option<u32> {
    status(pid, "PPid:").and_then(|parent| u32::try_from(parent).ok())
}

/// Resident memory, in mebibytes.
pub(crate) fn resident(pid: u32) -> u64 {
    status(pid, "VmRSS:").unwrap_or(0) / 1024
}

/// How many threads it has.
pub(crate) fn threads(pid: u32) -> u64 {
    status(pid, "Threads:").unwrap_or(0)
}

/// How many files it has open.
pub(crate) fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

/// Whether it has ended, also where it is a zombie still.
pub(crate) fn has_ended(pid: u32) -> bool {
    let Ok(text) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return true };
    text.rsplit(')').next().is_none_or(|rest| matches!(rest.trim().chars().next(), Some('Z' | 'X') | None))
}
