//! What cargo says while it builds. May not touch a line of an error or a warning.

use super::super::results::{FailureEntry, ProblemResults, RunResults};
use super::super::tally::LeftOutKind;
use super::reader::{FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, counted, place};

/// Reads the steps of a build.
#[derive(Debug, Default)]
pub(super) struct CargoReader<'a> {
    is_there: bool,
    /// Whether a step was begun that has no end yet.
    is_open: bool,
    /// Whether something could not be compiled since the last end.
    is_broken: bool,
    reading: FormatReading,
    errors: u64,
    warnings: u64,
    /// The beginning of a message, whether it is an error, and its text.
    begun: Option<(bool, &'a str)>,
    first: [FirstEntries; 2],
}

/// Words before a package's name and version.
const STEPS: &[&str] = &[
    "Compiling",
    "Checking",
    "Downloaded",
    "Downloading",
    "Fresh",
    "Dirty",
    "Documenting",
    "Adding",
    "Locking",
    "Unpacking",
    "Updating",
];

impl<'a> FormatReader<'a> for CargoReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        if let Some(word) = step(line.text) {
            if matches!(word, "Compiling" | "Checking") {
                (self.is_there, self.is_open) = (true, true);
            }
            if self.is_there {
                self.reading.leave_out(line, LeftOutKind::BuildStep, 1);
            }
        } else if line.text.starts_with("    Finished ") {
            (self.is_open, self.is_broken) = (false, false);
        } else {
            self.message(line.text);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        let [errors, warnings] = self.first;
        let fits = (!self.is_open || self.is_broken) && errors.count <= self.errors;
        let (tool, counts) = ("cargo", (self.errors, self.warnings));
        let mut results =
            ProblemResults { tool, errors: counts.0, warnings: counts.1, ..ProblemResults::default() };
        results.list(errors, warnings);
        self.reading.results = (self.errors + self.warnings > 0).then_some(RunResults::Problems(results));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> CargoReader<'a> {
    fn message(&mut self, text: &'a str) {
        if let Some(rest) = text.strip_prefix("error: could not compile ") {
            self.is_broken = true;
            self.errors += counted(rest, "previous").unwrap_or(1);
        } else if text.starts_with("warning: `")
            && let Some((_, rest)) = text.split_once(" generated ")
        {
            self.warnings += super::reader::leading_number(rest).unwrap_or_default();
        } else if let Some((is_error, said)) = opening(text) {
            self.begun = Some((is_error, said));
        } else if let Some(at) = text.trim_start().strip_prefix("--> ")
            && let Some((is_error, said)) = self.begun.take()
            && let Some((file, line, _)) = place(at)
        {
            self.first[usize::from(!is_error)].push(|| FailureEntry::at(file, line, said));
        } else if text.is_empty() {
            self.begun = None;
        }
    }
}

/// `error[E0308]: mismatched types`
fn opening(text: &str) -> Option<(bool, &str)> {
    if let Some(said) = text.strip_prefix("warning: ") {
        return Some((false, said));
    }
    let rest = text.strip_prefix("error")?;
    let said = match rest.strip_prefix('[') {
        Some(code) => code.split_once("]: ")?.1,
        None => rest.strip_prefix(": ")?,
    };
    Some((true, said))
}

/// `   Compiling serde v1.0.200`: the word stands right before the thirteenth column.
fn step(text: &str) -> Option<&'static str> {
    let word = text.get(..12)?.trim_start();
    let word = STEPS.iter().find(|step| **step == word)?;
    let mut rest = text.get(13..)?.split(' ').skip(1);
    let version = rest.next()?;
    let is_version =
        version.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    is_version.then_some(word)
}
