//! The reading end of a child process' output (standard output and error). Never blocks.

use super::watched;
use crate::Got;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// More than a person types, or a program answers, in one go.
const A_LITTLE: usize = 4096;

/// One stream of output. Reading it never waits.
#[derive(Debug)]
pub(crate) struct Tap {
    // Shared with `Feed` when it is the one descriptor of a terminal.
    fd: Arc<AsyncFd<OwnedFd>>,
}

impl Tap {
    pub(crate) fn of_pipe(fd: OwnedFd) -> io::Result<Self> {
        Ok(Self { fd: Arc::new(watched(fd, Interest::READABLE)?) })
    }

    pub(crate) fn of_terminal(fd: Arc<AsyncFd<OwnedFd>>) -> Self {
        Self { fd }
    }

    pub(crate) fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<()> {
        // An error of the reactor shows up again, with its reason, when the descriptor is read.
        self.fd.poll_read_ready(cx).map(drop)
    }

    pub(crate) fn read(&self, buffer: &mut [u8]) -> Got {
        let got = self.read_once(buffer);
        #[cfg(target_os = "linux")]
        if got == Got::Bytes(buffer.len()) {
            self.widen();
        }
        got
    }

    fn read_once(&self, buffer: &mut [u8]) -> Got {
        loop {
            let mut last = None;
            let read = self.fd.try_io(Interest::READABLE, |fd| match rustix::io::read(fd, &mut *buffer)? {
                // Less than was asked for is all there was. The reactor is told so, as if we had asked once more:
                // whatever comes now is a new event to it, and an end stays known. In a flood there is more by now.
                len if 0 < len && len < buffer.len().min(A_LITTLE) => {
                    last = Some(len);
                    Err(io::ErrorKind::WouldBlock.into())
                }
                len => Ok(len),
            });
            match read {
                Ok(0) => return Got::End,
                Ok(len) => return Got::Bytes(len),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return last.map_or(Got::Later, Got::Bytes);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A terminal with its other side closed says EIO; a pipe has no error that could pass.
                Err(_) => return Got::End,
            }
        }
    }

    /// Reads what is there whatever the reactor believes: the last look before a stream is given up.
    pub(crate) fn read_now(&self, buffer: &mut [u8]) -> Got {
        match rustix::io::read(self.fd.get_ref(), buffer) {
            Ok(0) => Got::End,
            Ok(len) => Got::Bytes(len),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Got::Later,
            Err(_) => Got::End,
        }
    }

    /// A stream that fills its pipe gets a larger one; a quiet one does not cost the host anything.
    #[cfg(target_os = "linux")]
    fn widen(&self) {
        const WIDE: usize = 512 * 1024;
        // Refused beyond the user's share of pipe memory: then the pipe stays as it is, which is only slower.
        let _ = rustix::pipe::fcntl_setpipe_size(self.fd.get_ref(), WIDE);
    }
}
