//! This process' own terminal in raw mode: every key is read as it is typed.

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// While it exists, every key goes to the reader of standard input; the old settings come back with its end.
#[derive(Debug)]
pub struct RawTerminal(Termios);

impl RawTerminal {
    /// Enters raw mode.
    pub fn enter() -> io::Result<Self> {
        let before = tcgetattr(std::io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(std::io::stdin(), OptionalActions::Now, &raw)?;
        Ok(Self(before))
    }

    /// Leaves raw mode: the old settings hold again.
    pub fn leave(self) {
        drop(self);
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.0);
    }
}

/// Tells when this process' own terminal changes its size.
#[derive(Debug)]
pub struct Resizes(Signal);

impl Resizes {
    /// Begins to listen. Needs a tokio runtime.
    pub fn listen() -> io::Result<Self> {
        signal(SignalKind::window_change()).map(Self)
    }

    /// Waits for the next change. Cancel-safe.
    pub async fn next(&mut self) {
        self.0.recv().await;
    }
}

/// Lines and columns of this process' own terminal.
pub fn terminal_size() -> Option<(u16, u16)> {
    let size = tcgetwinsize(std::io::stdin()).ok()?;
    Some((size.ws_row, size.ws_col)).filter(|(rows, cols)| *rows > 0 && *cols > 0)
}
