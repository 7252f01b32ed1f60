//! What eslint prints: a file, its problems, and their number at the end. May not leave out anything.

use super::super::results::{FailureEntry, ProblemResults};
use super::reader::{FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, counted};

/// Reads the output of eslint.
#[derive(Debug, Default)]
pub(super) struct EslintReader<'a> {
    file: Option<&'a str>,
    errors: FirstEntries,
    warnings: FirstEntries,
    announced: Option<(u64, u64)>,
    is_wrong: bool,
}

impl<'a> FormatReader<'a> for EslintReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        if let Some(counts) = text.strip_prefix("✖ ") {
            // `80 problems (80 errors, 0 warnings)`
            let number = |one, many| counted(counts, one).or_else(|| counted(counts, many));
            if let (Some(errors), Some(warnings)) = (number("error", "errors"), number("warning", "warnings"))
            {
                self.is_wrong |= self.announced.is_some();
                self.announced = Some((errors, warnings));
            }
        } else if !text.starts_with(' ') {
            self.file = (!text.is_empty()).then_some(text);
        } else if let Some(file) = self.file
            && let Some((is_error, line, said)) = problem(text)
        {
            let list = if is_error { &mut self.errors } else { &mut self.warnings };
            list.push(|| FailureEntry::at(file, line, said));
        }
    }

    fn outcome(self: Box<Self>) -> FormatOutcome {
        let found = (self.errors.count, self.warnings.count);
        let fits = !self.is_wrong && self.announced == Some(found);
        let is_there = self.announced.is_some();
        let results = ProblemResults::of("eslint", self.errors, self.warnings);
        FormatOutcome::of(is_there, fits, FormatReading::told(results))
    }
}

/// `   1:5   error  'a' is assigned a value but never used   no-unused-vars`
fn problem(text: &str) -> Option<(bool, &str, &str)> {
    let (at, rest) = text.trim_start().split_once(' ')?;
    let (line, column) = at.split_once(':')?;
    column.parse::<u64>().ok()?;
    let (kind, said) = rest.trim_start().split_once(' ')?;
    let is_error = match kind {
        "error" => true,
        "warning" => false,
        _ => return None,
    };
    Some((is_error, line, said))
}
