//! The messages on the sockets. The other side of this file is `src/linux/wire.rs`.
//!
//! Everything is little-endian. A request is a head of two numbers (how many bytes follow, and what it is)
//! and a body; only `LAUNCH` and `ENLIST` carry descriptors. A report is four numbers.

use crate::sys;

/// A request to the steward: become a warden for the socket that comes with it.
pub const ENLIST: u32 = 1;
/// The same, in a pid namespace of its own.
pub const ENLIST_APART: u32 = 5;
/// The same as the first, once a warden that was lost and everything that it left are gone.
pub const ENLIST_AFTER: u32 = 7;
/// Requests to a warden.
pub const LAUNCH: u32 = 2;
pub const SIGNAL: u32 = 3;
pub const SWEEP: u32 = 4;
/// One look at names that must not be there.
pub const LOOK: u32 = 6;

/// Reports of a warden.
pub const STARTED: u32 = 1;
pub const FAILED: u32 = 2;
pub const EXITED: u32 = 3;
pub const EMPTIED: u32 = 4;
/// Something appeared that must not be there; where it lies now follows.
pub const ASIDE: u32 = 5;

/// Which step failed. The other side of this list is `src/linux/wire.rs`.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Step {
    Clone = 1,
    Session = 2,
    Terminal = 3,
    Directory = 4,
    Descriptors = 5,
    Limits = 6,
    Execute = 7,
    Walls = 8,
    Names = 9,
    /// Those before any command: of a warden, and of the steward.
    Fork = 10,
    Proc = 11,
    Subreaper = 12,
    Closing = 13,
    Nothing = 14,
    Waiting = 15,
    Reaping = 16,
    Signals = 17,
    Hearing = 18,
    Processes = 19,
}

/// Flags of a launch.
pub const TERMINAL: u32 = 1;
pub const CGROUP: u32 = 2;
/// A Landlock ruleset comes with it, behind the cgroup.
pub const RULES: u32 = 4;
/// Behind it comes a socket, over which those of the command's network are handed out.
pub const HAND: u32 = 8;

/// The beginning of a `LAUNCH` body. Offsets count from its first byte; the tables of arguments and
/// environment hold offsets too and end with 0, so that they become pointers by adding one number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LaunchHead {
    pub flags: u32,
    /// Time between TERM and KILL when Runward is dead.
    pub grace_ms: u32,
    pub limit_count: u32,
    /// Rows of the sandbox's table; none without a sandbox.
    pub wall_count: u32,
    pub program: u64,
    pub argv: u64,
    pub envp: u64,
    /// Triples of resource, soft value, hard value.
    pub limits: u64,
    /// The sandbox's table.
    pub walls: u64,
    /// Namespaces to make, as bits of `clone`.
    pub namespaces: u64,
    /// Names that must not appear.
    pub names: u64,
    pub name_count: u64,
}

/// Reports the start of a command from a pid namespace, where its pid means nothing to Runward: with a pidfd, which
/// names the process everywhere.
pub fn report_started_apart(socket: i32, pid: i32) {
    let pinned = sys::open_pid(pid);
    sys::send_with(socket, &words(STARTED, pid as u32, 0, 0), pinned);
    sys::close(pinned);
}

/// Reports that what a socket was made for cannot be done here: the step, and the kernel's error.
pub fn report_unfit(socket: i32, step: Step, error: isize) {
    sys::write(socket, &words(FAILED, error.unsigned_abs() as u32, step as u32, 0));
}

/// Reports that a launch failed.
pub fn report_failed(socket: i32, failed: &crate::launch::LaunchFailure) {
    sys::write(socket, &words(FAILED, failed.errno, failed.step, failed.row));
}

/// Reports what was done about something that appeared: 1 moved, 2 stuck, 3 restored.
pub fn report_aside(socket: i32, what: u32, errno: u32, path: &[u8]) {
    sys::write(socket, &words(ASIDE, path.len() as u32, what, errno));
    sys::write(socket, path);
}

/// Sends a report. Runward reads every report; if it is dead the answer does not matter any more.
pub fn report(socket: i32, kind: u32, first: u32, second: u32) {
    sys::write(socket, &words(kind, first, second, 0));
}

fn words(kind: u32, first: u32, second: u32, third: u32) -> [u8; 16] {
    let mut bytes = [0_u8; 16];
    for (at, word) in [kind, first, second, third].iter().enumerate() {
        bytes[at * 4..at * 4 + 4].copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
