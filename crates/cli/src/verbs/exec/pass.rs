//! The command's output goes out as it comes, byte for byte. A slow reader slows the command.

use super::screen::Screen;
use runward::{Event, Session, Stream};
use std::io;
use tokio::io::{AsyncWrite, AsyncWriteExt, Stderr, Stdout};

/// What became of passing output through.
#[derive(Debug)]
pub(super) enum Passed {
    /// Everything was written.
    All,
    /// Whoever read our output is gone.
    ReaderGone,
    /// Our own output could not be written.
    Failed(io::Error),
}

/// Passes everything through until the command is over.
pub(super) async fn through(session: &mut Session, screen: &mut Screen) -> Passed {
    let mut outlets = Outlets { stdout: tokio::io::stdout(), stderr: tokio::io::stderr(), screen };
    match outlets.all(session).await {
        Ok(()) => Passed::All,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Passed::ReaderGone,
        Err(error) => Passed::Failed(error),
    }
}

struct Outlets<'a> {
    stdout: Stdout,
    stderr: Stderr,
    screen: &'a mut Screen,
}

impl Outlets<'_> {
    async fn all(&mut self, session: &mut Session) -> io::Result<()> {
        loop {
            tokio::select! {
                biased;
                event = session.next_event() => match event {
                    Some(Event::Output { stream, bytes, .. }) => self.write(stream, &bytes).await?,
                    Some(Event::Stopping { .. }) => {}
                    None => break,
                },
                () = self.screen.due() => self.draw().await?,
            }
        }
        self.erase().await
    }

    async fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.erase().await?;
        match stream {
            Stream::Stdout => put(&mut self.stdout, bytes).await?,
            Stream::Stderr => put(&mut self.stderr, bytes).await?,
        }
        self.screen.printed(stream, bytes);
        Ok(())
    }

    async fn draw(&mut self) -> io::Result<()> {
        match self.screen.draw() {
            Some(line) => put(&mut self.stderr, line.as_bytes()).await,
            None => Ok(()),
        }
    }

    async fn erase(&mut self) -> io::Result<()> {
        match self.screen.erase() {
            Some(nothing) => put(&mut self.stderr, nothing.as_bytes()).await,
            None => Ok(()),
        }
    }
}

/// Writes everything and waits until it is out.
pub(in crate::verbs) async fn put(to: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}
