//! What `cargo nextest` prints. A run that it cancelled is no whole run. May not touch any status but `PASS`.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::libtest::panic_line;
use super::reader::{
    FormatOutcome, FormatReader, FormatReading, SaidOfTest, StreamLine, counted, leading_number,
};

/// Reads the output of `cargo nextest run`.
#[derive(Debug, Default)]
pub(super) struct NextestReader<'a> {
    is_there: bool,
    is_wrong: bool,
    announced: Option<u64>,
    summaries: u64,
    reading: FormatReading,
    tests: TestResults,
    panicked: Option<SaidOfTest<'a>>,
    said: Vec<SaidOfTest<'a>>,
}

impl<'a> FormatReader<'a> for NextestReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text.trim_ascii_start();
        self.message(text);
        if line.text.starts_with(" Nextest run ") {
            self.is_there = true;
        } else if let Some(rest) = text.strip_prefix("Starting ").filter(|rest| rest.contains(" test")) {
            (self.is_there, self.announced) = (true, leading_number(rest));
        } else if self.is_there && self.summaries == 0 && line.text.starts_with("        PASS [") {
            self.reading.leave_out(line, LeftOutKind::PassedTest, 1);
        } else if let Some(rest) = line.text.strip_prefix("     Summary [").filter(|_| self.is_there) {
            self.summary(rest);
        } else if self.summaries > 0
            && let Some((status, rest)) = text.split_once(" [")
            && let Some((_, name)) = rest.split_once("] ")
            && is_bad(status)
        {
            // `(238/401) widget tests::case_237`
            let name = name.trim_start();
            let name =
                name.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(name, |(_, name)| name);
            self.tests.fail(|| FailureEntry::named(name));
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = "cargo nextest";
        self.tests.explain(&self.said);
        let fits = !self.is_wrong
            && self.summaries == 1
            && self.announced == Some(self.tests.passed + self.tests.failed)
            && self.reading.count(LeftOutKind::PassedTest) <= self.tests.passed
            && self.tests.named() <= self.tests.failed;
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> NextestReader<'a> {
    /// `   3.485s] 401 tests run: 400 passed (1 slow), 1 failed, 1 skipped`
    fn summary(&mut self, rest: &str) {
        self.summaries += 1;
        let Some((_, counts)) = rest.split_once("] ") else { return self.is_wrong = true };
        let (Some(run), Some(passed)) = (leading_number(counts), counted(counts, "passed")) else {
            return self.is_wrong = true;
        };
        let word = |word| counted(counts, word).unwrap_or_default();
        self.tests.passed = passed;
        self.tests.failed = word("failed") + word("timed") + word("exec");
        self.tests.skipped = word("skipped");
        self.is_wrong |=
            run != passed + self.tests.failed || counts.contains("tests run:") && counts.contains("/");
    }

    fn message(&mut self, text: &'a str) {
        if let Some(said) = self.panicked.take() {
            self.said.push(SaidOfTest { message: text, ..said });
        }
        self.panicked = panic_line(text);
    }
}

/// Statuses in the list behind the summary that say that a test did not pass.
fn is_bad(status: &str) -> bool {
    let status = status.rsplit(' ').next().unwrap_or(status);
    matches!(status, "FAIL" | "TIMEOUT" | "XFAIL" | "ABORT") || status.starts_with("SIG")
}
