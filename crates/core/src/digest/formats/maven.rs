//! What Maven prints. May not touch anything but the downloads.

use super::super::results::{FailureEntry, ProblemResults, RunResults, TestResults};
use super::super::tally::LeftOutKind;
use super::reader::{FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, labelled, place};
use std::collections::HashSet;

/// Reads the output of Maven.
#[derive(Debug, Default)]
pub(super) struct MavenReader<'a> {
    is_there: bool,
    is_wrong: bool,
    /// Whether the build ended, and whether it broke.
    ended: Option<bool>,
    reading: FormatReading,
    tests: TestResults,
    has_tests: bool,
    /// Behind `Results:`: the failures of a module, and then its counts.
    is_telling: bool,
    problems: FirstEntries,
    /// Those lines: Maven says them twice.
    said: HashSet<&'a str>,
    /// The first error that says why the build broke.
    reason: Option<&'a str>,
}

impl<'a> FormatReader<'a> for MavenReader<'a> {
    fn line(&mut self, line: &StreamLine<'a>) {
        let text = line.text;
        let info = text.strip_prefix("[INFO] ");
        if info.is_some_and(|text| text.starts_with("Scanning for projects")) {
            self.is_wrong |= self.is_there && self.ended.is_none();
            self.is_there = true;
        } else if !self.is_there {
        } else if info
            .is_some_and(|text| text.starts_with("Downloading from ") || text.starts_with("Downloaded from "))
        {
            self.reading.leave_out(line, LeftOutKind::Progress, 1);
        } else if let Some(verdict) = info.and_then(|text| text.strip_prefix("BUILD ")) {
            self.is_wrong |= self.ended.is_some();
            self.ended = Some(verdict != "SUCCESS");
        } else if info.is_some_and(|text| text == "Results:") {
            self.is_telling = true;
        } else if self.is_telling && text.contains("Tests run: ") && !text.contains("Time elapsed:") {
            self.counts(text);
        } else if let Some(text) = text.strip_prefix("[ERROR] ") {
            self.error(text);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        let is_broken = self.ended == Some(true);
        self.tests.tool = "maven";
        let bad = self.tests.failed + self.tests.errors;
        let is_explained = bad > 0 || self.problems.count > 0 || self.reason.is_some();
        let fits = !self.is_wrong && self.ended.is_some() && (!is_broken || is_explained);
        if self.problems.count == 0 && bad == 0 && is_broken {
            let message = self.reason.map(super::reader::shortened);
            self.problems.push(|| FailureEntry { message, ..FailureEntry::default() });
        }
        self.reading.results = if self.has_tests && (bad > 0 || !is_broken) {
            Some(RunResults::Tests(self.tests))
        } else {
            ProblemResults::of("maven", self.problems, FirstEntries::default())
        };
        FormatOutcome::of(self.is_there, fits, self.reading)
    }
}

impl<'a> MavenReader<'a> {
    /// `Tests run: 20, Failures: 1, Errors: 0, Skipped: 0`
    fn counts(&mut self, text: &str) {
        (self.is_telling, self.has_tests) = (false, true);
        let labels = ["Tests run:", "Failures:", "Errors:", "Skipped:"];
        let [Some(run), Some(failed), Some(errors), Some(skipped)] =
            labels.map(|label| labelled(text, label))
        else {
            return self.is_wrong = true;
        };
        match run.checked_sub(failed + errors + skipped) {
            Some(passed) => self.tests.passed += passed,
            None => self.is_wrong = true,
        }
        self.tests.failed += failed;
        self.tests.errors += errors;
        self.tests.skipped += skipped;
    }

    fn error(&mut self, text: &'a str) {
        if self.is_telling {
            // `  WidgetTest.case13:16 expected:<13> but was:<-1>`
            let name = text.trim_start();
            if text.starts_with("  ")
                && let Some((name, line, said)) = place(name)
            {
                let said = || FailureEntry::at("", line, said);
                self.tests.fail(|| FailureEntry { name: Some(name.to_owned()), file: None, ..said() });
            }
        } else if let Some((file, rest)) = text.split_once(":[")
            && let Some((line, said)) = rest.split_once("] ")
        {
            let line = line.split(',').next().unwrap_or(line);
            if self.said.insert(text) {
                self.problems.push(|| FailureEntry::at(file, line, said));
            }
        } else if text.starts_with("Failed to execute goal ") || text.contains(" could not be resolved") {
            self.reason.get_or_insert(text);
        }
    }
}
