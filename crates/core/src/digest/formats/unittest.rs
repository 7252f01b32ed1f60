//! What Python's own `unittest` prints. It says how many ran, not how many passed: what it showed must add up to it. May
//! not touch a line that does not end in `... ok`.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{
    FormatOutcome, FormatReader, FormatReading, StreamLine, labelled, leading_number, shortened,
};

/// Reads the output of `python -m unittest`.
#[derive(Debug, Default)]
pub(super) struct UnittestReader<'a> {
    is_wrong: bool,
    reading: FormatReading,
    tests: TestResults,
    /// How many were shown to pass.
    shown: u64,
    /// Behind `Ran N tests`: the verdict is to come.
    ran: Option<u64>,
    is_closed: bool,
    /// The file and line of the traceback's last step.
    place: Option<(&'a str, &'a str)>,
    is_telling: bool,
}

impl<'a> FormatReader<'a> for UnittestReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        if let Some(ran) = self.ran.filter(|_| !self.is_closed) {
            self.close(text, ran);
        } else if is_ok(text) && !self.is_telling {
            self.shown += 1;
            // Behind the end of a run a second one begins: that one is not read.
            self.is_wrong |= self.is_closed;
            self.reading.leave_out(line, LeftOutKind::PassedTest, 1);
        } else if is_row(text) && !self.is_telling && !self.is_closed {
            self.shown += text.bytes().filter(|byte| *byte == b'.').count() as u64;
        } else if let Some(rest) = text.strip_prefix("Ran ").filter(|rest| rest.contains(" test")) {
            self.is_wrong |= self.is_closed;
            self.ran = leading_number(rest);
        } else {
            self.telling(text);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = "unittest";
        let fits = !self.is_wrong && self.is_closed && self.shown == self.tests.passed;
        let is_there = self.shown > 0 && (self.reading.knows_any() || self.ran.is_some());
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(is_there, fits, self.reading)
    }
}

impl<'a> UnittestReader<'a> {
    fn telling(&mut self, text: &'a str) {
        if text.len() == 70 && text.bytes().all(|byte| byte == b'=') {
            self.is_telling = true;
        } else if let Some(name) = text.strip_prefix("FAIL: ").or_else(|| text.strip_prefix("ERROR: ")) {
            if self.is_telling {
                self.tests.fail(|| FailureEntry::named(name));
            }
        } else if let Some((file, rest)) =
            text.strip_prefix("  File \"").and_then(|rest| rest.split_once("\", line "))
        {
            self.place = Some((file, &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()]));
        } else if let Some((file, line)) =
            self.place.filter(|_| text.contains(": ") && !text.starts_with(' '))
            && let Some(entry) = self.tests.latest()
        {
            let said = FailureEntry::at(file, line, &shortened(text));
            *entry = FailureEntry { name: entry.name.take(), ..said };
            self.place = None;
        }
    }

    /// `OK`, `OK (skipped=1)`, `FAILED (failures=1, errors=2)`
    fn close(&mut self, text: &str, ran: u64) {
        if text.is_empty() {
            return;
        }
        let counts = text.strip_prefix("OK").or_else(|| text.strip_prefix("FAILED"));
        let Some(counts) = counts.filter(|rest| rest.is_empty() || rest.starts_with(" (")) else {
            return self.is_wrong = true;
        };
        let word = |word| labelled(counts, word).unwrap_or_default();
        let (expected, surprising) = (word("expected failures="), word("unexpected successes="));
        // `unexpected successes=` holds no other word, `expected failures=` holds `failures=`.
        let failed = labelled(&counts.replace("expected failures=", ""), "failures=").unwrap_or_default();
        let (errors, skipped) = (word("errors="), word("skipped="));
        self.tests.failed = failed + surprising;
        self.tests.errors = errors;
        self.tests.skipped = skipped;
        match ran.checked_sub(self.tests.failed + errors + skipped + expected) {
            Some(passed) => self.tests.passed = passed,
            None => self.is_wrong = true,
        }
        self.is_closed = true;
    }
}

/// `test_a (module.Class.test_a) ... ok`
fn is_ok(text: &str) -> bool {
    text.strip_suffix(" ... ok").is_some_and(|name| !name.is_empty())
}

/// A letter for each test, as it is printed without `-v`.
fn is_row(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'.' | b'F' | b'E' | b's' | b'x' | b'u'))
}
