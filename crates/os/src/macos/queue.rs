//! A kernel queue (kqueue) that tells when a process of a tree forks or ends.
//!
//! Hazard: a process may be gone before it is added, which is no error here: the caller looks at the tree afterwards.
//! Events are never believed, they only cause another look.

use libc::{EV_ADD, EV_CLEAR, EVFILT_PROC, NOTE_EXIT, NOTE_FORK, kevent, pid_t};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{null, null_mut};
use std::task::{Context, Poll};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The queue of one tree.
#[derive(Debug)]
pub(super) struct KernelQueue(AsyncFd<OwnedFd>);

impl KernelQueue {
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: makes a new descriptor, which a program that is executed does not see and a fork does not
        // inherit.
        let fd = unsafe { libc::kqueue() };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was just made and has no other owner.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        // SAFETY: an `OwnedFd` names the same open descriptor for as long as it lives; the `AsyncFd` owns it.
        let fd = unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) };
        Ok(Self(fd.map_err(io::Error::from)?))
    }

    /// Wants to hear of a process.
    pub(super) fn add(&self, pid: pid_t) {
        let change = kevent {
            ident: usize::try_from(pid).unwrap_or_default(),
            filter: EVFILT_PROC,
            flags: EV_ADD | EV_CLEAR,
            fflags: NOTE_EXIT | NOTE_FORK,
            data: 0,
            udata: null_mut(),
        };
        // SAFETY: one change is given and no room for events; the queue is open.
        unsafe { libc::kevent(self.0.as_raw_fd(), &raw const change, 1, null_mut(), 0, null()) };
    }

    /// Ready when something happened since the last time; then it is forgotten.
    pub(super) fn poll(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut ready = std::task::ready!(self.0.poll_read_ready(cx))?;
        // Forgotten before the queue is emptied: what comes in between is seen again, not lost.
        ready.clear_ready();
        self.empty();
        Poll::Ready(Ok(()))
    }

    fn empty(&self) {
        const ROOM: usize = 64;
        // SAFETY: events are plain numbers, for which zeroes are a value.
        let mut events: [kevent; ROOM] = unsafe { std::mem::zeroed() };
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        loop {
            // SAFETY: no changes are given, and there is room for as many events as is said.
            let got = unsafe {
                libc::kevent(
                    self.0.as_raw_fd(),
                    null(),
                    0,
                    events.as_mut_ptr(),
                    ROOM as i32,
                    &raw const at_once,
                )
            };
            if got < ROOM as i32 {
                return;
            }
        }
    }
}
