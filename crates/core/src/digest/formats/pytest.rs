//! What pytest prints: `test session starts` to the line with counts and time. May not touch anything behind the first
//! heading of a report.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{
    FormatOutcome, FormatReader, FormatReading, StreamLine, counted, leading_number, place, shortened,
};

/// Where in a session the reader is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum PytestState {
    #[default]
    Outside,
    /// Behind the opening line.
    Running,
    /// Behind the first heading of a report.
    Telling,
}

/// Reads the output of pytest.
#[derive(Debug, Default)]
pub(super) struct PytestReader<'a> {
    state: PytestState,
    is_there: bool,
    is_wrong: bool,
    /// How many tests are to be run; unknown until it says so.
    selected: Option<u64>,
    /// Modules that were skipped as a whole are no items.
    skipped_modules: u64,
    reading: FormatReading,
    tests: TestResults,
    /// `FILE:LINE: WHAT` at the end of each failure, in order.
    places: Vec<(&'a str, &'a str)>,
}

impl<'a> FormatReader<'a> for PytestReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        let heading = heading(text);
        if heading == Some("test session starts") {
            self.is_wrong |= self.state != PytestState::Outside;
            (self.state, self.is_there) = (PytestState::Running, true);
            (self.selected, self.skipped_modules) = (None, 0);
            return;
        }
        match self.state {
            PytestState::Outside => {}
            _ if heading.is_some_and(is_closing) => self.close(heading.unwrap_or_default()),
            PytestState::Running if heading.is_some() => self.state = PytestState::Telling,
            PytestState::Running => self.running(line),
            PytestState::Telling => self.telling(text),
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = "pytest";
        for entry in &mut self.tests.failures {
            let file = entry.file.as_deref().unwrap_or_default();
            if let Some(at) = self.places.iter().position(|(known, _)| known.ends_with(file)) {
                entry.line = self.places.remove(at).1.parse().ok();
            }
        }
        let fits = !self.is_wrong
            && self.state == PytestState::Outside
            && self.reading.count(LeftOutKind::PassedTest) <= self.tests.passed
            && self.tests.named() <= self.tests.failed + self.tests.errors;
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> PytestReader<'a> {
    fn running(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        let collected = text.strip_prefix("collecting ... ").unwrap_or(text);
        if let Some(counts) = collected.strip_prefix("collected ") {
            let word = |word| counted(counts, word).unwrap_or_default();
            self.selected = leading_number(counts).and_then(|all| all.checked_sub(word("deselected")));
            self.skipped_modules = word("skipped");
        } else if is_passed(text) {
            self.reading.leave_out(line, LeftOutKind::PassedTest, 1);
        } else if let Some(passed) = row(text) {
            self.reading.leave_out(line, LeftOutKind::PassedTest, passed);
        }
    }

    /// `FAILED FILE::NAME - MESSAGE`, `ERROR FILE - MESSAGE`, and where it was.
    fn telling(&mut self, text: &'a str) {
        if let Some(rest) = text.strip_prefix("FAILED ").or_else(|| text.strip_prefix("ERROR ")) {
            let (name, message) = rest.split_once(" - ").unwrap_or((rest, ""));
            let file = name.split("::").next().unwrap_or(name);
            self.tests.fail(|| FailureEntry {
                name: Some(shortened(name)),
                file: Some(file.to_owned()),
                line: None,
                message: (!message.is_empty()).then(|| shortened(message)),
            });
        } else if let Some((file, line, rest)) = place(text)
            && file.ends_with(".py")
            && !file.contains(' ')
            && rest.strip_prefix(": ").is_some_and(|what| !what.contains(' '))
        {
            self.places.push((file, line));
        }
    }

    /// `1 failed, 400 passed, 1 skipped, 1 xfailed, 1 warning in 1.13s`
    fn close(&mut self, counts: &str) {
        self.state = PytestState::Outside;
        let word = |word| counted(counts, word).unwrap_or_default();
        let errors = word("errors") + word("error");
        let (passed, failed, skipped) = (word("passed"), word("failed"), word("skipped"));
        let ran = passed + failed + skipped + word("xfailed") + word("xpassed");
        let is_interrupted = ran == 0 && errors > 0;
        let fits = self.selected.map(|selected| selected + self.skipped_modules).is_some_and(|selected| {
            // A test whose end broke down has passed and is an error.
            ran <= selected && selected <= ran + errors
        });
        self.is_wrong |= !fits && !is_interrupted;
        self.tests.passed += passed;
        self.tests.failed += failed;
        self.tests.errors += errors;
        self.tests.skipped += skipped;
    }
}

/// The words between `=` signs.
fn heading(text: &str) -> Option<&str> {
    let words = text.strip_prefix('=')?.strip_suffix('=')?.trim_matches('=');
    words.strip_prefix(' ')?.strip_suffix(' ')
}

/// Counts and a time: `3 passed in 0.12s`, with `(0:01:02)` behind where it took longer.
fn is_closing(heading: &str) -> bool {
    let Some((counts, time)) = heading.rsplit_once(" in ") else { return false };
    let time = time.split(' ').next().unwrap_or(time);
    let seconds = time.strip_suffix('s').is_some_and(|seconds| seconds.parse::<f64>().is_ok());
    seconds && (leading_number(counts).is_some() || counts.starts_with("no tests ran"))
}

/// `FILE::NAME PASSED [ 12%]`, or `[gw0] [ 12%] PASSED FILE::NAME`.
fn is_passed(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix("[gw") {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        return rest.strip_prefix("] [").and_then(|rest| rest.split_once("%] PASSED ")).is_some();
    }
    let Some(before) = percent(text) else { return false };
    before.strip_suffix(" PASSED").is_some_and(|name| name.contains("::"))
}

/// What stands before `[ 12%]` at the end.
fn percent(text: &str) -> Option<&str> {
    let (before, percent) = text.strip_suffix("%]")?.rsplit_once('[')?;
    percent.trim_start().parse::<u8>().ok()?;
    Some(before.trim_end())
}

/// How many passed in a row of dots; nothing where one in it did not.
fn row(text: &str) -> Option<usize> {
    let before = percent(text)?;
    let dots = match before.rsplit_once(' ') {
        Some((file, dots)) if file.ends_with(".py") => dots,
        Some(_) => return None,
        None => before,
    };
    let is_row = !dots.is_empty() && dots.bytes().all(|byte| matches!(byte, b'.' | b's' | b'x'));
    is_row.then(|| dots.bytes().filter(|byte| *byte == b'.').count())
}
