//! Requests to end, as console events.

use crate::Interrupt;
use std::io;
use tokio::signal::windows::{CtrlBreak, CtrlC, CtrlClose, ctrl_break, ctrl_c, ctrl_close};

/// The three console events that ask a process to end.
#[derive(Debug)]
pub(crate) struct Interruptions {
    interrupt: CtrlC,
    terminate: CtrlBreak,
    close: CtrlClose,
}

impl Interruptions {
    /// A console that closes takes us along.
    pub(crate) const HANGUP_IS_A_SIGNAL: bool = false;

    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: ctrl_c()?, terminate: ctrl_break()?, close: ctrl_close()? })
    }

    /// The same: nothing is ever ignored.
    pub(crate) fn listen_to_hangups() -> io::Result<Self> {
        Self::listen()
    }

    pub(crate) async fn next(&mut self) -> Interrupt {
        tokio::select! {
            _ = self.interrupt.recv() => Interrupt::Interrupted,
            _ = self.terminate.recv() => Interrupt::Terminated,
            _ = self.close.recv() => Interrupt::HungUp,
        }
    }
}
