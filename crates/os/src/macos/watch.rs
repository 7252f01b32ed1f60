//! Watches one command and its tree until nothing is left.
//!
//! The order: the command's ending is looked at without reaping it, so its pid stays its own; then the roll is called,
//! so that "others" is told from a look after the end; only when the tree is over is the command reaped, and the guard
//! dismissed before that, so that it never acts on a pid that is used again.
//!
//! Hazard: the kernel tells of an end a moment before the process can be waited for, and does not tell again. So after
//! everything that is told, and for as long as a process is expected to go, there is another look soon.

use super::guard::TreeGuard;
use super::queue::KernelQueue;
use super::roll::Roll;
use libc::{c_int, pid_t};
use runward_core::life::LifeInput;
use runward_core::record::{EndedBy, Signal};
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
pub(super) struct TreeWatch {
    command: pid_t,
    queue: KernelQueue,
    roll: Roll,
    guard: TreeGuard,
    exited: bool,
    sweeping: bool,
    /// When there is another look although nothing is told.
    again: Option<Pin<Box<Sleep>>>,
    /// The tree is over and the command may be reaped in place.
    over: bool,
}

impl TreeWatch {
    /// Watches a command that has not run yet.
    pub(super) fn over(command: pid_t, guard: TreeGuard) -> io::Result<Self> {
        let queue = KernelQueue::new()?;
        queue.add(command);
        let roll = Roll::of(command);
        Ok(Self { command, queue, roll, guard, exited: false, sweeping: false, again: None, over: false })
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<LifeInput> {
        loop {
            if let Some(notice) = self.look() {
                self.over = crate::notice::is_empty_after(notice);
                return Poll::Ready(notice);
            }
            match self.queue.poll(cx) {
                Poll::Ready(Err(_)) => return Poll::Ready(LifeInput::Lost),
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

    fn look(&mut self) -> Option<LifeInput> {
        let ended = if self.exited { None } else { self.ended() };
        self.call();
        if self.sweeping && !self.roll.is_empty() {
            self.strike();
        }
        match ended {
            Some(Ok(how)) => {
                self.exited = true;
                self.look_again_soon();
                Some(LifeInput::Exited { how, others: !self.roll.is_empty() })
            }
            Some(Err(_)) => Some(LifeInput::Lost),
            None if self.exited && self.roll.is_empty() => {
                Some(LifeInput::Emptied { outlived: self.roll.outlived() })
            }
            None => None,
        }
    }

    /// How the command itself ended, if it has.
    fn ended(&self) -> Option<io::Result<EndedBy>> {
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

fn how(status: &WaitIdStatus) -> EndedBy {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => EndedBy::Exited(code),
        (None, Some(signal)) => EndedBy::Signaled(Signal(signal)),
        (None, None) => EndedBy::Unknown,
    }
}

impl Drop for TreeWatch {
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
    } else if std::thread::Builder::new().spawn(wait).is_err() {
        // No thread can be had, and to wait here could take for ever: at worst a zombie stays until Runward ends.
        // SAFETY: asks about a child of ours, without waiting.
        unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
    }
}
