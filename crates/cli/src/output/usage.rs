//! What was typed could not be understood: say so, in the form that was asked for.

use super::{Failure, Format, READER_GONE};
use clap::error::ErrorKind;
use std::ffi::OsString;

/// Tells a usage error, or prints the help that was asked for. Gives the exit code.
pub(crate) fn usage(error: &clap::Error, typed: &[OsString]) -> i32 {
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let format = format_of(typed);
    if !asked_for && format != Format::Plain {
        return Failure::bad_value(sentence(error), "See `runward --help`.").tell(format);
    }
    match error.print() {
        Err(error) if asked_for && error.kind() == std::io::ErrorKind::BrokenPipe => READER_GONE,
        _ if asked_for => 0,
        _ => 125,
    }
}

/// The form that was asked for, as far as it can be told from words that were not understood.
fn format_of(typed: &[OsString]) -> Format {
    let ours = || typed.iter().take_while(|word| *word != "--");
    if ours().any(|word| word == "--json") {
        Format::Json
    } else if ours().any(|word| word == "--yaml") {
        Format::Yaml
    } else {
        Format::Plain
    }
}

/// The first paragraph, without the word `error:` that begins it.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}
