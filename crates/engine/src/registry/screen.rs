//! What a person would see on the session's terminal: progress bars collapsed, colours gone.

use crate::Ledger;
use runward_core::output::Stream;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A terminal emulator that catches up only when it is looked at.
pub(super) struct SessionScreen(Mutex<DrawnScreen>);

struct DrawnScreen {
    parser: vt100::Parser,
    /// How much of the output has been drawn.
    at: u64,
}

impl std::fmt::Debug for SessionScreen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Screen")
    }
}

/// Bytes drawn in one go.
const STEP: usize = 64 * 1024;

impl SessionScreen {
    pub(super) fn new(rows: u16, cols: u16) -> Self {
        Self(Mutex::new(DrawnScreen { parser: parser(rows, cols), at: 0 }))
    }

    /// Catches up with the output and shows the lines, without the empty ones at the end.
    pub(super) fn shown(&self, ledger: &Ledger) -> String {
        self.caught_up(ledger).parser.screen().contents()
    }

    /// What to print so that another terminal looks the same, and how much output that stands for.
    #[cfg(feature = "control")]
    pub(super) fn drawn(&self, ledger: &Ledger) -> (String, u64) {
        let drawn = self.caught_up(ledger);
        let screen = drawn.parser.screen();
        // A program that took the other screen will give it back: it must be the other one there, too.
        let taken = if screen.alternate_screen() { "\x1b[?1049h" } else { "" };
        (format!("{taken}{}", screen.state_formatted()), drawn.at)
    }

    fn caught_up(&self, ledger: &Ledger) -> MutexGuard<'_, DrawnScreen> {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let part = ledger.read(Stream::Stdout, drawn.at, STEP);
            if part.bytes.is_empty() {
                return drawn;
            }
            drawn.at = part.next();
            drawn.parser.process(&part.bytes);
        }
    }

    pub(super) fn resize(&self, rows: u16, cols: u16) {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(rows), Some(cols)) = (std::num::NonZeroU16::new(rows), std::num::NonZeroU16::new(cols)) {
            drawn.parser.set_size(rows, cols);
        }
    }
}

fn parser(rows: u16, cols: u16) -> vt100::Parser {
    let at_least_one = |n: u16| std::num::NonZeroU16::new(n).unwrap_or(std::num::NonZeroU16::MIN);
    vt100::Parser::new(at_least_one(rows), at_least_one(cols), 0)
}
