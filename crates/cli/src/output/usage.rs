//! Usage errors: the arguments could not be parsed; reported in the form that was asked for.

use super::{OutputFormat, VerbFailure, unwritten};
use crate::mistakes;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::Write;

/// Reports a usage error, or prints the help that was asked for. Gives the exit code.
pub(crate) fn usage(error: &clap::Error, typed: &[OsString]) -> i32 {
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let format = format_of(typed);
    if let Some(failure) = mistakes::meant(error, typed) {
        return failure.tell(format);
    }
    if !asked_for && format != OutputFormat::Plain {
        return VerbFailure::bad_value(sentence(error), "See `runward --help`.").tell(format);
    }
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if asked_for => unwritten(&error).tell(format),
        _ if asked_for => 0,
        _ => 125,
    }
}

/// The form that was asked for, as far as it can be known from arguments that were not understood.
fn format_of(typed: &[OsString]) -> OutputFormat {
    let ours = || typed.iter().take_while(|word| *word != "--");
    if ours().any(|word| word == "--json") {
        OutputFormat::Json
    } else if ours().any(|word| word == "--yaml") {
        OutputFormat::Yaml
    } else {
        OutputFormat::Plain
    }
}

/// The first paragraph, without the word `error:` that begins it.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}
