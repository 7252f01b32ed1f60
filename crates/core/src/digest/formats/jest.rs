//! What jest and vitest print: files, tests below them, and counts at the end. May not touch a line that does not begin
//! with a check mark.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{FormatOutcome, FormatReader, FormatReading, StreamLine, counted, place, shortened};
use std::collections::HashSet;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JestKind {
    Jest,
    Vitest,
}

/// Reads the output of jest or vitest.
#[derive(Debug)]
pub(super) struct JestReader<'a> {
    kind: JestKind,
    is_there: bool,
    is_wrong: bool,
    is_closed: bool,
    reading: FormatReading,
    tests: TestResults,
    /// Files that could not be run.
    broken_files: u64,
    /// Files that failed, by the closing lines.
    failed_files: Option<u64>,
    file: Option<&'a str>,
    /// The failures so far: jest tells them again at the end of a long run.
    told: HashSet<(Option<&'a str>, &'a str)>,
}

impl<'a> FormatReader<'a> for JestReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        if self.opens(text) {
            self.is_wrong |= self.is_closed && self.kind == JestKind::Vitest;
            (self.is_there, self.is_closed) = (true, false);
        } else if self.is_closed {
            self.unhandled(text);
        } else if !self.is_there {
        } else if let Some(name) = text.trim_start().strip_prefix("✓ ") {
            let indented = text.starts_with("  ") || self.kind == JestKind::Vitest && text.starts_with(' ');
            if indented {
                self.reading.leave_out(line, LeftOutKind::PassedTest, self.tests_in(text, name));
            }
        } else {
            self.failing(text);
            self.closing(text);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = if self.kind == JestKind::Jest { "jest" } else { "vitest" };
        let failed_files = self.failed_files.unwrap_or_default();
        let unexplained = if self.tests.failed == 0 { failed_files } else { 0 };
        self.tests.errors += self.broken_files.max(unexplained);
        let fits = !self.is_wrong
            && self.is_closed
            && self.failed_files.is_some()
            && self.broken_files <= failed_files
            && self.reading.count(LeftOutKind::PassedTest) <= self.tests.passed;
        let most = self.tests.failed + self.tests.errors;
        self.tests.failures.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        self.tests.cut = self.tests.cut.min(most - self.tests.failures.len() as u64);
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> JestReader<'a> {
    pub(super) fn new(kind: JestKind) -> Self {
        Self {
            kind,
            is_there: false,
            is_wrong: false,
            is_closed: false,
            reading: FormatReading::default(),
            tests: TestResults::default(),
            broken_files: 0,
            failed_files: None,
            file: None,
            told: HashSet::new(),
        }
    }

    fn opens(&mut self, text: &'a str) -> bool {
        match self.kind {
            JestKind::Vitest => text.trim_start().starts_with("RUN  v"),
            JestKind::Jest => {
                let file = text.strip_prefix("PASS ").or_else(|| text.strip_prefix("FAIL "));
                // `FAIL a.test.js (5.2 s)`
                let file = file.map(|file| file.split(" (").next().unwrap_or(file));
                let file = file.filter(|file| !file.is_empty() && !file.contains(' '));
                self.file = file.or(self.file);
                file.is_some()
            }
        }
    }

    /// `✓ t/b.test.js (12 tests | 2 skipped) 3ms` stands for as many tests as passed in it.
    fn tests_in(&self, text: &str, name: &str) -> usize {
        let Some((file, counts)) = name.rsplit_once(" (").filter(|_| self.kind == JestKind::Vitest) else {
            return 1;
        };
        let is_file = text.starts_with(" ✓") && (file.contains('.') || file.contains('/'));
        let all = counted(counts, "tests").or_else(|| counted(counts, "test")).filter(|_| is_file);
        let passed = all.map(|all| all.saturating_sub(counted(counts, "skipped").unwrap_or_default()));
        passed.map_or(1, |passed| usize::try_from(passed).unwrap_or(usize::MAX))
    }

    fn failing(&mut self, text: &'a str) {
        let trimmed = text.trim_start();
        match self.kind {
            JestKind::Jest => self.failing_in_jest(text, trimmed),
            JestKind::Vitest => {
                if let Some((file, counts)) =
                    trimmed.strip_prefix("❯ ").and_then(|rest| rest.split_once(" ("))
                {
                    self.file = Some(file);
                    if counts.starts_with("0 test") {
                        self.broken_files += 1;
                        let file = || Some(file.to_owned());
                        self.tests.fail(|| FailureEntry { file: file(), ..FailureEntry::default() });
                    }
                } else if let Some(name) = trimmed.strip_prefix("× ") {
                    let name = without_time(name);
                    let file = self.file;
                    self.tests
                        .fail(|| FailureEntry { file: file.map(str::to_owned), ..FailureEntry::named(name) });
                } else if let Some(said) = trimmed.strip_prefix("→ ")
                    && let Some(entry) = self.tests.latest()
                {
                    entry.message.get_or_insert_with(|| shortened(said));
                }
            }
        }
    }

    fn failing_in_jest(&mut self, text: &'a str, trimmed: &'a str) {
        if let Some(name) = text.strip_prefix("  ● ") {
            let file = self.file;
            if !name.starts_with("Console") && self.told.insert((file, name)) {
                self.broken_files += u64::from(name == "Test suite failed to run");
                self.tests
                    .fail(|| FailureEntry { file: file.map(str::to_owned), ..FailureEntry::named(name) });
            }
        } else if let Some(entry) = self.tests.latest() {
            if let Some(at) =
                trimmed.strip_prefix("at ").and_then(|rest| rest.rsplit_once('(')).map(|(_, at)| at)
            {
                if entry.line.is_none()
                    && let Some((_, line, _)) = place(at)
                {
                    entry.line = line.parse().ok();
                }
            } else if !trimmed.is_empty() {
                entry.message.get_or_insert_with(|| shortened(trimmed));
            }
        }
    }

    /// `Tests:       1 failed, 150 passed, 151 total`, `      Tests  1 failed | 150 passed (151)`
    fn closing(&mut self, text: &str) {
        let (files, tests) = match self.kind {
            JestKind::Jest => ("Test Suites: ", "Tests: "),
            JestKind::Vitest => ("Test Files  ", "Tests  "),
        };
        let trimmed = if self.kind == JestKind::Vitest { text.trim_start() } else { text };
        let number = |text: &str, word| counted(text, word).unwrap_or_default();
        if let Some(counts) = trimmed.strip_prefix(files) {
            self.failed_files = Some(self.failed_files.unwrap_or_default() + number(counts, "failed"));
        } else if let Some(counts) = trimmed.strip_prefix(tests) {
            let skipped = number(counts, "skipped") + number(counts, "todo");
            let (passed, failed) = (number(counts, "passed"), number(counts, "failed"));
            let total = counted(counts, "total")
                .or_else(|| counts.trim_end().strip_suffix(')')?.rsplit_once('(')?.1.parse().ok());
            let is_none = counts.trim() == "no tests";
            self.is_wrong |= total != Some(passed + failed + skipped) && !is_none;
            self.tests.passed += passed;
            self.tests.failed += failed;
            self.tests.skipped += skipped;
            self.is_closed = true;
        }
    }

    /// `     Errors  1 error`: what no test was there to catch.
    fn unhandled(&mut self, text: &str) {
        if let Some(counts) =
            text.trim_start().strip_prefix("Errors  ").filter(|_| self.kind == JestKind::Vitest)
        {
            self.tests.errors +=
                counted(counts, "error").or_else(|| counted(counts, "errors")).unwrap_or_default();
        }
    }
}

/// `case 77 6ms`
fn without_time(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((name, time)) if time.strip_suffix("ms").is_some_and(|time| time.parse::<u64>().is_ok()) => name,
        _ => name,
    }
}
