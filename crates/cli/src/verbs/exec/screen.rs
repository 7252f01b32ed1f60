//! When the status line is shown and when it is erased. May not write, as output may be written: it says what to write.

use super::Voice;
use crate::output::spinner;
use crate::output::status::{self, ERASE, StatusLine};
use anstyle::Style;
use runward::core::render::one_short_line;
use runward::{Stream, host};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;
use tokio::time::Instant;

/// Silence after which the line is shown.
const SILENCE: Duration = Duration::from_secs(3);

/// How often it is brought up to date.
const EVERY: Duration = Duration::from_secs(1);

/// When the line comes, and what it says.
#[derive(Debug)]
enum Rhythm {
    /// Whenever nothing was printed for a while.
    Silence { pid: u32 },
    /// Soon, and never again once anything was printed.
    Spinner { command: String },
}

impl Rhythm {
    fn patience(&self) -> Duration {
        match self {
            Rhythm::Silence { .. } => SILENCE,
            Rhythm::Spinner { .. } => spinner::PATIENCE,
        }
    }

    fn every(&self) -> Duration {
        match self {
            Rhythm::Silence { .. } => EVERY,
            Rhythm::Spinner { .. } => spinner::EVERY,
        }
    }

    fn line(&self, elapsed: Duration, bytes: u64, width: u16) -> Option<String> {
        match self {
            Rhythm::Silence { pid } => status::line(StatusLine { elapsed, bytes, pid: *pid }, width),
            Rhythm::Spinner { command } => spinner::line(command, elapsed, width),
        }
    }
}

/// What stands on the terminal, as far as we wrote it.
#[derive(Debug)]
pub(in crate::verbs) struct TerminalScreen {
    rhythm: Rhythm,
    begun: Instant,
    bytes: u64,
    /// When the line is drawn next; never, where no person reads it.
    next: Option<Instant>,
    shown: bool,
    /// Whether the cursor is at the beginning of a line: erasing must not take the command's own output.
    at_start: bool,
    /// Whether a person sees what goes to stdout, and to stderr.
    seen: [bool; 2],
    style: Style,
}

impl TerminalScreen {
    /// A screen for this voice and this process of ours: it reports silence.
    pub(in crate::verbs) fn of(voice: Voice, pid: u32) -> Self {
        Self::new(voice, Rhythm::Silence { pid })
    }

    /// A screen with a spinner until this command prints its first byte.
    pub(in crate::verbs) fn spinning(command: &str) -> Self {
        Self::new(Voice::Normal, Rhythm::Spinner { command: one_short_line(command) })
    }

    fn new(voice: Voice, rhythm: Rhythm) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let wanted = voice == Voice::Normal && io::stderr().is_terminal() && !dumb;
        let coloured = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        let begun = Instant::now();
        Self {
            begun,
            bytes: 0,
            next: wanted.then(|| begun + rhythm.patience()),
            rhythm,
            shown: false,
            at_start: true,
            seen: [io::stdout().is_terminal(), io::stderr().is_terminal()],
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
        if let (true, Some(last)) = (self.seen[stream as usize], bytes.last()) {
            self.at_start = *last == b'\n';
        }
        self.next = match self.rhythm {
            Rhythm::Silence { .. } => self.next.map(|_| Instant::now() + SILENCE),
            Rhythm::Spinner { .. } => None,
        };
    }

    /// What to write to show the line, if it can be shown now.
    pub(super) fn draw(&mut self) -> Option<String> {
        let now = Instant::now();
        self.next = Some(now + self.rhythm.every());
        let line = self.rhythm.line(now - self.begun, self.bytes, host::terminal_width()?);
        let line = line.filter(|_| self.at_start);
        match line {
            Some(line) => {
                self.shown = true;
                Some(status::drawn(&line, self.style))
            }
            // The terminal became too narrow: the line is erased.
            None => self.erase().map(str::to_owned),
        }
    }

    /// What to write to erase the line, if it is there.
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

/// A question without an answer is still there: what comes next begins on a line of its own.
pub(in crate::verbs) fn next_line() {
    if io::stderr().is_terminal() {
        // A terminal that is gone shows nothing either.
        let _ = io::stderr().write_all(b"\n");
    }
}
