//! What every format is made of: it is given the lines of a stream one by one, and says at the end what it read. May not
//! know any tool.

use super::super::results::{FailureEntry, ProblemResults, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use std::ops::Range;

/// A line, and where it stands in the text with its end.
#[derive(Debug, Clone)]
pub(super) struct StreamLine<'a> {
    /// Without its end.
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
}

/// Reads the lines of one stream in one format.
pub(super) trait FormatReader<'a> {
    /// The next line.
    fn line(&mut self, line: &StreamLine<'a>);
    /// What came of it, when there are no more.
    fn outcome(self: Box<Self>) -> FormatOutcome;
}

/// What came of reading a stream.
#[derive(Debug)]
pub(super) enum FormatOutcome {
    /// The format's opening line was not there.
    NotThere,
    /// It was, and then something did not fit: no closing line, or other counts than announced.
    Contradictory,
    /// It was read to its end.
    Read(FormatReading),
}

impl FormatOutcome {
    /// What was read, where all of it fits.
    pub(super) fn of(is_there: bool, fits: bool, reading: FormatReading) -> Self {
        match (is_there, fits) {
            (false, _) => Self::NotThere,
            (true, false) => Self::Contradictory,
            (true, true) => Self::Read(reading),
        }
    }
}

/// A line that is known to be harmless.
#[derive(Debug, Clone)]
pub(super) struct HarmlessLine {
    pub(super) range: Range<usize>,
    pub(super) kind: LeftOutKind,
    /// How many of its kind it stands for.
    pub(super) count: usize,
}

/// What a format read.
#[derive(Debug, Default)]
pub(super) struct FormatReading {
    /// In any order.
    pub(super) harmless: Vec<HarmlessLine>,
    pub(super) results: Option<RunResults>,
}

impl FormatReading {
    pub(super) fn leave_out(&mut self, line: &StreamLine<'_>, kind: LeftOutKind, count: usize) {
        self.harmless.push(HarmlessLine { range: line.range.clone(), kind, count });
    }

    /// How many of a kind are left out.
    pub(super) fn count(&self, kind: LeftOutKind) -> u64 {
        self.harmless.iter().filter(|line| line.kind == kind).map(|line| line.count as u64).sum()
    }
}

impl FailureEntry {
    /// An entry about a place; a line that is no number is none.
    pub(super) fn at(file: &str, line: &str, message: &str) -> Self {
        Self {
            name: None,
            file: Some(file.to_owned()),
            line: line.parse().ok(),
            message: Some(shortened(message)),
        }
    }

    /// An entry about a test.
    pub(super) fn named(name: &str) -> Self {
        Self { name: Some(shortened(name)), ..Self::default() }
    }
}

impl ProblemResults {
    /// The results of a compiler, with its errors before its warnings; nothing where it counted nothing.
    pub(super) fn of(
        tool: &'static str,
        errors: Vec<FailureEntry>,
        warnings: Vec<FailureEntry>,
    ) -> Option<RunResults> {
        let counts = (errors.len() as u64, warnings.len() as u64);
        let first = errors.into_iter().chain(warnings).collect();
        let results = Self { tool, errors: counts.0, warnings: counts.1, first, cut: 0 };
        (counts != (0, 0)).then_some(RunResults::Problems(results))
    }
}

impl TestResults {
    /// Gives the first failure with this name that has no message yet its place and its message.
    pub(super) fn explain(&mut self, name: &str, said: &FailureEntry) {
        let known = self.failures.iter_mut().find(|entry| {
            entry.message.is_none() && entry.name.as_deref().is_some_and(|known| known.ends_with(name))
        });
        if let Some(entry) = known {
            *entry = FailureEntry { name: entry.name.take(), ..said.clone() };
        }
    }
}

/// How long a message may be.
const LONGEST_MESSAGE: usize = 200;

/// The beginning of a message.
pub(super) fn shortened(message: &str) -> String {
    let message = message.trim();
    match message.char_indices().nth(LONGEST_MESSAGE) {
        None => message.to_owned(),
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}

/// The number before this word: `3` for `failed` in `3 failed, 5 passed`.
pub(super) fn counted(text: &str, word: &str) -> Option<u64> {
    let mut before = "";
    for part in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '(' | ')')) {
        if part == word {
            return before.parse().ok();
        }
        if !part.is_empty() {
            before = part;
        }
    }
    None
}

/// The number behind this label: `3` for `Failures:` in `Tests run: 5, Failures: 3, Errors: 0`.
pub(super) fn labelled(text: &str, label: &str) -> Option<u64> {
    leading_number(text.split_once(label)?.1.trim_start())
}

/// The number that a text begins with.
pub(super) fn leading_number(text: &str) -> Option<u64> {
    text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse().ok()
}

/// `file:line:column` or `file:line`, with whatever stands behind.
pub(super) fn place(text: &str) -> Option<(&str, &str, &str)> {
    let colon = text.match_indices(':').map(|(at, _)| at).find(|at| {
        // `C:\` is a drive.
        *at > 1 && text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit)
    })?;
    let (file, rest) = (&text[..colon], &text[colon + 1..]);
    let line = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
    let rest = &rest[line.len()..];
    let column = rest.strip_prefix(':').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let rest = if column > 0 { &rest[column + 1..] } else { rest };
    Some((file, line, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_words() {
        let line = "== 1 failed, 400 passed, 1 skipped in 1.13s ==";
        assert_eq!(
            ["failed", "passed", "errors"].map(|word| counted(line, word)),
            [Some(1), Some(400), None]
        );
        assert_eq!(counted("1 failed | 149 passed (150)", "passed"), Some(149));
        assert_eq!(labelled("Tests run: 20, Failures: 1, Errors: 0", "Failures:"), Some(1));
    }

    #[test]
    fn places_are_taken_apart() {
        assert_eq!(place("src/lib.rs:244:57: no"), Some(("src/lib.rs", "244", ": no")));
        assert_eq!(place("bad.py:3: error: x"), Some(("bad.py", "3", ": error: x")));
        assert_eq!(place("C:\\a.c:3:4: y"), Some(("C:\\a.c", "3", ": y")));
        assert_eq!(place("no place: here"), None);
    }

    #[test]
    fn a_long_message_keeps_its_beginning() {
        assert_eq!(shortened(" short "), "short");
        assert_eq!(shortened(&"ä".repeat(500)).chars().count(), LONGEST_MESSAGE + 1);
    }
}
