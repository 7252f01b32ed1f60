//! The process tree below this process: found, signalled, counted.
//!
//! The race: a pid read from `/proc` may belong to another process by the time a signal is sent to it. A child's pid
//! cannot be reused before we reap it, and only we reap it. Anything deeper is first pinned with a pidfd; then its
//! parent is read again, and only if it still is the one it was found under is the pinned process signalled. Where
//! pinning is forbidden it is not signalled here at all.

use crate::{proc, sys};
use core::ptr::addr_of_mut;

/// How many processes one pass can hold. Memory is only used for those there are; what does not fit is
/// found by the next pass.
const MOST: usize = 1 << 16;

#[derive(Clone, Copy)]
struct FoundProcess {
    pid: i32,
    parent: i32,
}

static mut FOUND: [FoundProcess; MOST] = [FoundProcess { pid: 0, parent: 0 }; MOST];

struct TreePass {
    found: &'static mut [FoundProcess; MOST],
    len: usize,
}

impl TreePass {
    fn new() -> Self {
        // SAFETY: this process has one thread, and only one pass is alive at a time: it is made and dropped
        // inside `signal_below`, which does not call itself.
        let found = unsafe { &mut *addr_of_mut!(FOUND) };
        Self { found, len: 0 }
    }

    fn add(&mut self, pid: i32, parent: i32) {
        if self.len < MOST {
            self.found[self.len] = FoundProcess { pid, parent };
            self.len += 1;
        }
    }

    /// Walks down from this process. `spare` are direct children to leave alone, with all below them.
    fn collect(&mut self, spare: &dyn Fn(i32) -> bool) {
        let own = sys::own_pid();
        let list = |pass: &mut Self, parent: i32| {
            proc::children(parent, &mut |pid| {
                if parent != own || !spare(pid) {
                    pass.add(pid, parent);
                }
            })
        };
        if !list(self, own) {
            return self.collect_slowly(own, spare);
        }
        let mut at = 0;
        while at < self.len {
            let parent = self.found[at].pid;
            list(self, parent);
            at += 1;
        }
    }

    /// For kernels that do not list children: every process is looked at until no new one turns up.
    fn collect_slowly(&mut self, own: i32, spare: &dyn Fn(i32) -> bool) {
        loop {
            let before = self.len;
            proc::everyone(&mut |pid, parent| {
                let ours = (parent == own && !spare(pid)) || self.holds(parent);
                if ours && !self.holds(pid) {
                    self.add(pid, parent);
                }
            });
            if self.len == before {
                return;
            }
        }
    }

    fn holds(&self, pid: i32) -> bool {
        self.found[..self.len].iter().any(|found| found.pid == pid)
    }
}

/// What a pass came upon.
pub struct PassOutcome {
    /// Processes that lived.
    pub living: u32,
    /// Processes at all, those included that have ended and wait to be reaped.
    pub any: u32,
    /// Whether one could not be signalled because this host forbids to pin it.
    pub unpinned: bool,
}

/// Sends a signal to everything below this process, but for the children to spare and what is below them.
pub fn signal_below(signal: i32, spare: &dyn Fn(i32) -> bool) -> PassOutcome {
    let own = sys::own_pid();
    let mut pass = TreePass::new();
    pass.collect(spare);
    let (mut living, mut unpinned) = (0, false);
    for found in &pass.found[..pass.len] {
        let reached = if found.parent == own {
            signal_child(found.pid, signal)
        } else {
            signal_deeper(*found, own, signal, &mut unpinned)
        };
        living += u32::from(reached);
    }
    PassOutcome { living, any: pass.len as u32, unpinned }
}

fn signal_child(pid: i32, signal: i32) -> bool {
    let living = proc::stat(pid).is_some_and(|stat| stat.state != b'Z');
    sys::kill(pid, signal);
    if sys::asks_to_end(signal) {
        sys::kill(pid, sys::SIGCONT);
    }
    living
}

fn signal_deeper(found: FoundProcess, own: i32, signal: i32, unpinned: &mut bool) -> bool {
    const ESRCH: i32 = -3;
    let pinned = sys::open_pid(found.pid);
    if pinned < 0 {
        *unpinned |= pinned != ESRCH;
        return pinned != ESRCH && proc::stat(found.pid).is_some_and(|stat| stat.state != b'Z');
    }
    let stat = proc::stat(found.pid);
    // An orphan in between is ours by now: its parent died and it was handed up to us.
    let ours = stat.as_ref().is_some_and(|stat| stat.parent == found.parent || stat.parent == own);
    if ours {
        sys::kill_fd(pinned, signal);
        if sys::asks_to_end(signal) {
            sys::kill_fd(pinned, sys::SIGCONT);
        }
    }
    sys::close(pinned);
    ours && stat.is_some_and(|stat| stat.state != b'Z')
}
