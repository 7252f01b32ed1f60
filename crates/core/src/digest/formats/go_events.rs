//! What `go test -json` prints: one event on each line, with the test that it is of. May not touch an event of a test that
//! did not pass, nor a line that is no event.

use super::super::results::{FailureEntry, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{
    FormatOutcome, FormatReader, FormatReading, HarmlessLines, StreamLine, place, shortened,
};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// One line.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GoEvent<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
    #[serde(borrow, default)]
    package: Cow<'a, str>,
    #[serde(borrow, default)]
    test: Cow<'a, str>,
    #[serde(borrow, default)]
    output: Cow<'a, str>,
}

/// Whose events: the package and the test.
type TestKey<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Reads the output of `go test -json`.
#[derive(Debug, Default)]
pub(super) struct GoEventReader<'a> {
    is_there: bool,
    is_wrong: bool,
    reading: FormatReading,
    tests: TestResults,
    running: HashMap<TestKey<'a>, Vec<HarmlessLines>>,
    said: HashMap<TestKey<'a>, FailureEntry>,
    /// Packages that have not ended, and whether a test of theirs failed.
    packages: HashMap<Cow<'a, str>, bool>,
}

impl<'a> FormatReader<'a> for GoEventReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        if !line.text.starts_with("{\"") {
            return;
        }
        let Ok(event) = serde_json::from_str::<GoEvent<'a>>(line.text) else { return };
        self.is_there |= line.text.starts_with("{\"Time\"");
        if event.test.is_empty() {
            self.package(&event);
        } else {
            self.test(event, line);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        self.tests.tool = "go test";
        let fits = !self.is_wrong && self.running.is_empty() && self.packages.is_empty();
        self.reading.results = Some(RunResults::Tests(self.tests));
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> GoEventReader<'a> {
    fn test(&mut self, event: GoEvent<'a>, line: &StreamLine<'a>) {
        let failed = self.packages.entry(event.package.clone()).or_default();
        let key = (event.package, event.test);
        match &*event.action {
            "pass" => {
                self.tests.passed += 1;
                self.reading.harmless.extend(self.running.remove(&key).unwrap_or_default());
                self.reading.leave_out(line, LeftOutKind::PassedTest, 1);
            }
            "skip" => {
                self.tests.skipped += 1;
                self.running.remove(&key);
            }
            "fail" => {
                *failed = true;
                self.tests.failed += 1;
                self.running.remove(&key);
                let said = self.said.remove(&key).unwrap_or_default();
                self.tests.fail(|| FailureEntry { name: Some(shortened(&key.1)), ..said });
            }
            "run" | "pause" | "cont" | "output" => {
                if let Some((file, at, rest)) = place(event.output.trim())
                    && let Some(said) = rest.strip_prefix(": ")
                {
                    self.said.insert(key.clone(), FailureEntry::at(file, at, said));
                }
                let kept = self.running.entry(key).or_default();
                if let Some(line) = HarmlessLines::of(line, LeftOutKind::TestOutput, 1) {
                    line.push(kept);
                }
            }
            // An action that is not known yet.
            _ => drop(self.running.remove(&key)),
        }
    }

    fn package(&mut self, event: &GoEvent<'a>) {
        match &*event.action {
            "pass" | "skip" | "fail" => {
                let failed = self.packages.remove(&event.package).unwrap_or_default();
                let is_fail = event.action == "fail";
                self.is_wrong |= failed && !is_fail;
                if is_fail && !failed {
                    self.tests.errors += 1;
                    self.tests.fail(|| FailureEntry::named(&event.package));
                }
                // What was still running when its package ended has no end.
                let before = self.running.len();
                self.running.retain(|(package, _), _| *package != event.package);
                self.is_wrong |= !is_fail && self.running.len() != before;
            }
            "start" => drop(self.packages.entry(event.package.clone()).or_default()),
            _ => {}
        }
    }
}
