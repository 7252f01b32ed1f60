//! Copying both ways between two connections, each way until its own end. May not look at what is copied.
//!
//! All connections share one buffer: what the other side does not take at once is kept apart, and no more is read before
//! it has gone. So a connection that waits holds nothing, and a slow reader slows its writer.

use super::account::ConnectionLine;
use super::connection::Desk;
use rustix::net::{Shutdown, shutdown};
use std::cell::{Cell, RefCell};
use std::io;
use tokio::net::TcpStream;

/// Bytes read in one go.
const CHUNK: usize = 256 * 1024;

/// The buffer of all.
pub(super) struct Scratch(RefCell<Box<[u8]>>);

impl Default for Scratch {
    fn default() -> Self {
        Self(RefCell::new(vec![0; CHUNK].into_boxed_slice()))
    }
}

/// What came of one attempt to copy.
enum CopyStep {
    /// Nothing can be read yet.
    Later,
    /// Everything that was read has gone.
    Gone,
    /// This has still to go.
    Rest(Vec<u8>),
    End,
}

/// Carries a connection on: first what was read already, then everything. At the command's end, what it sent goes on and
/// nobody is left to read.
pub(super) async fn carry(
    (inside, outside): (&TcpStream, &TcpStream),
    first: &[u8],
    line: &ConnectionLine,
    desk: &Desk,
) -> io::Result<()> {
    let out = async {
        write_all(outside, first, &line.sent).await?;
        pour(inside, outside, &desk.scratch, &line.sent).await
    };
    let back = pour(outside, inside, &desk.scratch, &line.received);
    let mut out = std::pin::pin!(out);
    let mut back = std::pin::pin!(back);
    tokio::select! {
        sent = &mut out => {
            sent?;
            tokio::select! {
                received = back => received,
                () = desk.ended() => Ok(()),
            }
        }
        received = &mut back => {
            received?;
            out.await
        }
    }
}

async fn pour(from: &TcpStream, to: &TcpStream, scratch: &Scratch, count: &Cell<u64>) -> io::Result<()> {
    loop {
        from.readable().await?;
        match step(from, to, scratch, count)? {
            CopyStep::Later | CopyStep::Gone => {}
            CopyStep::Rest(rest) => write_all(to, &rest, count).await?,
            CopyStep::End => return Ok(shutdown(to, Shutdown::Write)?),
        }
    }
}

fn step(from: &TcpStream, to: &TcpStream, scratch: &Scratch, count: &Cell<u64>) -> io::Result<CopyStep> {
    let mut buffer = scratch.0.borrow_mut();
    let len = match from.try_read(&mut buffer) {
        Ok(0) => return Ok(CopyStep::End),
        Ok(len) => len,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(CopyStep::Later),
        Err(error) => return Err(error),
    };
    let written = match to.try_write(&buffer[..len]) {
        Ok(written) => written,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
        Err(error) => return Err(error),
    };
    count.set(count.get() + written as u64);
    Ok(if written == len { CopyStep::Gone } else { CopyStep::Rest(buffer[written..len].to_vec()) })
}

async fn write_all(to: &TcpStream, mut rest: &[u8], count: &Cell<u64>) -> io::Result<()> {
    while !rest.is_empty() {
        to.writable().await?;
        match to.try_write(rest) {
            Ok(written) => {
                count.set(count.get() + written as u64);
                rest = &rest[written..];
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
