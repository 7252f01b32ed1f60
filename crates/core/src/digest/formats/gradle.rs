//! What Gradle prints. May not touch a task that did anything.

use super::super::results::{FailureEntry, ProblemResults, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{
    FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, counted, place, shortened,
};

/// Reads the output of Gradle.
#[derive(Debug, Default)]
pub(super) struct GradleReader<'a> {
    is_there: bool,
    is_wrong: bool,
    /// Whether the build ended, and whether it broke.
    ended: Option<bool>,
    reading: FormatReading,
    tests: TestResults,
    has_tests: bool,
    problems: FirstEntries,
    /// The line behind `* What went wrong:`.
    reason: Option<&'a str>,
    is_reason_next: bool,
}

impl<'a> FormatReader<'a> for GradleReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        if std::mem::take(&mut self.is_reason_next) {
            self.reason.get_or_insert(text);
        }
        if let Some(task) = text.strip_prefix("> Task :") {
            self.is_there = true;
            let did = task.split_once(' ').map(|(_, did)| did);
            if matches!(did, Some("UP-TO-DATE" | "NO-SOURCE" | "FROM-CACHE" | "SKIPPED")) {
                self.reading.leave_out(line, LeftOutKind::BuildStep, 1);
            }
        } else if let Some(verdict) = text.strip_prefix("BUILD ").filter(|rest| rest.contains(" in ")) {
            self.is_wrong |= self.ended.is_some();
            self.ended = Some(!verdict.starts_with("SUCCESSFUL"));
        } else if text == "* What went wrong:" {
            self.is_reason_next = true;
        } else if let Some(all) = completed(text) {
            self.counts(text, all);
        } else if let Some((class, name)) =
            text.strip_suffix(" FAILED").and_then(|test| test.split_once(" > "))
        {
            self.tests.fail(|| FailureEntry::named(&format!("{class} > {name}")));
        } else if let Some((what, at)) = text.strip_prefix("    ").and_then(|text| text.split_once(" at "))
            && let Some(entry) = self.tests.latest().filter(|entry| entry.message.is_none())
            && let Some((file, line, _)) = place(at)
        {
            let said = FailureEntry::at(file, line, what);
            *entry = FailureEntry { name: entry.name.take(), ..said };
        } else if let Some((file, line, rest)) = place(text)
            && let Some(said) = rest.strip_prefix(": error: ")
        {
            self.problems.push(|| FailureEntry::at(file, line, said));
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        let is_broken = self.ended == Some(true);
        self.tests.tool = "gradle";
        let failures = self.tests.named();
        let fits = !self.is_wrong
            && self.ended.is_some()
            && failures <= self.tests.failed
            && (!is_broken || self.tests.failed > 0 || self.problems.count > 0 || self.reason.is_some());
        self.reading.results = if self.has_tests {
            Some(RunResults::Tests(self.tests))
        } else {
            if self.problems.count == 0 && is_broken {
                let message = self.reason.map(shortened);
                self.problems.push(|| FailureEntry { message, ..FailureEntry::default() });
            }
            ProblemResults::of("gradle", self.problems, FirstEntries::default())
        };
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl GradleReader<'_> {
    /// `20 tests completed, 1 failed, 2 skipped`
    fn counts(&mut self, text: &str, all: u64) {
        self.has_tests = true;
        let word = |word| counted(text, word).unwrap_or_default();
        let (failed, skipped) = (word("failed"), word("skipped"));
        match all.checked_sub(failed + skipped) {
            Some(passed) => self.tests.passed += passed,
            None => self.is_wrong = true,
        }
        self.tests.failed += failed;
        self.tests.skipped += skipped;
    }
}

/// How many tests there were: `20 tests completed, 1 failed`.
fn completed(text: &str) -> Option<u64> {
    // Few lines begin with a number.
    let begins = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    if begins && text.contains(" completed, ") { counted(text, "tests") } else { None }
}
