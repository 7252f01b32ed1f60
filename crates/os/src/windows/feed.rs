//! The writing end of a child process' standard input, with a queue. Never blocks.

use super::transfer::{Flight, Transfer};
use std::io;
use std::os::windows::io::OwnedHandle;
use std::task::{Context, Poll};

/// What happens to the input once everything was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterInput {
    Close,
    StayOpen,
}

/// Bytes on their way into a command. They are written while its output is read, so neither waits for the
/// other.
#[derive(Debug)]
pub(crate) struct Feed {
    pipe: Option<Transfer>,
    waiting: Vec<u8>,
    written: usize,
    then: AfterInput,
}

impl Feed {
    /// An input that is at its end.
    pub(crate) fn closed() -> Self {
        Self { pipe: None, waiting: Vec::new(), written: 0, then: AfterInput::Close }
    }

    pub(crate) fn of_pipe(pipe: OwnedHandle, then: AfterInput) -> io::Result<Self> {
        Ok(Self { pipe: Some(Transfer::on(pipe)?), waiting: Vec::new(), written: 0, then })
    }

    /// Queues bytes. False if the input is closed.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        if self.pipe.is_none() {
            return false;
        }
        self.waiting.drain(..self.written);
        self.written = 0;
        self.waiting.extend_from_slice(bytes);
        true
    }

    /// Closes the input once everything queued was written.
    pub(crate) fn close_when_fed(&mut self) {
        self.then = AfterInput::Close;
    }

    pub(crate) fn has_work(&self) -> bool {
        self.pipe.is_some() && (self.written < self.waiting.len() || self.then == AfterInput::Close)
    }

    /// Writes what can be written. Ready when there is nothing left to do.
    pub(crate) fn poll(&mut self, cx: &Context<'_>) -> Poll<()> {
        while let Some(pipe) = self.pipe.as_mut().filter(|_| self.written < self.waiting.len()) {
            pipe.listen(cx);
            match pipe.write(&self.waiting[self.written..]) {
                Flight::Landed(len) => self.written += len,
                Flight::Flying => return Poll::Pending,
                // The command does not want any more. That is its right and not an error.
                Flight::Broken | Flight::Recalled => {
                    self.pipe = None;
                    self.waiting = Vec::new();
                }
            }
        }
        if self.then == AfterInput::Close {
            self.pipe = None;
        }
        self.waiting = Vec::new();
        self.written = 0;
        Poll::Ready(())
    }
}
