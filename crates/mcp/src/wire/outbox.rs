//! The queue of lines to the client, whole and in order, with a count of what waits.
//!
//! What can be written at once is written by the sender: no task has to be woken for that. The rest is written by a task
//! that lives for as long as there is something. Short lines that wait are joined, so that many of them take little more
//! than their bytes. May not drop a line of a client that reads.

use super::traffic::Traffic;
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use tokio::io::AsyncWrite;
use tokio::sync::watch;

/// Lines are joined up to this many bytes.
const JOINED: usize = 16 * 1024;

/// Once so much has waited, its memory is freed.
const MUCH: usize = 1024 * 1024;

/// Where lines go.
#[derive(Debug)]
pub(crate) struct Outbox<W>(Arc<OutboxShared<W>>);

impl<W> Clone for Outbox<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[derive(Debug)]
struct OutboxShared<W> {
    lines: Mutex<Queue<W>>,
    /// Bytes that were written, or given up, since the beginning.
    gone: watch::Sender<u64>,
    traffic: Arc<Traffic>,
}

#[derive(Debug)]
struct Queue<W> {
    /// Nothing once it is closed, or broken.
    to: Option<W>,
    waiting: VecDeque<Vec<u8>>,
    /// How much of the first chunk is written.
    written: usize,
    /// Bytes that wait.
    bytes: usize,
    /// The most that waited since nothing did.
    peak: usize,
    /// Bytes that were put in since the beginning.
    put: u64,
    /// Whether a task is writing.
    writing: bool,
}

impl<W: AsyncWrite + Unpin> Queue<W> {
    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Some(to) = self.to.as_mut() else { return Poll::Ready(Err(io::ErrorKind::NotConnected.into())) };
        match ready!(Pin::new(to).poll_write(cx, bytes)) {
            Ok(0) => Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
            written => Poll::Ready(written),
        }
    }

    /// Keeps what could not be written.
    fn keep(&mut self, line: Vec<u8>, written: usize) {
        self.bytes += line.len() - written;
        self.peak = self.peak.max(self.bytes);
        match self.waiting.back_mut() {
            Some(last) if last.len() + line.len() <= JOINED => last.extend_from_slice(&line),
            Some(_) => self.waiting.push_back(line),
            None => {
                self.written = written;
                self.waiting.push_back(line);
            }
        }
    }

    /// Writes what waits, as far as that goes.
    fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(first) = self.waiting.pop_front() {
            let written = self.poll_write(cx, &first[self.written..]);
            match written {
                Poll::Ready(Ok(len)) => {
                    self.bytes -= len;
                    self.written += len;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {}
            }
            if self.written < first.len() {
                self.waiting.push_front(first);
            } else {
                self.written = 0;
            }
            if written.is_pending() {
                return Poll::Pending;
            }
        }
        // A buffer for many is not kept for few.
        self.waiting = VecDeque::new();
        match self.to.as_mut() {
            Some(to) => Pin::new(to).poll_flush(cx),
            None => Poll::Ready(Ok(())),
        }
    }

    /// The reader is gone: what waits is dropped.
    fn give_up(&mut self) {
        (self.to, self.waiting, self.written, self.bytes) = (None, VecDeque::new(), 0, 0);
    }
}

impl<W> OutboxShared<W> {
    /// Nothing panics while it is held; if something did, the lines would still be whole.
    fn lines(&self) -> MutexGuard<'_, Queue<W>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of sending a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Put {
    Written,
    /// It waits; it is written when so many bytes are.
    Waits(u64),
}

impl<W: AsyncWrite + Send + Unpin + 'static> Outbox<W> {
    pub(crate) fn new(to: W, traffic: Arc<Traffic>) -> Self {
        let lines = Queue {
            to: Some(to),
            waiting: VecDeque::new(),
            written: 0,
            bytes: 0,
            peak: 0,
            put: 0,
            writing: false,
        };
        let (gone, _) = watch::channel(0);
        Self(Arc::new(OutboxShared { lines: Mutex::new(lines), gone, traffic }))
    }

    /// Takes whole lines, and writes them now where that does not block.
    pub(super) fn put(&self, line: Vec<u8>) -> io::Result<Put> {
        let mut lines = self.0.lines();
        let mut written = 0;
        if lines.waiting.is_empty() && !lines.writing {
            match lines.poll_write(&mut Context::from_waker(Waker::noop()), &line) {
                Poll::Ready(done) => written = done?,
                Poll::Pending => {}
            }
        } else if lines.to.is_none() {
            return Err(io::ErrorKind::NotConnected.into());
        }
        lines.put += line.len() as u64;
        if written == line.len() {
            return Ok(Put::Written);
        }
        lines.keep(line, written);
        self.0.traffic.set_unwritten(lines.bytes);
        let waits = Put::Waits(lines.put);
        if !std::mem::replace(&mut lines.writing, true) {
            tokio::spawn(write(Arc::clone(&self.0)));
        }
        Ok(waits)
    }

    /// Waits until so many bytes are written.
    pub(super) async fn until(&self, bytes: u64) -> io::Result<()> {
        // The sender is ours, so it cannot be gone.
        let _ = self.0.gone.subscribe().wait_for(|gone| *gone >= bytes).await;
        if self.0.lines().to.is_none() { Err(io::ErrorKind::NotConnected.into()) } else { Ok(()) }
    }

    /// Waits until nothing waits to be written, nor is being written.
    pub(crate) async fn flushed(&self) {
        let put = self.0.lines().put;
        let _ = self.0.gone.subscribe().wait_for(|gone| *gone >= put || !self.0.lines().writing).await;
        std::future::poll_fn(|cx| match self.0.lines().to.as_mut() {
            Some(to) => Pin::new(to).poll_flush(cx).map(drop),
            None => Poll::Ready(()),
        })
        .await;
    }

    /// Takes no further line.
    pub(super) fn close(&self) {
        self.0.lines().give_up();
    }
}

/// Writes until nothing is left.
async fn write<W: AsyncWrite + Unpin>(shared: Arc<OutboxShared<W>>) {
    std::future::poll_fn(|cx| {
        let mut lines = shared.lines();
        let done = lines.poll_waiting(cx);
        if matches!(done, Poll::Ready(Err(_))) {
            // The reader notices that the client is gone.
            lines.give_up();
        }
        if done.is_ready() {
            lines.writing = false;
        }
        let (bytes, gone) = (lines.bytes, lines.put - lines.bytes as u64);
        let was_much = done.is_ready() && std::mem::take(&mut lines.peak) > MUCH;
        drop(lines);
        if was_much {
            runward_engine::host::give_back_memory();
        }
        shared.traffic.set_unwritten(bytes);
        shared.gone.send_replace(gone);
        done.map(drop)
    })
    .await;
}
