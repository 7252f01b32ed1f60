//! The guard: a forked child that outlives Runward just long enough to end a command's tree.
//!
//! It holds the reading end of a pipe of which only Runward has the other. Pids that arrive are processes that were
//! seen in the tree; a zero dismisses it; the end of the pipe means that Runward is dead, and then it asks the tree to
//! end, waits for the grace, and kills it.
//!
//! It is forked and never executes anything, so it may only use calls that are safe after a fork: it does not allocate,
//! take locks or unwind. Its limits: it keeps Runward's memory of that moment (shared until one of them changes it); it
//! shows up under Runward's name; it knows at most [`MOST`] processes; it can itself be killed; and what detached
//! itself before Runward saw it is unknown to it too. A process is signalled only if it is the very one that was told
//! of. The command's group is signalled while a process in it still belongs to the command's session, since the group's
//! id could otherwise be another group's.

use super::procs::{self, ProcessIdentity};
use super::watch::reap;
use crate::sys::unix::{forking, never_wait, pipe};
use libc::{c_int, pid_t};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// Processes that a guard can know.
const MOST: usize = 1024;

/// Passes of killing before it gives up: what cannot be killed by then waits in the kernel.
const PASSES: usize = 500;

/// Milliseconds between two passes.
const PAUSE: c_int = 2;

/// Runward's side of a guard.
#[derive(Debug)]
pub(super) struct TreeGuard {
    to: Option<OwnedFd>,
    pid: pid_t,
}

impl TreeGuard {
    /// Sets a guard over a command that does not run yet.
    pub(super) fn set(command: pid_t, grace: Duration) -> io::Result<Self> {
        let (from, to) = pipe()?;
        never_wait(&to)?;
        let post =
            Post { from: from.as_raw_fd(), command, grace: millis(grace), highest: super::fork::highest() };
        let nobody_else = forking();
        // SAFETY: the child only does what is safe after a fork, and never returns.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            post.stand();
        }
        let error = io::Error::last_os_error();
        drop(nobody_else);
        if pid < 0 { Err(error) } else { Ok(Self { to: Some(to), pid }) }
    }

    /// Tells it of a process in the tree. A guard that is gone, or too slow, cannot be told.
    pub(super) fn tell(&self, pid: pid_t) {
        if let Some(to) = &self.to {
            let _ = rustix::io::write(to, &pid.to_ne_bytes());
        }
    }

    /// The tree is over: nothing is to be done any more.
    pub(super) fn dismiss(&self) {
        self.tell(0);
    }
}

impl Drop for TreeGuard {
    /// A guard that was not dismissed does now what it does when Runward dies.
    fn drop(&mut self) {
        self.to = None;
        reap(self.pid, false);
    }
}

fn millis(time: Duration) -> c_int {
    c_int::try_from(time.as_millis()).unwrap_or(c_int::MAX)
}

/// The guard's own side.
struct Post {
    from: RawFd,
    command: pid_t,
    grace: c_int,
    highest: RawFd,
}

impl Post {
    fn stand(&self) -> ! {
        self.settle_in();
        let mut known = [None; MOST];
        known[0] = procs::living(self.command).map(|living| living.identity);
        self.listen(&mut known);
        self.signal(&known, libc::SIGTERM);
        // SAFETY: no descriptors, only time.
        unsafe { libc::poll(std::ptr::null_mut(), 0, self.grace) };
        for _ in 0..PASSES {
            self.walk(&mut known);
            if !self.signal(&known, libc::SIGKILL) {
                break;
            }
            // SAFETY: as above.
            unsafe { libc::poll(std::ptr::null_mut(), 0, PAUSE) };
        }
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(0) }
    }

    /// A session of its own, no signals, and nothing open but the pipe.
    fn settle_in(&self) {
        // SAFETY: makes a session; as a fresh fork this process leads no group.
        unsafe { libc::setsid() };
        super::fork::block_signals();
        for fd in (0..self.highest).filter(|fd| *fd != self.from) {
            // SAFETY: nothing of this process uses descriptors by any other way than the pipe.
            unsafe { libc::close(fd) };
        }
    }

    /// Hears of processes until Runward is dead. Does not return when dismissed.
    fn listen(&self, known: &mut [Option<ProcessIdentity>; MOST]) {
        let mut word = [0_u8; 4];
        let mut have = 0;
        loop {
            // SAFETY: the buffer has room for what is asked for.
            let got = unsafe { libc::read(self.from, word[have..].as_mut_ptr().cast(), 4 - have) };
            if got < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EINTR) {
                continue;
            }
            let Ok(got @ 1..) = usize::try_from(got) else { return };
            have += got;
            if have < word.len() {
                continue;
            }
            have = 0;
            match pid_t::from_ne_bytes(word) {
                // SAFETY: ends the process at once.
                0 => unsafe { libc::_exit(0) },
                pid => enter(known, pid),
            }
        }
    }

    /// Looks for children of every known process.
    fn walk(&self, known: &mut [Option<ProcessIdentity>; MOST]) {
        let mut children = [0; 256];
        let mut at = 0;
        while at < known.len() {
            if let Some(identity) = known[at].filter(|identity| identity.living().is_some()) {
                let count = procs::children(identity.pid, &mut children);
                children[..count].iter().for_each(|pid| enter(known, *pid));
            }
            at += 1;
        }
    }

    /// Signals the group and every known process outside it. False if there was none.
    fn signal(&self, known: &[Option<ProcessIdentity>; MOST], signal: c_int) -> bool {
        let mut anybody = self.group_is_ours();
        if anybody {
            // SAFETY: takes two numbers; a process in the group belongs to the command's session.
            unsafe { libc::kill(-self.command, signal) };
        }
        for living in known.iter().flatten().filter_map(|identity| identity.living()) {
            anybody = true;
            if living.group != self.command {
                // SAFETY: takes two numbers; the process was this very one a moment ago.
                unsafe { libc::kill(living.identity.pid, signal) };
            }
        }
        anybody
    }

    fn group_is_ours(&self) -> bool {
        let mut members = [0; 64];
        let count = procs::members(self.command, &mut members);
        // SAFETY: takes a number and only asks.
        members[..count].iter().any(|pid| unsafe { libc::getsid(*pid) } == self.command)
    }
}

/// Adds a living process, if it is new and there is room.
fn enter(known: &mut [Option<ProcessIdentity>; MOST], pid: pid_t) {
    let Some(living) = procs::living(pid) else { return };
    let mut room = None;
    for (at, place) in known.iter().enumerate() {
        match place {
            Some(identity) if *identity == living.identity => return,
            Some(identity) if identity.living().is_some() => {}
            _ => room = room.or(Some(at)),
        }
    }
    if let Some(at) = room {
        known[at] = Some(living.identity);
    }
}
