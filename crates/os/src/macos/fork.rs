//! Forks one command, holds it at a gate, and hears whether it could be executed.
//!
//! The order matters. The child waits at the gate until its guard stands, so Runward may be killed at any
//! moment: before the gate opens the child sees the gate's pipe end and goes, afterwards the guard ends it.
//! Then: a session of its own before the terminal, the terminal before anything else is opened, the directory
//! by descriptor (it is the very one that was judged), limits late so that they do not hit our own steps, and
//! signals unblocked last so that none arrives half way. Between fork and execution only calls are made that
//! are safe there: no allocation, no locks.

use super::order::ExecOrder;
use crate::sys::unix::{forking, pipe};
use libc::{c_int, pid_t};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr::null_mut;

/// Which step of a launch failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaunchStep {
    Session = 1,
    Terminal,
    Directory,
    Descriptors,
    Limits,
    Execute,
}

const STEPS: [LaunchStep; 6] = [
    LaunchStep::Session,
    LaunchStep::Terminal,
    LaunchStep::Directory,
    LaunchStep::Descriptors,
    LaunchStep::Limits,
    LaunchStep::Execute,
];

/// A child at the gate. Dropping it ends it.
pub(super) struct AtGate {
    pub(super) pid: pid_t,
    gate: File,
    report: File,
}

/// The descriptors a child begins with.
pub(super) struct GivenDescriptors {
    pub(super) streams: [RawFd; 3],
    pub(super) directory: RawFd,
}

/// Forks a child that waits at the gate.
pub(super) fn fork(order: &ExecOrder, given: GivenDescriptors) -> io::Result<AtGate> {
    let (gate, opens) = pipe()?;
    let (report, reports) = pipe()?;
    let start = ForkStart {
        order,
        given,
        gate: gate.as_raw_fd(),
        opens: opens.as_raw_fd(),
        reports: reports.as_raw_fd(),
        highest: highest(),
    };
    let nobody_else = forking();
    // SAFETY: the child only does what is safe after a fork, and never returns.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        start.run();
    }
    let error = io::Error::last_os_error();
    drop(nobody_else);
    if pid < 0 {
        return Err(error);
    }
    let (gate, report): (File, File) = (OwnedFd::into(opens), OwnedFd::into(report));
    Ok(AtGate { pid, gate, report })
}

impl AtGate {
    /// Lets the child go on, and hears which step failed if one did.
    pub(super) fn open(mut self) -> io::Result<Option<(LaunchStep, io::Error)>> {
        self.gate.write_all(&[1])?;
        let mut answer = [0; 8];
        match self.report.read_exact(&mut answer) {
            // Its end of the pipe was closed by the execution: nothing to report.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
            Ok(()) => {
                let [a, b, c, d, e, f, g, h] = answer;
                let step = u32::from_ne_bytes([a, b, c, d]) as usize;
                let error = io::Error::from_raw_os_error(i32::from_ne_bytes([e, f, g, h]));
                Ok(Some((STEPS.get(step - 1).copied().unwrap_or(LaunchStep::Execute), error)))
            }
        }
    }
}

/// One more than the highest descriptor that is looked at. Beyond a limit of this size there are none open.
pub(super) fn highest() -> RawFd {
    const ENOUGH: u64 = 65_536;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours to write to.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    RawFd::try_from(limit.rlim_cur.min(ENOUGH)).unwrap_or(RawFd::MAX)
}

/// Lets no signal arrive in this thread.
pub(super) fn block_signals() {
    let mut all = 0;
    // SAFETY: the set is ours to write to.
    unsafe { libc::sigfillset(&raw mut all) };
    // SAFETY: the set was filled; the old one is not wanted.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const all, null_mut()) };
}

/// The child's side. Nothing here allocates.
struct ForkStart<'a> {
    order: &'a ExecOrder,
    given: GivenDescriptors,
    gate: RawFd,
    opens: RawFd,
    reports: RawFd,
    highest: RawFd,
}

impl ForkStart<'_> {
    fn run(&self) -> ! {
        block_signals();
        if !self.wait_at_gate() {
            // SAFETY: ends the process at once.
            unsafe { libc::_exit(0) };
        }
        let step = self.go();
        let errno = io::Error::last_os_error().raw_os_error().unwrap_or_default();
        let mut report = [0; 8];
        report[..4].copy_from_slice(&(step as u32).to_ne_bytes());
        report[4..].copy_from_slice(&errno.to_ne_bytes());
        // SAFETY: the buffer is as long as is said.
        unsafe { libc::write(self.reports, report.as_ptr().cast(), report.len()) };
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(127) }
    }

    fn wait_at_gate(&self) -> bool {
        // SAFETY: our own copy of the end that opens the gate would keep it from ever ending.
        unsafe { libc::close(self.opens) };
        let mut byte = 0_u8;
        // SAFETY: there is room for one byte.
        unsafe { libc::read(self.gate, (&raw mut byte).cast(), 1) == 1 }
    }

    /// Everything up to the first instruction of the program. Returns the step that failed.
    fn go(&self) -> LaunchStep {
        // SAFETY: makes a session; as a fresh fork this process leads no group.
        if unsafe { libc::setsid() } < 0 {
            return LaunchStep::Session;
        }
        // SAFETY: the descriptor was opened for this. Before it is closed with all others.
        if unsafe { libc::fchdir(self.given.directory) } < 0 {
            return LaunchStep::Directory;
        }
        if !self.place_streams() {
            return LaunchStep::Descriptors;
        }
        // SAFETY: descriptor 0 is the terminal's, and this process leads a session that has none.
        if self.order.terminal && unsafe { libc::ioctl(0, libc::TIOCSCTTY.into(), 0) } < 0 {
            return LaunchStep::Terminal;
        }
        for (resource, limit) in &self.order.limits {
            // SAFETY: the limit is a whole structure.
            if unsafe { libc::setrlimit(*resource, &raw const *limit) } < 0 {
                return LaunchStep::Limits;
            }
        }
        reset_signals();
        let ExecOrder { program, .. } = self.order;
        // SAFETY: text and lists end as they must and were laid out before the fork.
        unsafe { libc::execve(program.as_ptr(), self.order.argv(), self.order.envp()) };
        LaunchStep::Execute
    }

    /// The streams become 0, 1 and 2; everything else closes when the program is executed.
    fn place_streams(&self) -> bool {
        let mut moved = [0; 3];
        for (place, stream) in moved.iter_mut().zip(self.given.streams) {
            // SAFETY: a copy above the three, so that none is overwritten before it is placed.
            *place = unsafe { libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, 3) };
            if *place < 0 {
                return false;
            }
        }
        for (number, stream) in (0..3).zip(moved) {
            // SAFETY: both are numbers of descriptors; the copy is open in the program too.
            if unsafe { libc::dup2(stream, number) } < 0 {
                return false;
            }
        }
        for fd in 3..self.highest {
            // SAFETY: only sets a flag; a number that is not open is answered with an error.
            unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
        true
    }
}

/// Every signal does what it does in a fresh process, and none is blocked.
fn reset_signals() {
    const MOST: c_int = 32;
    for signal in 1..MOST {
        // SAFETY: sets a plain disposition; the two that cannot be set are answered with an error.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let mut none = 0;
    // SAFETY: the set is ours to write to.
    unsafe { libc::sigemptyset(&raw mut none) };
    // SAFETY: the set was emptied; the old one is not wanted.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, null_mut()) };
}
