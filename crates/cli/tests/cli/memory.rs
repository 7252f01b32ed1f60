//! What a command prints does not decide what Runward costs.

use crate::runner::Place;
use std::io::Read;
use std::process::Stdio;

/// The most memory a process has had, in KiB, for as long as it can be asked.
fn peak(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())
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
        most = most.max(peak(child.id()).unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let mut answer = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert!(answer.contains("\"stdout_bytes\":5000000000"), "{answer}");
    assert!(most > 0 && most < 32 * 1024, "peak {most} KiB");
}
