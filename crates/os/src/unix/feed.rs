//! The writing end of a command's input.

use super::watched;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// What happens to the input once everything was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Close,
    StayOpen,
}

/// Bytes on their way into a command. They are written while its output is read, so neither waits for the
/// other.
#[derive(Debug)]
pub(crate) struct Feed {
    fd: Option<Arc<AsyncFd<OwnedFd>>>,
    waiting: Vec<u8>,
    written: usize,
    then: Then,
}

impl Feed {
    /// An input that is at its end.
    pub(crate) fn closed() -> Self {
        Self { fd: None, waiting: Vec::new(), written: 0, then: Then::Close }
    }

    pub(crate) fn of_pipe(fd: OwnedFd, then: Then) -> io::Result<Self> {
        Ok(Self::of_terminal(Arc::new(watched(fd, Interest::WRITABLE)?), then))
    }

    pub(crate) fn of_terminal(fd: Arc<AsyncFd<OwnedFd>>, then: Then) -> Self {
        Self { fd: Some(fd), waiting: Vec::new(), written: 0, then }
    }

    /// Queues bytes. False if the input is closed.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        if self.fd.is_none() {
            return false;
        }
        if self.written == self.waiting.len() {
            self.waiting.clear();
            self.written = 0;
        }
        self.waiting.extend_from_slice(bytes);
        true
    }

    /// Our end of the input, while it is open.
    #[cfg(target_os = "linux")]
    pub(crate) fn descriptor(&self) -> Option<&OwnedFd> {
        self.fd.as_ref().map(|fd| fd.get_ref())
    }

    /// Closes the input once everything queued was written.
    pub(crate) fn close_when_fed(&mut self) {
        self.then = Then::Close;
    }

    pub(crate) fn has_work(&self) -> bool {
        self.fd.is_some() && (self.written < self.waiting.len() || self.then == Then::Close)
    }

    /// Writes what can be written. Ready when there is nothing left to do.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(fd) = self.fd.as_ref().filter(|_| self.written < self.waiting.len()) {
            // An error of the reactor shows up again, with its reason, when the descriptor is written.
            drop(std::task::ready!(fd.poll_write_ready(cx)));
            let rest = &self.waiting[self.written..];
            match fd.try_io(Interest::WRITABLE, |fd| Ok(rustix::io::write(fd, rest)?)) {
                Ok(len) => self.written += len,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The command does not want any more. That is its right and not an error.
                Err(_) => {
                    self.fd = None;
                    self.waiting = Vec::new();
                }
            }
        }
        if self.then == Then::Close {
            self.fd = None;
        }
        self.waiting = Vec::new();
        self.written = 0;
        Poll::Ready(())
    }
}
