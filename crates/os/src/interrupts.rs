//! Being asked to end: Ctrl-C, a terminal that closes, a service manager that stops us.
//!
//! May not end anything itself: it tells, and whoever listens decides.

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
