//! When the status line is shown and when it goes. May not write while output does: it says what to write.

use super::Voice;
use crate::output::status::{self, ERASE, Progress};
use anstyle::Style;
use runward::{Stream, host};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;
use tokio::time::Instant;

/// Silence after which the line is shown.
const SILENCE: Duration = Duration::from_secs(3);

/// How often it is brought up to date.
const EVERY: Duration = Duration::from_secs(1);

/// What stands on the terminal, as far as we wrote it.
#[derive(Debug)]
pub(super) struct Screen {
    pid: u32,
    begun: Instant,
    bytes: u64,
    /// When the line is drawn next; never, where there is nobody to read it.
    next: Option<Instant>,
    shown: bool,
    /// Whether the cursor is where a line begins: erasing must not take the command's own words.
    at_start: bool,
    style: Style,
}

impl Screen {
    /// A screen for this voice and this process of ours.
    pub(super) fn of(voice: Voice, pid: u32) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let wanted = voice == Voice::Normal && io::stderr().is_terminal() && !dumb;
        let coloured = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        let begun = Instant::now();
        Self {
            pid,
            begun,
            bytes: 0,
            next: wanted.then(|| begun + SILENCE),
            shown: false,
            at_start: true,
            style: if coloured { Style::new().dimmed() } else { Style::new() },
        }
    }

    /// Waits until the line is to be drawn. Cancel-safe.
    pub(super) async fn due(&self) {
        match self.next {
            Some(next) => tokio::time::sleep_until(next).await,
            None => std::future::pending().await,
        }
    }

    /// The command printed something.
    pub(super) fn printed(&mut self, stream: Stream, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let seen = match stream {
            Stream::Stdout => io::stdout().is_terminal(),
            Stream::Stderr => io::stderr().is_terminal(),
        };
        if let (true, Some(last)) = (seen, bytes.last()) {
            self.at_start = *last == b'\n';
        }
        if self.next.is_some() {
            self.next = Some(Instant::now() + SILENCE);
        }
    }

    /// What to write to show the line, if it can be shown now.
    pub(super) fn draw(&mut self) -> Option<String> {
        let now = Instant::now();
        self.next = Some(now + EVERY);
        let progress = Progress { elapsed: now - self.begun, bytes: self.bytes, pid: self.pid };
        let line = status::line(progress, host::terminal_width()?).filter(|_| self.at_start);
        match line {
            Some(line) => {
                self.shown = true;
                Some(status::drawn(&line, self.style))
            }
            // The terminal became too narrow: what is there must go.
            None => self.erase().map(str::to_owned),
        }
    }

    /// What to write to take the line away, if it is there.
    pub(super) fn erase(&mut self) -> Option<&'static str> {
        std::mem::take(&mut self.shown).then_some(ERASE)
    }

    /// Nothing more is passed through: the line is never left behind.
    pub(super) fn leave(&mut self) {
        if let Some(nothing) = self.erase() {
            // A terminal that is gone shows no line either.
            let _ = io::stderr().write_all(nothing.as_bytes());
        }
    }
}

/// A question that was not answered still stands there: what comes next begins on a line of its own.
pub(super) fn next_line() {
    if io::stderr().is_terminal() {
        // A terminal that is gone shows nothing either.
        let _ = io::stderr().write_all(b"\n");
    }
}
