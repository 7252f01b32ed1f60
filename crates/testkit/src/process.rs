//! What the kernel tells about processes: their memory, and how often they wake up. Linux only.
//!
//! May not change anything about them.

use std::fs;

/// Resident memory of a process, in bytes.
pub fn resident(pid: u32) -> i64 {
    kibibytes(&read(&format!("/proc/{pid}/status")), "VmRSS:") * 1024
}

/// The part of it that is in no file: what the process has put there itself, in bytes.
pub fn anonymous(pid: u32) -> i64 {
    kibibytes(&read(&format!("/proc/{pid}/status")), "RssAnon:") * 1024
}

/// Memory that a process alone keeps busy, in bytes: what would be free without it.
pub fn own(pid: u32) -> i64 {
    let rollup = read(&format!("/proc/{pid}/smaps_rollup"));
    (kibibytes(&rollup, "Private_Dirty:") + kibibytes(&rollup, "Private_Clean:")) * 1024
}

/// How many files a process has open.
pub fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs").count()
}

/// How often the threads of a process were switched, willing or not.
pub fn switches(pid: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("it runs").flatten();
    let threads = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
    threads.map(|thread| switches_of_thread(pid, thread)).sum()
}

/// The same of one thread.
pub fn switches_of_thread(pid: u32, thread: u32) -> u64 {
    let status = read(&format!("/proc/{pid}/task/{thread}/status"));
    let count = |name| field(&status, name).unwrap_or(0);
    count("voluntary_ctxt_switches:") + count("nonvoluntary_ctxt_switches:")
}

/// The steward and the wardens of a server: its children of that name, and theirs.
pub fn wardens(server: u32) -> Vec<u32> {
    let mut all = vec![server];
    let mut at = 0;
    while at < all.len() {
        let below = children(all[at]).into_iter().filter(|pid| is_warden(*pid));
        all.extend(below);
        at += 1;
    }
    all.split_off(1)
}

fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks
        .flat_map(|task| {
            let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()
        })
        .collect()
}

fn is_warden(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with("runward-warden"))
}

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("it runs")
}

fn kibibytes(text: &str, name: &str) -> i64 {
    field(text, name).and_then(|value| i64::try_from(value).ok()).expect("the kernel tells")
}

fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}
