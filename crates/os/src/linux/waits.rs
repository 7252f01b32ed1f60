//! What a blocked thread waits to read, from the system call it is in.
//!
//! `/proc/PID/task/TID/syscall` shows the number and six arguments. For calls that wait on many descriptors at
//! once, the list is in the process' own memory, or in what `/proc` says about an epoll descriptor.

use std::fs;
use std::os::unix::fs::FileExt;

/// The system calls in which a program waits for something to read.
#[cfg(target_arch = "x86_64")]
mod number {
    pub(super) const READ: &[u64] = &[0, 19, 17];
    pub(super) const POLL: &[u64] = &[7, 271];
    pub(super) const SELECT: &[u64] = &[23, 270];
    pub(super) const EPOLL: &[u64] = &[232, 281, 441];
}

#[cfg(target_arch = "aarch64")]
mod number {
    pub(super) const READ: &[u64] = &[63, 65, 67];
    pub(super) const POLL: &[u64] = &[73];
    pub(super) const SELECT: &[u64] = &[72];
    pub(super) const EPOLL: &[u64] = &[22, 441];
}

/// Elsewhere there is no warden, so there is no command to look at.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod number {
    pub(super) const READ: &[u64] = &[];
    pub(super) const POLL: &[u64] = &[];
    pub(super) const SELECT: &[u64] = &[];
    pub(super) const EPOLL: &[u64] = &[];
}

/// Whether any thread of a process waits to read a file descriptor that leads to the target meant.
pub(super) fn reads(pid: u32, is_meant: &dyn Fn(&str) -> bool) -> bool {
    let by_thread = |thread| {
        let call = current_call(pid, thread).map(|file| read_call(&file)).unwrap_or_default();
        is_any(pid, &waited_for(pid, &call), is_meant)
    };
    // The first thread has the process' own pid; only if it does not read are the others listed.
    by_thread(pid) || threads(pid).filter(|thread| *thread != pid).any(by_thread)
}

/// The system call that the first thread of one process is in, to be asked again and again. It stays with that very
/// process: once that is gone there is no answer, even if its pid is used again.
#[derive(Debug)]
pub(super) struct ThreadWaits {
    pid: u32,
    call: fs::File,
}

impl ThreadWaits {
    /// Looks at this process.
    pub(super) fn of(pid: u32) -> Option<Self> {
        Some(Self { pid, call: current_call(pid, pid).ok()? })
    }

    /// Which process it looks at.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it waits to read a file descriptor that leads to the target meant; nothing once it is gone.
    pub(super) fn reads(&self, is_meant: &dyn Fn(&str) -> bool) -> Option<bool> {
        let call = read_call(&self.call);
        (!call.is_empty()).then(|| is_any(self.pid, &waited_for(self.pid, &call), is_meant))
    }
}

fn is_any(pid: u32, descriptors: &[u64], is_meant: &dyn Fn(&str) -> bool) -> bool {
    descriptors.iter().any(|fd| {
        let target = fs::read_link(format!("/proc/{pid}/fd/{fd}"));
        target.is_ok_and(|target| target.to_str().is_some_and(is_meant))
    })
}

/// The threads of a process.
pub(super) fn threads(pid: u32) -> impl Iterator<Item = u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The descriptors that a system call waits to read.
fn waited_for(pid: u32, call: &str) -> Vec<u64> {
    let mut words = call.split_whitespace();
    // A thread that runs shows `running` instead.
    let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else { return Vec::new() };
    let mut args = words.map_while(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok());
    let (Some(first), Some(second)) = (args.next(), args.next()) else { return Vec::new() };
    match number {
        read if number::READ.contains(&read) => vec![first],
        poll if number::POLL.contains(&poll) => polled(pid, first, second),
        select if number::SELECT.contains(&select) => selected(pid, first, second),
        epoll if number::EPOLL.contains(&epoll) => gathered(pid, first),
        _ => Vec::new(),
    }
}

/// Bytes of a system call with its arguments, at the most.
const CALL: usize = 256;

/// The file that shows the system call a thread is in.
fn current_call(pid: u32, thread: u32) -> std::io::Result<fs::File> {
    fs::File::open(format!("/proc/{pid}/task/{thread}/syscall"))
}

/// What such a file shows now; nothing once the thread is gone. Read in one go: asked for its size, it says nothing.
fn read_call(file: &fs::File) -> String {
    let mut call = [0; CALL];
    let len = file.read_at(&mut call, 0).unwrap_or(0);
    std::str::from_utf8(&call[..len]).unwrap_or_default().to_owned()
}

/// More than any program waits on; a wild argument must not cost memory.
const MOST: u64 = 4096;

fn memory(pid: u32, at: u64, len: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    let read =
        fs::File::open(format!("/proc/{pid}/mem")).and_then(|memory| memory.read_exact_at(&mut bytes, at));
    if read.is_ok() { bytes } else { Vec::new() }
}

/// An array of descriptor (4 bytes), wanted events (2), found events (2).
fn polled(pid: u32, at: u64, count: u64) -> Vec<u64> {
    const POLLIN: u16 = 1;
    let bytes = memory(pid, at, count.min(MOST) * 8);
    let entries = bytes.chunks_exact(8);
    entries
        .filter(|entry| u16::from_le_bytes([entry[4], entry[5]]) & POLLIN != 0)
        .map(|entry| u64::from(u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]])))
        .collect()
}

/// A bit for each descriptor below `count`.
fn selected(pid: u32, count: u64, at: u64) -> Vec<u64> {
    if at == 0 {
        return Vec::new();
    }
    let bits = memory(pid, at, count.min(MOST).div_ceil(64) * 8);
    let is_set = |fd: &u64| bits.get((fd / 8) as usize).is_some_and(|byte| byte >> (fd % 8) & 1 == 1);
    (0..count.min(MOST)).filter(is_set).collect()
}

/// The descriptors that an epoll descriptor watches for reading.
fn gathered(pid: u32, epoll: u64) -> Vec<u64> {
    const EPOLLIN: u32 = 1;
    let known = fs::read_to_string(format!("/proc/{pid}/fdinfo/{epoll}")).unwrap_or_default();
    known
        .lines()
        .filter_map(|line| {
            let mut words = line.strip_prefix("tfd:")?.split_whitespace();
            let fd = words.next()?.parse().ok()?;
            let events = words.skip_while(|word| *word != "events:").nth(1)?;
            (u32::from_str_radix(events, 16).ok()? & EPOLLIN != 0).then_some(fd)
        })
        .collect()
}
