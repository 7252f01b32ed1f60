//! The memory of Runward does not grow with a command's output.

use crate::runner::Place;
use std::io::Read;
use std::process::Stdio;

/// The memory that a process filled itself, in KiB, for as long as it can be asked. Pages of its own file do not count: how
/// many of those there are depends on how it was built.
fn filled(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("RssAnon:")?.split_whitespace().next()?.parse().ok())
}

/// promise: P08
#[test]
fn heavy_five_gigabytes_fit_into_little_memory() {
    let place = Place::new();
    let args = ["exec", "--json", "--timeout", "0", "--max-output", "1000", "--", "sh", "-c"];
    let mut command = place.command(args);
    let mut child = command.arg("yes | head -c 5000000000").stdout(Stdio::piped()).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(filled(child.id()).unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let mut answer = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert!(answer.contains("\"stdout_bytes\":5000000000"), "{answer}");
    assert!(most > 0 && most < 16 * 1024, "{most} KiB at the most");
}
