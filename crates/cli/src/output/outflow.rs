//! Writes a command's output to our own streams without delaying requests to end.
//!
//! A reader that does not read would block the writer. So a thread writes, made with the first bytes. Pieces go to it ahead,
//! because to wake it for each and to be woken by it takes longer than the writing. Where no thread can be made, a stream is
//! written only while it takes bytes at once, a little at a time. May not keep more than [`AHEAD`] pieces.

use runward::Stream;
use runward::host::{put_output, takes_output};
use std::io;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Pieces on their way to the thread: a megabyte of a flood.
const AHEAD: usize = 16;

/// What a pipe that takes anything takes without waiting.
const LITTLE: usize = 4096;

/// The wait before a stream that takes nothing is tried again.
const PAUSE: Duration = Duration::from_millis(5);

/// Our own two streams.
#[derive(Debug, Default)]
pub(crate) struct Outflow {
    writer: Option<OutflowWriter>,
}

/// What writes.
#[derive(Debug)]
enum OutflowWriter {
    Thread {
        pieces: mpsc::Sender<OutflowPiece>,
        /// Why it ended.
        failed: oneshot::Receiver<io::Error>,
    },
    /// No thread could be made.
    Nobody,
    /// It ended.
    Gone,
}

/// Bytes of whatever kind.
type OwnedBytes = Box<dyn AsRef<[u8]> + Send>;

/// What the thread does next.
enum OutflowPiece {
    Write(Stream, OwnedBytes),
    /// Say that everything before is out.
    Tell(oneshot::Sender<()>),
}

impl Outflow {
    /// Writes everything and waits until it is out.
    pub(crate) async fn put(&mut self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        self.pass(to, bytes.to_owned()).await?;
        self.settled().await
    }

    /// Passes bytes on to be written, and waits until there is room for them. An error is told by a later call, or by
    /// [`failure`](Self::failure).
    pub(crate) async fn pass(
        &mut self,
        to: Stream,
        bytes: impl AsRef<[u8]> + Send + 'static,
    ) -> io::Result<()> {
        match self.writer.get_or_insert_with(OutflowWriter::start) {
            OutflowWriter::Nobody => put_by_and_by(to, bytes.as_ref()).await,
            OutflowWriter::Thread { pieces, .. } => {
                let sent = pieces.send(OutflowPiece::Write(to, Box::new(bytes))).await;
                if sent.is_err() { Err(self.failure().await) } else { Ok(()) }
            }
            OutflowWriter::Gone => Err(ended()),
        }
    }

    /// Waits until everything is out.
    pub(crate) async fn settled(&mut self) -> io::Result<()> {
        let Some(OutflowWriter::Thread { pieces, .. }) = &self.writer else { return Ok(()) };
        let (tell, told) = oneshot::channel();
        let asked = pieces.send(OutflowPiece::Tell(tell)).await;
        if asked.is_err() || told.await.is_err() { Err(self.failure().await) } else { Ok(()) }
    }

    /// Waits until something cannot be written, which may be never. Cancel-safe.
    pub(crate) async fn failure(&mut self) -> io::Error {
        let Some(OutflowWriter::Thread { failed, .. }) = &mut self.writer else {
            return std::future::pending().await;
        };
        let why = failed.await.unwrap_or_else(|_| ended());
        self.writer = Some(OutflowWriter::Gone);
        why
    }
}

fn ended() -> io::Error {
    io::Error::other("the writer thread has ended")
}

impl OutflowWriter {
    fn start() -> Self {
        let (pieces, mut from) = mpsc::channel(AHEAD);
        let (fail, failed) = oneshot::channel();
        let write = move || {
            while let Some(piece) = from.blocking_recv() {
                let done = match piece {
                    OutflowPiece::Write(to, bytes) => put_output(to, (*bytes).as_ref()),
                    OutflowPiece::Tell(told) => {
                        // The waiting caller may have given up.
                        let _ = told.send(());
                        Ok(())
                    }
                };
                if let Err(error) = done {
                    // Said before the channel is closed, so that whoever finds it closed finds the reason.
                    let _ = fail.send(error);
                    return;
                }
            }
        };
        match std::thread::Builder::new().name("output".to_owned()).spawn(write) {
            Ok(_) => OutflowWriter::Thread { pieces, failed },
            Err(_) => OutflowWriter::Nobody,
        }
    }
}

async fn put_by_and_by(to: Stream, bytes: &[u8]) -> io::Result<()> {
    for piece in bytes.chunks(LITTLE) {
        while !takes_output(to) {
            tokio::time::sleep(PAUSE).await;
        }
        put_output(to, piece)?;
    }
    Ok(())
}
