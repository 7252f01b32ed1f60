//! Watches one command and its tree until nothing is left.
//!
//! The order: the command's ending is looked at without reaping it, so its number stays its own; then the roll
//! is called, so that "others" is told from a look after the end; only when the tree is over is the command
//! reaped, and the guard dismissed before that, so that it never acts on a number that is used again.
//!
//! Hazard: the kernel tells of an end a moment before the process can be waited for, and does not tell again.
//! So after everything that is told, and for as long as somebody is expected to go, there is another look soon.

use super::guard::Guard;
use super::queue::Queue;
use super::roll::Roll;
use crate::Notice;
use libc::{c_int, pid_t};
use runward_core::record::{How, Signal};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// Time to the next look.
const SOON: Duration = Duration::from_millis(2);

/// A command that has not been seen to be gone altogether. Dropping it kills whatever is left.
#[derive(Debug)]
pub(super) struct Watch {
    command: pid_t,
    queue: Queue,
    roll: Roll,
    guard: Guard,
    exited: bool,
    sweeping: bool,
    /// When there is another look although nothing is told.
    again: Option<Pin<Box<Sleep>>>,
    /// The tree is over and the command may be reaped in place.
    over: bool,
}

impl Watch {
    /// Watches a command that has not run yet.
    pub(super) fn over(command: pid_t, guard: Guard) -> io::Result<Self> {
        let queue = Queue::new()?;
        queue.add(command);
        let roll = Roll::of(command);
        Ok(Self { command, queue, roll, guard, exited: false, sweeping: false, again: None, over: false })
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Notice> {
        loop {
            if let Some(notice) = self.look() {
                self.over = matches!(notice, Notice::Emptied { .. } | Notice::Exited { others: false, .. });
                return Poll::Ready(notice);
            }
            match self.queue.poll(cx) {
                Poll::Ready(Err(_)) => return Poll::Ready(Notice::Lost),
                Poll::Ready(Ok(())) => self.look_again_soon(),
                Poll::Pending => std::task::ready!(self.poll_again(cx)),
            }
        }
    }

    fn look_again_soon(&mut self) {
        self.again = Some(Box::pin(tokio::time::sleep(SOON)));
    }

    /// Ready when it is time for another look.
    fn poll_again(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(again) = &mut self.again else { return Poll::Pending };
        std::task::ready!(again.as_mut().poll(cx));
        self.again = None;
        if self.exited || self.sweeping {
            self.look_again_soon();
        }
        Poll::Ready(())
    }

    fn look(&mut self) -> Option<Notice> {
        let ended = if self.exited { None } else { self.ended() };
        self.call();
        if self.sweeping && !self.roll.is_empty() {
            self.strike();
        }
        match ended {
            Some(Ok(how)) => {
                self.exited = true;
                self.look_again_soon();
                Some(Notice::Exited { how, others: !self.roll.is_empty() })
            }
            Some(Err(_)) => Some(Notice::Lost),
            None if self.exited && self.roll.is_empty() => {
                Some(Notice::Emptied { outlived: self.roll.outlived() })
            }
            None => None,
        }
    }

    /// How the command itself ended, if it has.
    fn ended(&self) -> Option<io::Result<How>> {
        let pid = Pid::from_raw(self.command)?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(pid), options) {
            Ok(status) => status.map(|status| Ok(how(&status))),
            Err(rustix::io::Errno::INTR) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    fn call(&mut self) {
        for identity in self.roll.call() {
            self.queue.add(identity.pid);
            self.guard.tell(identity.pid);
        }
    }

    /// The child ended before it executed anything: there is no tree to kill, only itself to reap.
    pub(super) fn never_ran(&mut self) {
        self.over = true;
    }

    pub(super) fn signal(&mut self, signal: c_int) {
        self.call();
        if self.exited {
            self.roll.chase();
        }
        self.roll.signal(signal);
    }

    /// Kills everything, now and whenever something new is seen.
    pub(super) fn sweep(&mut self) {
        self.sweeping = true;
        self.look_again_soon();
        self.call();
        self.strike();
    }

    fn strike(&mut self) {
        if self.exited {
            self.roll.chase();
        }
        for identity in self.roll.strike() {
            self.queue.add(identity.pid);
            self.guard.tell(identity.pid);
        }
        if self.exited {
            self.roll.chase();
        }
    }
}

fn how(status: &WaitIdStatus) -> How {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => How::Exited(code),
        (None, Some(signal)) => How::Signaled(Signal(signal)),
        (None, None) => How::Unknown,
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.over {
            self.guard.dismiss();
        } else {
            // The guard is not dismissed: it sees its pipe end, and goes on where this leaves off.
            self.call();
            self.roll.strike();
        }
        reap(self.command, self.over);
    }
}

/// Takes a zombie away: in place where it certainly is one, elsewhere otherwise.
pub(super) fn reap(pid: pid_t, is_zombie: bool) {
    let wait = move || {
        // SAFETY: waits for a child of ours; its status was looked at before.
        while unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) } < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
    };
    if is_zombie {
        wait();
    } else {
        std::thread::spawn(wait);
    }
}
