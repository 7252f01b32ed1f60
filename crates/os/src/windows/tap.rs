//! The reading end of a child process' output (standard output and error). Never blocks.

use super::transfer::{Flight, Transfer};
use crate::Got;
use std::io;
use std::ops::Range;
use std::os::windows::io::OwnedHandle;
use std::task::{Context, Poll};

/// One stream of output. Reading it never waits.
#[derive(Debug)]
pub(crate) struct Tap {
    transfer: Transfer,
    /// What has landed and was not yet handed on.
    held: Range<usize>,
    ended: bool,
}

impl Tap {
    pub(crate) fn of_pipe(pipe: OwnedHandle) -> io::Result<Self> {
        Ok(Self { transfer: Transfer::on(pipe)?, held: 0..0, ended: false })
    }

    pub(crate) fn poll_readable(&mut self, cx: &Context<'_>) -> Poll<()> {
        self.transfer.listen(cx);
        self.fetch();
        if self.ended || !self.held.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    }

    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Got {
        self.fetch();
        self.hand_on(buffer)
    }

    /// Reads what is there for certain: the last look before a stream is given up.
    pub(crate) fn read_now(&mut self, buffer: &mut [u8]) -> Got {
        self.fetch();
        if self.held.is_empty() && !self.ended {
            let flight = self.transfer.recall();
            self.note(flight);
        }
        self.hand_on(buffer)
    }

    /// Asks the pipe unless something is held already.
    fn fetch(&mut self) {
        while self.held.is_empty() && !self.ended {
            let flight = self.transfer.read();
            self.note(flight);
            // A write of no bytes lands as nothing, and a recalled read is begun again.
            if flight == Flight::Flying {
                return;
            }
        }
    }

    fn note(&mut self, flight: Flight) {
        match flight {
            Flight::Landed(len) => self.held = 0..len,
            Flight::Broken => self.ended = true,
            Flight::Flying | Flight::Recalled => {}
        }
    }

    fn hand_on(&mut self, buffer: &mut [u8]) -> Got {
        if self.held.is_empty() {
            return if self.ended { Got::End } else { Got::Later };
        }
        let len = self.held.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.transfer.bytes()[self.held.start..self.held.start + len]);
        self.held.start += len;
        Got::Bytes(len)
    }
}
