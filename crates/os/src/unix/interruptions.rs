//! Requests to end, as signals.

use crate::Interrupt;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The three signals that ask a process to end.
#[derive(Debug)]
pub(crate) struct Interruptions {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Interruptions {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    pub(crate) async fn next(&mut self) -> Interrupt {
        tokio::select! {
            _ = self.interrupt.recv() => Interrupt::Interrupted,
            _ = self.terminate.recv() => Interrupt::Terminated,
            _ = self.hangup.recv() => Interrupt::HungUp,
        }
    }
}
