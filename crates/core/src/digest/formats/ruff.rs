//! What `ruff check` prints: each finding in a line or in a block, and their number at the end. May not leave out anything.

use super::super::results::{FailureEntry, ProblemResults};
use super::reader::{
    FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, leading_number, place,
};

/// Reads the output of ruff.
#[derive(Debug, Default)]
pub(super) struct RuffReader<'a> {
    /// The first line of a block.
    begun: Option<&'a str>,
    found: FirstEntries,
    announced: Option<u64>,
    is_wrong: bool,
}

impl<'a> FormatReader<'a> for RuffReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        if let Some(count) = text.strip_prefix("Found ").filter(|rest| rest.contains(" error")) {
            self.is_wrong |= self.announced.is_some();
            self.announced = leading_number(count);
        } else if let Some(at) = text.trim_start().strip_prefix("--> ") {
            if let (Some(said), Some((file, line, _))) = (self.begun.take(), place(at)) {
                self.found.push(|| FailureEntry::at(file, line, said));
            }
        } else if is_code(text) {
            self.begun = Some(text);
        } else if let Some((file, line, rest)) = place(text)
            && let Some(said) = rest.strip_prefix(": ")
            && is_code(said)
        {
            self.found.push(|| FailureEntry::at(file, line, said));
        }
    }

    fn outcome(self: Box<Self>) -> FormatOutcome {
        // What ruff mended itself is counted, and not shown.
        let fits = !self.is_wrong && self.announced == Some(self.found.count);
        let is_there = self.announced.is_some();
        let results = ProblemResults::of("ruff", self.found, FirstEntries::default());
        FormatOutcome::of(is_there, fits, FormatReading::told(results))
    }
}

/// `F401 [*] what`, or `invalid-syntax: what`.
fn is_code(text: &str) -> bool {
    let word = text.split([' ', ':']).next().unwrap_or_default();
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    word == "invalid-syntax"
        || (1..=4).contains(&letters) && (1..=4).contains(&digits) && letters + digits == word.len()
}
