//! Our ends of a child process' standard streams (standard input, output, error), the same on every platform.
//!
//! May not know processes. Reading never waits; input is queued and written as the command takes it.

use crate::sys::{Feed, Ours, Tap};
use crate::{Got, Notice};
use runward_core::output::Stream;
use std::task::{Context, Poll};

/// Standard input, output and error of one child process.
#[derive(Debug)]
pub(crate) struct ChildStreams {
    pub(crate) feed: Feed,
    stdout: Option<Tap>,
    stderr: Option<Tap>,
}

impl ChildStreams {
    /// The ends that were kept here. Without a second stream of output both go into the first.
    pub(crate) fn of(ours: Ours) -> Self {
        Self { feed: ours.feed, stdout: Some(ours.stdout), stderr: ours.stderr }
    }

    /// Input that was taken, or, with `reading`, output that can be read.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>, reading: bool) -> Poll<Notice> {
        if self.feed.has_work() && self.feed.poll(cx).is_ready() {
            return Poll::Ready(Notice::Fed);
        }
        if reading {
            for (tap, stream) in [(&mut self.stdout, Stream::Stdout), (&mut self.stderr, Stream::Stderr)] {
                if tap.as_mut().is_some_and(|tap| tap.poll_readable(cx).is_ready()) {
                    return Poll::Ready(Notice::Readable(stream));
                }
            }
        }
        Poll::Pending
    }

    /// Reads from a stream without waiting.
    pub(crate) fn read(&mut self, stream: Stream, buffer: &mut [u8]) -> Got {
        self.read_by(stream, |tap| tap.read(buffer))
    }

    /// Reads what is left in a stream that is about to be given up.
    pub(crate) fn read_rest(&mut self, stream: Stream, buffer: &mut [u8]) -> Got {
        self.read_by(stream, |tap| tap.read_now(buffer))
    }

    fn read_by(&mut self, stream: Stream, read: impl FnOnce(&mut Tap) -> Got) -> Got {
        let place = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let got = place.as_mut().map_or(Got::End, read);
        if got == Got::End {
            *place = None;
        }
        got
    }
}
