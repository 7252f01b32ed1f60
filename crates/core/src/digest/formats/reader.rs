//! What every format is made of: it is given the lines of a stream one by one, and says at the end what it read. May not
//! know any tool.

use super::super::results::{FailureEntry, MOST_ENTRIES, ProblemResults, RunResults, TestResults};
use super::super::tally::{LeftOutKind, LeftOutTally};
use std::ops::Range;

/// A line, and where it stands in the text with its end.
#[derive(Debug, Clone)]
pub(super) struct StreamLine<'a> {
    /// Without its end.
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
    pub(super) is_marked: bool,
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

/// Lines in a row that are known to be harmless.
#[derive(Debug, Clone)]
pub(super) struct HarmlessLines {
    pub(super) range: Range<usize>,
    pub(super) kind: LeftOutKind,
    /// How many of its kind they stand for.
    pub(super) count: usize,
}

impl HarmlessLines {
    /// One line, if it is harmless: one with a mark never is.
    pub(super) fn of(line: &StreamLine<'_>, kind: LeftOutKind, count: usize) -> Option<Self> {
        (!line.is_marked).then(|| Self { range: line.range.clone(), kind, count })
    }

    /// Adds lines behind all that are there.
    pub(super) fn push(self, all: &mut Vec<Self>) {
        match all.last_mut() {
            Some(last) if last.range.end == self.range.start && last.kind == self.kind => {
                last.range.end = self.range.end;
                last.count += self.count;
            }
            _ => all.push(self),
        }
    }
}

/// What a format read.
#[derive(Debug, Default)]
pub(super) struct FormatReading {
    /// In any order.
    pub(super) harmless: Vec<HarmlessLines>,
    pub(super) results: Option<RunResults>,
    /// What was known by its shape, with a mark or without.
    known: LeftOutTally,
}

impl FormatReading {
    /// Nothing but results.
    pub(super) fn told(results: Option<RunResults>) -> Self {
        Self { results, ..Self::default() }
    }

    /// Leaves out a line, unless it has a mark.
    pub(super) fn leave_out(&mut self, line: &StreamLine<'_>, kind: LeftOutKind, count: usize) {
        self.known.add(kind, count);
        if let Some(line) = HarmlessLines::of(line, kind, count) {
            line.push(&mut self.harmless);
        }
    }

    /// How many of a kind are known.
    pub(super) fn count(&self, kind: LeftOutKind) -> u64 {
        self.known.count(kind) as u64
    }

    /// Whether any line is known to be harmless.
    pub(super) fn knows_any(&self) -> bool {
        !self.known.is_empty()
    }
}

/// The first entries of a list, and how many there are in all.
#[derive(Debug, Default)]
pub(super) struct FirstEntries {
    pub(super) first: Vec<FailureEntry>,
    pub(super) count: u64,
}

impl FirstEntries {
    /// One more. It is written only where it is among the first.
    pub(super) fn push(&mut self, entry: impl FnOnce() -> FailureEntry) {
        self.count += 1;
        if self.first.len() < MOST_ENTRIES {
            self.first.push(entry());
        }
    }
}

/// What was said of a failure, where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct SaidOfTest<'a> {
    pub(super) name: &'a str,
    pub(super) file: &'a str,
    pub(super) line: &'a str,
    pub(super) message: &'a str,
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
    pub(super) fn of(tool: &'static str, errors: FirstEntries, warnings: FirstEntries) -> Option<RunResults> {
        let mut results = Self { tool, errors: errors.count, warnings: warnings.count, ..Self::default() };
        results.list(errors, warnings);
        (results.errors + results.warnings > 0).then_some(RunResults::Problems(results))
    }

    /// Lists as many as a list may have, errors before warnings, and counts the others.
    pub(super) fn list(&mut self, errors: FirstEntries, warnings: FirstEntries) {
        let all = errors.count + warnings.count;
        self.first = errors.first.into_iter().chain(warnings.first).take(MOST_ENTRIES).collect();
        self.cut = all - self.first.len() as u64;
    }
}

impl TestResults {
    /// One more failure. It is written only where the list has a place for it.
    pub(super) fn fail(&mut self, entry: impl FnOnce() -> FailureEntry) {
        if self.failures.len() < MOST_ENTRIES {
            self.failures.push(entry());
        } else {
            self.cut += 1;
        }
    }

    /// The failure that was named last, if it has a place in the list.
    pub(super) fn latest(&mut self) -> Option<&mut FailureEntry> {
        if self.cut == 0 { self.failures.last_mut() } else { None }
    }

    /// How many failures were named.
    pub(super) fn named(&self) -> u64 {
        self.failures.len() as u64 + self.cut
    }

    /// Gives failures their place and their message: each the first thing that was said of its name, and none what another
    /// one was given.
    pub(super) fn explain(&mut self, said: &[SaidOfTest<'_>]) {
        let mut is_given = vec![false; said.len()];
        for entry in self.failures.iter_mut().filter(|entry| entry.message.is_none()) {
            let Some(name) = entry.name.as_deref() else { continue };
            let is_its = |(at, said): &(usize, &SaidOfTest<'_>)| !is_given[*at] && name.ends_with(said.name);
            if let Some((at, said)) = said.iter().enumerate().find(is_its) {
                is_given[at] = true;
                *entry = said.entry(entry.name.take());
            }
        }
    }
}

impl SaidOfTest<'_> {
    /// The same as an entry about this test.
    pub(super) fn entry(&self, name: Option<String>) -> FailureEntry {
        FailureEntry { name, ..FailureEntry::at(self.file, self.line, self.message) }
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
