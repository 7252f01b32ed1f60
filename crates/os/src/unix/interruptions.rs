//! Requests to end, as signals.
//!
//! Every signal that would end this process, and can be caught, is such a request: the sender wants an end, and an end
//! is recorded. The usual ones are heard one by one; the others are handed on as a request to terminate, by a handler
//! that does nothing else. What was ignored when this process began stays ignored.

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

/// Lets a file that would grow beyond the limit (SIGXFSZ) be an error of the write, and not this process' end. Commands
/// are started with what is usual.
pub fn outlive_file_limits() {
    // SAFETY: to ignore a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

impl Interruptions {
    /// Any process of this user may send one, whether a terminal is gone or not.
    pub(crate) const HANGUP_IS_A_SIGNAL: bool = true;

    pub(crate) fn listen() -> io::Result<Self> {
        let heard = Self {
            interrupt: unless_ignored(SignalKind::interrupt())?,
            terminate: unless_ignored(SignalKind::terminate())?,
            hangup: unless_ignored(SignalKind::hangup())?,
            overtime: unless_ignored(SignalKind::from_raw(libc::SIGXCPU))?,
        };
        // Only now, when a request to terminate is heard.
        hand_on_others();
        Ok(heard)
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

/// What our parent process chose to ignore (`nohup`, a job in the background) stays ignored.
fn unless_ignored(kind: SignalKind) -> io::Result<Option<Signal>> {
    let ignored = in_force(kind.as_raw_value()) == Some(libc::SIG_IGN);
    if ignored { Ok(None) } else { signal(kind).map(Some) }
}

/// What a signal does now; nothing where it cannot be asked about.
fn in_force(signal: libc::c_int) -> Option<libc::sighandler_t> {
    let mut set = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: asks for the action in force without changing it, into a place of the right type.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), set.as_mut_ptr()) };
    // SAFETY: zeroed memory is a valid action, and the call above filled it if it succeeded.
    (asked == 0).then(|| unsafe { set.assume_init() }.sa_sigaction)
}

/// Signals that end a process by default, beside those that are heard and those that tell of a fault of its own.
fn others() -> impl Iterator<Item = libc::c_int> {
    let named = [libc::SIGQUIT, libc::SIGALRM, libc::SIGUSR1, libc::SIGUSR2, libc::SIGVTALRM, libc::SIGPROF];
    #[cfg(target_os = "linux")]
    let more =
        [libc::SIGIO, libc::SIGPWR, libc::SIGSTKFLT].into_iter().chain(libc::SIGRTMIN()..=libc::SIGRTMAX());
    #[cfg(not(target_os = "linux"))]
    let more = std::iter::empty();
    named.into_iter().chain(more)
}

/// Lets every other signal that would end this process be a request to terminate.
fn hand_on_others() {
    // SAFETY: zeroed memory is an action that says nothing; everything that matters is set below.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = hand_on as *const () as libc::sighandler_t;
    action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
    for signal in others().filter(|signal| in_force(*signal) == Some(libc::SIG_DFL)) {
        // SAFETY: the handler makes two calls that a handler may make.
        unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) };
    }
}

extern "C" fn hand_on(_: libc::c_int) {
    let own = std::process::id().cast_signed();
    // SAFETY: the call is allowed in a handler; the signal goes to this process alone.
    unsafe { libc::kill(own, libc::SIGTERM) };
}

async fn next(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
