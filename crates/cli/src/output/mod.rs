//! Output: results on stdout, our own messages on stderr.
//!
//! May not decide anything. Colours are used on a terminal only, and never where `NO_COLOR` is set.

pub(crate) mod draft;
mod failure;
pub(crate) mod folded;
mod format;
mod marked;
mod outflow;
pub(crate) mod spinner;
pub(crate) mod status;
mod usage;
mod walls;

pub(crate) use failure::VerbFailure;
pub(crate) use format::{OutputFormat, emit, print, unwritten, yaml};
pub(crate) use outflow::Outflow;
pub(crate) use usage::usage;

use anstyle::{AnsiColor, Style};
use std::sync::{Mutex, PoisonError};

/// The exit code when the reader of our output went away: 128 and the number of `SIGPIPE`.
pub(crate) const READER_GONE: i32 = 141;

/// The exit code when a person leaves a question: as if by Ctrl-C.
pub(crate) const LEFT: i32 = 130;

const OURS: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// One message of ours.
pub(crate) fn tell(sentence: &str) {
    put(&format!("{OURS}runward:{OURS:#} {sentence}"));
}

/// What to do about the message before it.
pub(crate) fn hint(sentence: &str) {
    put(&format!("{HINT}hint:{HINT:#} {sentence}"));
}

/// The messages of the start, each once.
static TOLD_AT_START: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// One message about everything that follows: it is not repeated at the end of a command.
pub(crate) fn tell_at_start(sentence: &str) {
    let mut told = TOLD_AT_START.lock().unwrap_or_else(PoisonError::into_inner);
    if !told.iter().any(|before| before == sentence) {
        told.push(sentence.to_owned());
        tell(sentence);
    }
}

/// Whether this message was given at the start.
pub(crate) fn was_told_at_start(sentence: &str) -> bool {
    let told = TOLD_AT_START.lock().unwrap_or_else(PoisonError::into_inner);
    told.iter().any(|before| before == sentence)
}

/// A line of ours that programs recognise by its beginning.
pub(crate) fn note(line: &str) {
    put(line);
}

fn put(line: &str) {
    use std::io::Write;
    // Standard error is closed, so there is no place to report that.
    let _ = writeln!(anstream::stderr(), "{line}");
}
