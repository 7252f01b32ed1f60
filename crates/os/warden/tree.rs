//! Everything below this process: found, signalled, counted.
//!
//! The race: a pid read from `/proc` may belong to somebody else by the time a signal is sent to it. A child
//! of our own cannot be reused before we reap it, and nobody else reaps it. Anything deeper is first pinned
//! with a pidfd; then its parent is read again, and only if it still is the one it was found under is the
//! pinned process signalled.

use crate::{proc, sys};
use core::ptr::addr_of_mut;

/// How many processes one pass can hold. Memory is only used for those there are; what does not fit is
/// found by the next pass.
const MOST: usize = 1 << 16;

#[derive(Clone, Copy)]
struct Found {
    pid: i32,
    parent: i32,
}

static mut FOUND: [Found; MOST] = [Found { pid: 0, parent: 0 }; MOST];

struct Pass {
    found: &'static mut [Found; MOST],
    len: usize,
}

impl Pass {
    fn new() -> Self {
        // SAFETY: this process has one thread, and only one pass is alive at a time: it is made and dropped
        // inside `signal_below`, which does not call itself.
        let found = unsafe { &mut *addr_of_mut!(FOUND) };
        Self { found, len: 0 }
    }

    fn add(&mut self, pid: i32, parent: i32) {
        if self.len < MOST {
            self.found[self.len] = Found { pid, parent };
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

    /// For kernels that do not list children: everybody is looked at until nobody new turns up.
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
pub struct Met {
    /// Processes that lived.
    pub living: u32,
    /// Processes at all, those included that have ended and wait to be reaped.
    pub any: u32,
}

/// Sends a signal to everything below this process, but for the children to spare and what is below them.
pub fn signal_below(signal: i32, spare: &dyn Fn(i32) -> bool) -> Met {
    let own = sys::own_pid();
    let mut pass = Pass::new();
    pass.collect(spare);
    let mut living = 0;
    for found in &pass.found[..pass.len] {
        let reached = if found.parent == own {
            signal_child(found.pid, signal)
        } else {
            signal_deeper(*found, own, signal)
        };
        living += u32::from(reached);
    }
    Met { living, any: pass.len as u32 }
}

fn signal_child(pid: i32, signal: i32) -> bool {
    let living = proc::stat(pid).is_some_and(|stat| stat.state != b'Z');
    sys::kill(pid, signal);
    if sys::asks_to_end(signal) {
        sys::kill(pid, sys::SIGCONT);
    }
    living
}

fn signal_deeper(found: Found, own: i32, signal: i32) -> bool {
    let pinned = sys::open_pid(found.pid);
    if pinned < 0 {
        return false;
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
