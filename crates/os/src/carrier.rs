//! A thread of our own that carries bytes to or from a stream that can only block (a file, a terminal).
//!
//! The thread is made once, when the stream is opened: a runtime's pool makes threads when they are needed, and where
//! none can be made then (the process table is full) the task would wait for ever. One piece is on the way at a time:
//! that is the back-pressure, and memory is bounded. May not know what it carries.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::Builder;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that are carried at a time.
const LOAD: usize = 64 * 1024;

/// The piece between a thread and a task.
#[derive(Debug, Default)]
struct CarriedPiece {
    load: Mutex<Load>,
    /// Rung when the thread has something to do.
    bell: Condvar,
}

#[derive(Debug, Default)]
struct Load {
    bytes: Vec<u8>,
    /// How much of it the task has taken.
    taken: usize,
    /// Whether the thread has bytes in hand that are not written yet.
    busy: bool,
    /// Nothing more will come, or can be written.
    over: bool,
    /// Why, until that was told.
    error: Option<io::Error>,
    /// The task is gone.
    left: bool,
    waiting: Option<Waker>,
}

impl CarriedPiece {
    /// Nothing panics while it is held; if something did, the bytes would still be whole.
    fn load(&self) -> MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the thread has something to do.
    fn rest<'a>(&self, load: MutexGuard<'a, Load>, idle: impl Fn(&Load) -> bool) -> MutexGuard<'a, Load> {
        self.bell.wait_while(load, |load| idle(load)).unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self) {
        self.load().left = true;
        self.bell.notify_one();
    }
}

impl Load {
    fn wake(&mut self) {
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    /// The reason why it is over, told once.
    fn verdict(&mut self) -> io::Error {
        self.error.take().unwrap_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

/// Input that a thread reads.
#[derive(Debug)]
pub(crate) struct CarriedInput(Arc<CarriedPiece>);

impl CarriedInput {
    pub(crate) fn new(from: impl Read + Send + 'static) -> io::Result<Self> {
        let shared = Arc::<CarriedPiece>::default();
        let theirs = Arc::clone(&shared);
        Builder::new().name("input".to_owned()).spawn(move || fetch(&theirs, from))?;
        Ok(Self(shared))
    }
}

fn fetch(shared: &CarriedPiece, mut from: impl Read) {
    let mut buffer = vec![0; LOAD];
    loop {
        let read = from.read(&mut buffer);
        if matches!(&read, Err(error) if error.kind() == io::ErrorKind::Interrupted) {
            continue;
        }
        let mut load = shared.load();
        match read {
            Ok(0) => load.over = true,
            Ok(len) => load.bytes.extend_from_slice(&buffer[..len]),
            Err(error) => (load.over, load.error) = (true, Some(error)),
        }
        load.wake();
        let load = shared.rest(load, |load| !load.bytes.is_empty() && !load.left);
        if load.over || load.left {
            return;
        }
    }
}

impl AsyncRead for CarriedInput {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut load = self.0.load();
        if load.bytes.is_empty() {
            if load.over {
                return Poll::Ready(load.error.take().map_or(Ok(()), Err));
            }
            load.waiting = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let len = (load.bytes.len() - load.taken).min(buf.remaining());
        buf.put_slice(&load.bytes[load.taken..load.taken + len]);
        load.taken += len;
        if load.taken == load.bytes.len() {
            (load.bytes, load.taken) = (Vec::new(), 0);
            self.0.bell.notify_one();
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for CarriedInput {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Output that a thread writes.
#[derive(Debug)]
pub(crate) struct CarriedOutput(Arc<CarriedPiece>);

impl CarriedOutput {
    pub(crate) fn new(to: impl Write + Send + 'static) -> io::Result<Self> {
        let shared = Arc::<CarriedPiece>::default();
        let theirs = Arc::clone(&shared);
        Builder::new().name("output".to_owned()).spawn(move || deliver(&theirs, to))?;
        Ok(Self(shared))
    }
}

fn deliver(shared: &CarriedPiece, mut to: impl Write) {
    let mut load = shared.load();
    loop {
        load = shared.rest(load, |load| load.bytes.is_empty() && !load.left);
        let bytes = std::mem::take(&mut load.bytes);
        if bytes.is_empty() {
            return;
        }
        load.busy = true;
        drop(load);
        let written = to.write_all(&bytes).and_then(|()| to.flush());
        load = shared.load();
        load.busy = false;
        if let Err(error) = written {
            (load.over, load.error) = (true, Some(error));
        }
        load.wake();
        if load.over {
            return;
        }
    }
}

impl AsyncWrite for CarriedOutput {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut load = self.0.load();
        if load.over {
            return Poll::Ready(Err(load.verdict()));
        }
        if !load.bytes.is_empty() {
            load.waiting = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let len = bytes.len().min(LOAD);
        load.bytes.extend_from_slice(&bytes[..len]);
        self.0.bell.notify_one();
        Poll::Ready(Ok(len))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut load = self.0.load();
        if load.over {
            return Poll::Ready(Err(load.verdict()));
        }
        if load.bytes.is_empty() && !load.busy {
            return Poll::Ready(Ok(()));
        }
        load.waiting = Some(cx.waker().clone());
        Poll::Pending
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

impl Drop for CarriedOutput {
    fn drop(&mut self) {
        self.0.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn every_byte_is_carried_in_its_order_both_ways() {
        let (from, to) = std::io::pipe().unwrap();
        let (mut input, mut output) = (CarriedInput::new(from).unwrap(), CarriedOutput::new(to).unwrap());
        let all: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
        let sent = async {
            output.write_all(&all).await.unwrap();
            output.flush().await.unwrap();
            drop(output);
        };
        let mut got = Vec::new();
        let ((), read) = tokio::join!(sent, input.read_to_end(&mut got));
        assert_eq!(read.unwrap(), all.len());
        assert!(got == all);
    }

    #[tokio::test]
    async fn an_end_that_nobody_reads_is_an_error() {
        let (from, to) = std::io::pipe().unwrap();
        let mut output = CarriedOutput::new(to).unwrap();
        drop(from);
        output.write_all(b"x").await.unwrap();
        assert_eq!(output.flush().await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert!(output.write_all(b"x").await.is_err());
    }
}
