//! Requests to end, as signals.

use crate::Interrupt;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask a process to end. One that has used up its processor time is asked once a second, and killed in
/// the end: what it records, it records now.
#[derive(Debug)]
pub(crate) struct Interruptions {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hangup: Option<Signal>,
    overtime: Option<Signal>,
}

/// Lets a file that would grow beyond the limit be an error of whoever writes to it, and not this process' end. Commands
/// are started with what is usual.
pub fn outlive_file_limits() {
    // SAFETY: to ignore a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

impl Interruptions {
    /// Anyone may send one, whether a terminal is gone or not.
    pub(crate) const HANGUP_IS_A_SIGNAL: bool = true;

    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: unless_ignored(SignalKind::interrupt())?,
            terminate: unless_ignored(SignalKind::terminate())?,
            hangup: unless_ignored(SignalKind::hangup())?,
            overtime: unless_ignored(SignalKind::from_raw(libc::SIGXCPU))?,
        })
    }

    /// The same, and hang-ups are heard even where they were ignored.
    pub(crate) fn listen_to_hangups() -> io::Result<Self> {
        Ok(Self { hangup: Some(signal(SignalKind::hangup())?), ..Self::listen()? })
    }

    pub(crate) async fn next(&mut self) -> Interrupt {
        tokio::select! {
            () = next(&mut self.interrupt) => Interrupt::Interrupted,
            () = next(&mut self.terminate) => Interrupt::Terminated,
            () = next(&mut self.hangup) => Interrupt::HungUp,
            () = next(&mut self.overtime) => Interrupt::Terminated,
        }
    }
}

/// What whoever started us chose to ignore (`nohup`, a job in the background) stays ignored.
fn unless_ignored(kind: SignalKind) -> io::Result<Option<Signal>> {
    let mut set = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: asks for the action in force without changing it, into a place of the right type.
    let asked = unsafe { libc::sigaction(kind.as_raw_value(), std::ptr::null(), set.as_mut_ptr()) };
    // SAFETY: zeroed memory is a valid action, and the call above filled it if it succeeded.
    let ignored = asked == 0 && unsafe { set.assume_init() }.sa_sigaction == libc::SIG_IGN;
    if ignored { Ok(None) } else { signal(kind).map(Some) }
}

async fn next(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
