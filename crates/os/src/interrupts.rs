//! Signals that ask this process to end: Ctrl-C, a terminal that closes, a service manager that stops us. And, for a
//! server, the one to read its configuration again (SIGHUP).
//!
//! May not end anything itself: it tells, and the caller decides.

use std::io;

/// How this process was asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupt {
    /// Ctrl-C.
    Interrupted,
    /// A request to end.
    Terminated,
    /// The terminal is gone.
    HungUp,
}

/// Listens for requests to end. While it exists, they no longer end this process by themselves.
#[derive(Debug)]
pub struct Interrupts(crate::sys::Interruptions);

impl Interrupts {
    /// Begins to listen. Needs a tokio runtime.
    pub fn listen() -> io::Result<Self> {
        crate::sys::Interruptions::listen().map(Self)
    }

    /// The next request. Cancel-safe.
    pub async fn next(&mut self) -> Interrupt {
        self.0.next().await
    }
}

/// What the operator tells a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorOrder {
    /// Read the configuration again.
    Reread,
    /// End.
    End(Interrupt),
}

/// Listens for orders to a server. A server outlives the terminal it was started from, so where a hang-up is a signal
/// it is the order to read again, also for one that was started with hang-ups ignored. Elsewhere it means the end.
#[derive(Debug)]
pub struct Orders(crate::sys::Interruptions);

impl Orders {
    /// Begins to listen. Needs a tokio runtime.
    pub fn listen() -> io::Result<Self> {
        crate::sys::Interruptions::listen_to_hangups().map(Self)
    }

    /// The next order. Cancel-safe.
    pub async fn next(&mut self) -> OperatorOrder {
        match self.0.next().await {
            Interrupt::HungUp if crate::sys::Interruptions::HANGUP_IS_A_SIGNAL => OperatorOrder::Reread,
            interrupt => OperatorOrder::End(interrupt),
        }
    }
}
