//! The writing end of a child process' standard input, with a queue. Never blocks.

use super::{never_wait, room};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

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
    to: Option<InputEnd>,
    /// Where room is waited for, while there is none.
    room: Option<AsyncFd<OwnedFd>>,
    waiting: Vec<u8>,
    written: usize,
    then: AfterInput,
}

/// Our end of the input.
#[derive(Debug)]
enum InputEnd {
    Pipe(OwnedFd),
    /// Shared with `Tap`, which reads it: a terminal is one descriptor.
    Terminal(Arc<AsyncFd<OwnedFd>>),
}

impl InputEnd {
    fn fd(&self) -> &OwnedFd {
        match self {
            InputEnd::Pipe(fd) => fd,
            InputEnd::Terminal(fd) => fd.get_ref(),
        }
    }
}

impl Feed {
    /// An input that is at its end.
    pub(crate) fn closed() -> Self {
        Self::to(None, AfterInput::Close)
    }

    pub(crate) fn of_pipe(fd: OwnedFd, then: AfterInput) -> io::Result<Self> {
        never_wait(&fd)?;
        Ok(Self::to(Some(InputEnd::Pipe(fd)), then))
    }

    pub(crate) fn of_terminal(fd: Arc<AsyncFd<OwnedFd>>, then: AfterInput) -> Self {
        Self::to(Some(InputEnd::Terminal(fd)), then)
    }

    fn to(to: Option<InputEnd>, then: AfterInput) -> Self {
        Self { to, room: None, waiting: Vec::new(), written: 0, then }
    }

    /// Queues bytes. False if the input is closed.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        if self.to.is_none() {
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
        self.to.as_ref().map(InputEnd::fd)
    }

    /// Closes the input once everything queued was written.
    pub(crate) fn close_when_fed(&mut self) {
        self.then = AfterInput::Close;
    }

    pub(crate) fn has_work(&self) -> bool {
        self.to.is_some() && (self.written < self.waiting.len() || self.then == AfterInput::Close)
    }

    /// Writes what can be written. Ready when there is nothing left to do.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.to.is_some() && self.written < self.waiting.len() {
            if let Some(room) = &self.room {
                // An error of the reactor shows up again, with its reason, when the descriptor is written.
                drop(std::task::ready!(room.poll_write_ready(cx)));
            }
            match self.write() {
                Ok(len) => self.written += len,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && self.room.is_some() => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.room = self.to.as_ref().and_then(|to| room(to.fd()).ok());
                    if self.room.is_none() {
                        // No descriptor can be had for it now. It is tried again after every other task.
                        cx.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The command does not want any more. That is its right and not an error.
                Err(_) => self.to = None,
            }
        }
        if self.then == AfterInput::Close {
            self.to = None;
        }
        // Any other name of the input would keep it open.
        self.room = None;
        self.waiting = Vec::new();
        self.written = 0;
        Poll::Ready(())
    }

    fn write(&self) -> io::Result<usize> {
        let rest = &self.waiting[self.written..];
        match (&self.room, &self.to) {
            (Some(room), _) => room.try_io(Interest::WRITABLE, |fd| Ok(rustix::io::write(fd, rest)?)),
            (None, Some(to)) => Ok(rustix::io::write(to.fd(), rest)?),
            (None, None) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}
