//! Writes a command's output to our own streams without delaying requests to end.
//!
//! A reader that does not read would block the writer. So a thread writes, made with the first bytes. Where no thread can
//! be made, a stream is written only while it takes bytes at once, a little at a time. May not keep more than one chunk.

use runward::Stream;
use runward::host::takes_output;
use std::io::{self, Write};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

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
    Thread(mpsc::Sender<Piece>),
    /// No thread could be made.
    Nobody,
}

#[derive(Debug)]
struct Piece {
    to: Stream,
    bytes: Vec<u8>,
    done: oneshot::Sender<io::Result<()>>,
}

impl Outflow {
    /// Writes everything and waits until it is out.
    pub(crate) async fn put(&mut self, to: Stream, bytes: &[u8]) -> io::Result<()> {
        let writer = self.writer.get_or_insert_with(OutflowWriter::start);
        let OutflowWriter::Thread(pieces) = writer else { return put_by_and_by(to, bytes).await };
        let (done, written) = oneshot::channel();
        let gone = || io::Error::other("the writer thread has ended");
        pieces.send(Piece { to, bytes: bytes.to_owned(), done }).await.map_err(|_| gone())?;
        written.await.map_err(|_| gone())?
    }
}

impl OutflowWriter {
    fn start() -> Self {
        let (to, mut from) = mpsc::channel::<Piece>(1);
        let write = move || {
            while let Some(Piece { to, bytes, done }) = from.blocking_recv() {
                // The waiting caller may have given up.
                let _ = done.send(put(to, &bytes));
            }
        };
        match std::thread::Builder::new().name("output".to_owned()).spawn(write) {
            Ok(_) => OutflowWriter::Thread(to),
            Err(_) => OutflowWriter::Nobody,
        }
    }
}

async fn put_by_and_by(to: Stream, bytes: &[u8]) -> io::Result<()> {
    for piece in bytes.chunks(LITTLE) {
        while !takes_output(to) {
            tokio::time::sleep(PAUSE).await;
        }
        put(to, piece)?;
    }
    Ok(())
}

fn put(to: Stream, bytes: &[u8]) -> io::Result<()> {
    match to {
        Stream::Stdout => whole(io::stdout().lock(), bytes),
        Stream::Stderr => whole(io::stderr().lock(), bytes),
    }
}

fn whole(mut to: impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}
