//! What `go test -v` prints. What a test says is kept until it is known how the test ended. May not touch what a program
//! printed by itself: only what has the shape of a test's own words is known to be of that test.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{
    FormatOutcome, FormatReader, FormatReading, HarmlessLines, SaidOfTest, StreamLine, place, shortened,
};
use std::collections::HashMap;

/// Reads the output of `go test -v`.
#[derive(Debug, Default)]
pub(super) struct GoReader<'a> {
    is_there: bool,
    is_wrong: bool,
    reading: FormatReading,
    tests: TestResults,
    /// What is known of each test of the package that is being read.
    running: HashMap<&'a str, Vec<HarmlessLines>>,
    current: Option<&'a str>,
    /// Failures of this package before it ended.
    failed_before: u64,
    /// What the current test said last, for its failure.
    said: HashMap<&'a str, SaidOfTest<'a>>,
}

impl<'a> FormatReader<'a> for GoReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        if let Some((word, name)) = course(text) {
            self.is_there |= word == "RUN";
            self.current = Some(name);
            self.keep(name, line, LeftOutKind::TestOutput);
        } else if let Some((word, name)) = ended(text).filter(|_| self.is_there) {
            self.end(word, name, line);
        } else if let Some((is_ok, rest)) = package(text) {
            self.package(is_ok, rest);
        } else if let Some(name) = self.current.filter(|name| self.running.contains_key(name))
            && let Some(said) = logged(name, text)
        {
            self.keep(name, line, LeftOutKind::TestOutput);
            self.said.insert(name, said);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = "go test";
        let fits = !self.is_wrong && self.running.is_empty();
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> GoReader<'a> {
    fn keep(&mut self, name: &'a str, line: &StreamLine<'a>, kind: LeftOutKind) {
        let kept = self.running.entry(name).or_default();
        if let Some(line) = HarmlessLines::of(line, kind, 1) {
            line.push(kept);
        }
    }

    fn end(&mut self, word: &str, name: &'a str, line: &StreamLine<'a>) {
        // A test that was never begun, or has ended already.
        let Some(kept) = self.running.remove(name) else { return self.is_wrong = true };
        match word {
            "PASS" => {
                self.tests.passed += 1;
                self.reading.harmless.extend(kept);
                self.reading.leave_out(line, LeftOutKind::PassedTest, 1);
            }
            "SKIP" => self.tests.skipped += 1,
            _ => {
                self.tests.failed += 1;
                let said = self.said.remove(name);
                let entry = || FailureEntry::named(name);
                self.tests.fail(|| said.map_or_else(entry, |said| said.entry(Some(shortened(name)))));
            }
        }
        self.said.remove(name);
    }

    /// The line that ends a package.
    fn package(&mut self, is_ok: bool, rest: &str) {
        if is_ok {
            // Whoever began has to have ended.
            self.is_wrong |= !self.running.is_empty() || self.tests.failed != self.failed_before;
        } else if self.tests.failed == self.failed_before {
            // It did not build, or died.
            self.tests.errors += 1;
            let name = rest.split_whitespace().next().unwrap_or(rest);
            self.tests.fail(|| FailureEntry { message: Some(shortened(rest)), ..FailureEntry::named(name) });
        }
        self.running.clear();
        self.said.clear();
        self.current = None;
        self.failed_before = self.tests.failed;
    }
}

/// `=== RUN   TestA`, and other words about the course of a test.
fn course(text: &str) -> Option<(&str, &str)> {
    let (word, name) = text.strip_prefix("=== ")?.split_once(' ')?;
    let name = name.trim_start();
    (matches!(word, "RUN" | "PAUSE" | "CONT" | "NAME") && !name.is_empty()).then_some((word, name))
}

/// `--- PASS: TestA (0.00s)`, moved to the right for tests within tests.
fn ended(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.trim_start_matches(' ').strip_prefix("--- ")?.split_once(": ")?;
    let (name, time) = rest.rsplit_once(" (")?;
    let is_time = time.strip_suffix("s)").is_some_and(|time| time.parse::<f64>().is_ok());
    (matches!(word, "PASS" | "FAIL" | "SKIP") && is_time).then_some((word, name))
}

/// `ok` or `FAIL`, the package and its time, with tabs between them.
fn package(text: &str) -> Option<(bool, &str)> {
    match text.strip_prefix("ok  \t") {
        Some(rest) => Some((true, rest)),
        None => text.strip_prefix("FAIL\t").map(|rest| (false, rest)),
    }
}

/// `    a_test.go:12: what it says`
fn logged<'a>(name: &'a str, text: &'a str) -> Option<SaidOfTest<'a>> {
    let rest = text.strip_prefix("    ")?.trim_start_matches(' ');
    let (file, line, said) = place(rest)?;
    let message = said.strip_prefix(": ")?;
    (file.ends_with(".go") && !file.contains(' ')).then_some(SaidOfTest { name, file, line, message })
}
