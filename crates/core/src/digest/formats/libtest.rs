//! What Rust's own test harness prints: `running N tests` to `test result:`, once for each binary. May not touch anything
//! between `failures:` and the result.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{FormatOutcome, FormatReader, FormatReading, SaidOfTest, StreamLine, counted, place};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Where in a binary's output the reader is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum LibtestState {
    #[default]
    Outside,
    /// Behind `running N tests`.
    Running(u64),
    /// Behind the first `failures:` or `successes:`.
    Telling(u64),
}

/// Reads the output of `cargo test`.
#[derive(Debug, Default)]
pub(super) struct LibtestReader<'a> {
    state: LibtestState,
    is_there: bool,
    is_wrong: bool,
    reading: FormatReading,
    tests: TestResults,
    /// What was said about the panic whose message is on the next line.
    panicked: Option<SaidOfTest<'a>>,
    said: Vec<SaidOfTest<'a>>,
}

impl<'a> FormatReader<'a> for LibtestReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        self.message(text);
        match self.state {
            LibtestState::Outside => match announced(text) {
                Some(tests) => (self.state, self.is_there) = (LibtestState::Running(tests), true),
                None => self.is_wrong |= text.starts_with("test result: ") && self.is_there,
            },
            LibtestState::Running(tests) => {
                // A binary that died is followed by the next one's opening line.
                self.is_wrong |= announced(text).is_some();
                if matches!(text, "failures:" | "successes:") {
                    self.state = LibtestState::Telling(tests);
                } else if !self.close(text, tests) {
                    self.result(line);
                }
            }
            LibtestState::Telling(tests) => drop(self.close(text, tests)),
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = "cargo test";
        self.tests.explain(&self.said);
        let fits = !self.is_wrong
            && self.state == LibtestState::Outside
            && self.reading.count(LeftOutKind::PassedTest) <= self.tests.passed
            && self.tests.named() <= self.tests.failed;
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> LibtestReader<'a> {
    /// `test NAME ... ok` and its kin, and rows of dots.
    fn result(&mut self, line: &StreamLine<'a>) {
        if let Some((name, result)) = line.text.strip_prefix("test ").and_then(name_and_result) {
            let result = match memchr::memchr(b'<', result.as_bytes()) {
                Some(time) => result[..time].trim_ascii_end(),
                None => result,
            };
            match result {
                "ok" => self.reading.leave_out(line, LeftOutKind::PassedTest, 1),
                "FAILED" => self.tests.fail(|| FailureEntry::named(name)),
                _ if result == "ignored" || result.starts_with("ignored, ") => {
                    self.reading.leave_out(line, LeftOutKind::IgnoredTest, 1);
                }
                _ => {}
            }
        } else if let Some(name) = line.text.strip_suffix(" --- FAILED") {
            self.tests.fail(|| FailureEntry::named(name));
        } else if let Some((passed, _)) = row(line.text) {
            self.reading.leave_out(line, LeftOutKind::PassedTest, passed);
        }
    }

    /// Takes the line that ends a binary's output.
    fn close(&mut self, text: &str, announced: u64) -> bool {
        let Some(result) = text.strip_prefix("test result: ") else { return false };
        let counts = ["passed", "failed", "ignored", "measured"].map(|word| counted(result, word));
        if let [Some(passed), Some(failed), Some(ignored), Some(measured)] = counts {
            self.is_wrong |= passed + failed + ignored + measured != announced;
            self.is_wrong |= result.starts_with("ok.") != (failed == 0);
            self.tests.passed += passed + measured;
            self.tests.failed += failed;
            self.tests.skipped += ignored;
        } else {
            self.is_wrong = true;
        }
        self.state = LibtestState::Outside;
        true
    }

    /// `thread 'NAME' panicked at FILE:LINE:COLUMN:`, and the line behind it.
    fn message(&mut self, text: &'a str) {
        if let Some(said) = self.panicked.take() {
            self.said.push(SaidOfTest { message: text, ..said });
        }
        self.panicked = panic_line(text);
    }
}

/// The test and the place of a panic. Its message is on the next line.
pub(super) fn panic_line(text: &str) -> Option<SaidOfTest<'_>> {
    let (name, rest) = text.trim_ascii_start().strip_prefix("thread '")?.split_once('\'')?;
    let (file, line, _) = place(rest.split_once("panicked at ")?.1)?;
    Some(SaidOfTest { name, file, line, message: "" })
}

/// `NAME ... ok`
fn name_and_result(text: &str) -> Option<(&str, &str)> {
    const BETWEEN: &str = " ... ";
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(BETWEEN));
    let at = FINDER.find(text.as_bytes())?;
    Some((&text[..at], &text[at + BETWEEN.len()..]))
}

fn announced(text: &str) -> Option<u64> {
    let count = text.strip_prefix("running ")?;
    count.strip_suffix(" tests").or_else(|| count.strip_suffix(" test"))?.parse().ok()
}

/// How many passed and were ignored in a row of dots, with or without `87/401` at its end.
fn row(text: &str) -> Option<(usize, usize)> {
    let (dots, count) = text.split_once(' ').unwrap_or((text, "0/0"));
    let (done, all) = count.split_once('/')?;
    let is_count = [done, all].iter().all(|number| number.parse::<u64>().is_ok());
    let is_row = !dots.is_empty() && dots.bytes().all(|byte| matches!(byte, b'.' | b'i'));
    let passed = dots.bytes().filter(|byte| *byte == b'.').count();
    (is_count && is_row).then_some((passed, dots.len() - passed))
}
