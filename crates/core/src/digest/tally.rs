//! How many lines of which kind a digest left out, in one sentence. May not be told per test.

use std::fmt;
use std::ops::Range;

/// What the lines were that were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeftOutKind {
    /// A test that passed.
    PassedTest,
    /// A test that was not run.
    IgnoredTest,
    /// What a test that passed printed, and words about its course.
    TestOutput,
    /// Steps of a build.
    BuildStep,
    /// Downloads and other progress.
    Progress,
}

impl LeftOutKind {
    fn words(self, many: bool) -> &'static str {
        match (self, many) {
            (Self::PassedTest, false) => "passed test",
            (Self::PassedTest, true) => "passed tests",
            (Self::IgnoredTest, _) => "ignored",
            (Self::TestOutput, false) => "line of such tests",
            (Self::TestOutput, true) => "lines of such tests",
            (Self::BuildStep, false) => "step of the build",
            (Self::BuildStep, true) => "steps of the build",
            (Self::Progress, false) => "line of progress",
            (Self::Progress, true) => "lines of progress",
        }
    }
}

/// Counts of what was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LeftOutTally(Vec<(LeftOutKind, usize)>);

impl LeftOutTally {
    pub(super) fn add(&mut self, kind: LeftOutKind, count: usize) {
        match self.0.binary_search_by_key(&kind, |(known, _)| *known) {
            Ok(at) => self.0[at].1 += count,
            Err(at) => self.0.insert(at, (kind, count)),
        }
    }

    /// How many there are of a kind.
    pub(super) fn count(&self, kind: LeftOutKind) -> usize {
        self.0.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The lines of a stream that a digest leaves out.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOutLines {
    /// Whole lines, in order, none overlapping another.
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) tally: LeftOutTally,
}

impl LeftOutLines {
    /// Leaves out a line behind all others so far. It stands for so many of its kind.
    pub(super) fn push(&mut self, line: Range<usize>, kind: LeftOutKind, count: usize) {
        self.tally.add(kind, count);
        match self.ranges.last_mut() {
            Some(last) if last.end == line.start => last.end = line.end,
            _ => self.ranges.push(line),
        }
    }
}

impl fmt::Display for LeftOutTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (kind, count)) in self.0.iter().enumerate() {
            let between = if at == 0 { "" } else { ", " };
            write!(f, "{between}{count} {}", kind.words(*count != 1))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_gathered_in_one_sentence() {
        let mut tally = LeftOutTally::default();
        tally.add(LeftOutKind::IgnoredTest, 1);
        tally.add(LeftOutKind::PassedTest, 398);
        tally.add(LeftOutKind::PassedTest, 1);
        assert_eq!(tally.to_string(), "399 passed tests, 1 ignored");
    }
}
