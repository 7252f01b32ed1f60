//! Passes the command's output through, byte for byte. Back-pressure: a slow reader slows the command.

use super::screen::TerminalScreen;
use crate::output::Outflow;
use runward::{Session, SessionEvent, Stream};
use std::io;

/// How passing the output through ended.
#[derive(Debug)]
pub(super) enum Passed {
    /// Everything was written.
    All,
    /// The reader of our output is gone.
    ReaderGone,
    /// Our own output could not be written.
    Failed(io::Error),
}

/// Passes everything through until the command is over.
pub(super) async fn through(session: &mut Session, screen: &mut TerminalScreen) -> Passed {
    let mut outlets = Outlets { outflow: Outflow::default(), screen };
    match outlets.all(session).await {
        Ok(()) => Passed::All,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Passed::ReaderGone,
        Err(error) => Passed::Failed(error),
    }
}

struct Outlets<'a> {
    outflow: Outflow,
    screen: &'a mut TerminalScreen,
}

impl Outlets<'_> {
    async fn all(&mut self, session: &mut Session) -> io::Result<()> {
        loop {
            tokio::select! {
                biased;
                error = self.outflow.failure() => return Err(error),
                event = session.next_event() => match event {
                    Some(SessionEvent::Output { stream, bytes, .. }) => {
                        self.erase().await?;
                        self.screen.printed(stream, &bytes);
                        self.outflow.pass(stream, bytes).await?;
                    }
                    Some(_) => {}
                    None => break,
                },
                () = self.screen.due() => self.draw().await?,
            }
        }
        self.erase().await?;
        self.outflow.settled().await
    }

    async fn draw(&mut self) -> io::Result<()> {
        match self.screen.draw() {
            Some(line) => self.outflow.pass(Stream::Stderr, line).await,
            None => Ok(()),
        }
    }

    async fn erase(&mut self) -> io::Result<()> {
        match self.screen.erase() {
            Some(nothing) => self.outflow.pass(Stream::Stderr, nothing).await,
            None => Ok(()),
        }
    }
}
