//! What we say, and where: results on stdout, our own words on stderr.
//!
//! May not decide anything. Colours are used on a terminal only, and never where `NO_COLOR` is set.

pub(crate) mod draft;
mod failure;
mod format;
mod marked;
pub(crate) mod spinner;
pub(crate) mod status;
mod usage;
mod walls;

pub(crate) use failure::Failure;
pub(crate) use format::{Format, emit, print};
pub(crate) use usage::usage;

use anstyle::{AnsiColor, Style};

/// What a reader that went away leaves us to exit with: 128 and the number of `SIGPIPE`.
pub(crate) const READER_GONE: i32 = 141;

/// What a person who leaves a question leaves us to exit with: as if by Ctrl-C.
pub(crate) const LEFT: i32 = 130;

const OURS: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// One sentence of ours.
pub(crate) fn tell(sentence: &str) {
    put(&format!("{OURS}runward:{OURS:#} {sentence}"));
}

/// A line of ours that others read by its own beginning.
pub(crate) fn note(line: &str) {
    put(line);
}

fn put(line: &str) {
    use std::io::Write;
    // Nobody reads our words: then there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{line}");
}
