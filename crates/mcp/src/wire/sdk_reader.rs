//! Lines for the SDK's own reader, which parses what `plain` does not.
//!
//! It would keep the buffer of its longest line for ever, so it can be made again between two lines. May not look into
//! what it passes on.

use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What is kept between two lines.
const KEPT: usize = 64 * 1024;

/// The result of a line.
pub(super) enum Understood {
    /// A message.
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// None, and this is what it is answered with.
    Answered(Vec<u8>),
    /// There are no more lines.
    End,
}

/// The SDK's reader, which tries one kind of message after the other and answers what is none of them.
pub(super) struct SdkReader {
    lines: PassedBytes,
    /// What the SDK's reader answers by itself.
    answers: PassedBytes,
    reader: AsyncRwTransport<RoleServer, PassedBytes, PassedBytes>,
    /// Bytes of the line that it was given last.
    last: usize,
    /// Whether it has held a long line.
    swollen: bool,
}

impl SdkReader {
    pub(super) fn new() -> Self {
        let (lines, answers) = (PassedBytes::default(), PassedBytes::default());
        let reader = Self::reader(&lines, &answers);
        Self { lines, answers, reader, last: 0, swollen: false }
    }

    /// The caller bounds its lines.
    fn reader(
        lines: &PassedBytes,
        answers: &PassedBytes,
    ) -> AsyncRwTransport<RoleServer, PassedBytes, PassedBytes> {
        AsyncRwTransport::new_server(lines.clone(), answers.clone()).with_max_line_length(usize::MAX)
    }

    /// Gives it a whole line.
    pub(super) fn put(&mut self, line: Vec<u8>) {
        (self.last, self.swollen) = (line.len(), self.swollen || line.len() > KEPT);
        self.lines.put(line);
    }

    /// There will be no more lines.
    pub(super) fn close(&self) {
        self.lines.close();
    }

    /// Bytes of the line that it was given last.
    pub(super) fn last(&self) -> usize {
        self.last
    }

    /// The result of its last line. Cancel-safe.
    pub(super) async fn next(&mut self) -> Understood {
        let Self { reader, answers, .. } = self;
        tokio::select! {
            biased;
            lines = answers.taken() => Understood::Answered(lines),
            message = reader.receive() => message.map_or(Understood::End, |message| Understood::Message(Box::new(message))),
        }
    }

    /// Frees the buffer of a long line, once it was read.
    pub(super) fn shrink(&mut self) {
        if self.swollen && self.lines.is_empty() {
            (self.reader, self.swollen) = (Self::reader(&self.lines, &self.answers), false);
        }
    }
}

/// A pipe of lines to the SDK's reader, or from it.
#[derive(Clone, Default)]
struct PassedBytes(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    /// How much of it was taken.
    taken: usize,
    closed: bool,
    waiting: Option<Waker>,
}

impl PassedBytes {
    /// Nothing panics while it is held; if something did, the bytes would still be whole.
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, mut bytes: Vec<u8>) {
        self.change(|held| {
            if held.bytes.is_empty() {
                held.bytes = bytes;
            } else {
                held.bytes.append(&mut bytes);
            }
        });
    }

    fn close(&self) {
        self.change(|held| held.closed = true);
    }

    fn is_empty(&self) -> bool {
        self.held().bytes.is_empty()
    }

    /// Everything that was put in, once there is something.
    fn taken(&self) -> impl Future<Output = Vec<u8>> {
        std::future::poll_fn(|cx| {
            let mut held = self.held();
            if held.bytes.is_empty() {
                held.waiting = Some(cx.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(std::mem::take(&mut held.bytes))
        })
    }

    /// Changes the buffer, and wakes the task that waits for that.
    fn change(&self, change: impl FnOnce(&mut Held)) {
        let mut held = self.held();
        change(&mut held);
        if let Some(waker) = held.waiting.take() {
            waker.wake();
        }
    }
}

impl AsyncRead for PassedBytes {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut held = self.held();
        if held.bytes.is_empty() && !held.closed {
            held.waiting = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let len = (held.bytes.len() - held.taken).min(buf.remaining());
        buf.put_slice(&held.bytes[held.taken..held.taken + len]);
        held.taken += len;
        if held.taken == held.bytes.len() {
            (held.bytes, held.taken) = (Vec::new(), 0);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for PassedBytes {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.put(bytes.to_vec());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
