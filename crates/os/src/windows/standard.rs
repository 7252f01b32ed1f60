//! This process' own standard input and output, which a server speaks through.
//!
//! They were opened by another process, mostly so that they block: each has a thread. May not be used twice.

use crate::carrier::{CarriedInput, CarriedOutput};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Standard input and output, to be used once.
pub fn standard_streams() -> io::Result<(StandardInput, StandardOutput)> {
    let (from, to) = (CarriedInput::new(io::stdin())?, CarriedOutput::new(io::stdout())?);
    Ok((StandardInput(from), StandardOutput(to)))
}

/// Standard input.
#[derive(Debug)]
pub struct StandardInput(CarriedInput);

impl StandardInput {
    /// What hears that the other end was closed.
    pub fn hangup(&self) -> InputHangup {
        InputHangup
    }
}

impl AsyncRead for StandardInput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

/// Hears that standard input was closed at its other end while it is not read.
#[derive(Debug)]
pub struct InputHangup;

impl InputHangup {
    /// Waits for ever: what only a thread can read does not tell before everything was read.
    pub async fn heard(&self) {
        std::future::pending::<()>().await;
    }
}

/// Standard output.
#[derive(Debug)]
pub struct StandardOutput(CarriedOutput);

impl AsyncWrite for StandardOutput {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
