//! What a known tool counted, in the words of every tool alike. Right or absent: may not be made from half a run.

use serde::Serialize;

/// How many entries a list has at most.
pub const MOST_ENTRIES: usize = 50;

/// What a tool counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RunResults {
    /// Tests.
    Tests(TestResults),
    /// Errors and warnings of a compiler, a linter or a build.
    Problems(ProblemResults),
}

/// What a test runner counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TestResults {
    /// The runner.
    pub tool: &'static str,
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// What could not be run: modules that do not load, builds that broke.
    pub errors: u64,
    /// Tests that were not run on purpose.
    pub skipped: u64,
    /// What failed, in the order of the output.
    pub failures: Vec<FailureEntry>,
    /// How many failures stand not in the list.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: u64,
}

/// What a compiler or linter counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProblemResults {
    /// The tool.
    pub tool: &'static str,
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// The first of them.
    pub first: Vec<FailureEntry>,
    /// How many stand not in the list.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: u64,
}

/// One failure, as far as the output says it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FailureEntry {
    /// The test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl RunResults {
    /// Failures and errors.
    pub fn bad(&self) -> u64 {
        match self {
            Self::Tests(tests) => tests.failed + tests.errors,
            Self::Problems(problems) => problems.errors,
        }
    }

    /// The sentence for an exit code of 0 that hides failures.
    pub(super) fn note(&self) -> Option<String> {
        let (count, one, many) = match self {
            Self::Tests(tests) if tests.failed > 0 => (tests.failed, "test failed", "tests failed"),
            Self::Tests(tests) => (tests.errors, "error was counted", "errors were counted"),
            Self::Problems(problems) => (problems.errors, "error was counted", "errors were counted"),
        };
        let words = if count == 1 { one } else { many };
        (count > 0).then(|| format!("the command ended with 0 although {count} {words}"))
    }

    fn list(&mut self) -> (&mut Vec<FailureEntry>, &mut u64) {
        match self {
            Self::Tests(tests) => (&mut tests.failures, &mut tests.cut),
            Self::Problems(problems) => (&mut problems.first, &mut problems.cut),
        }
    }

    /// The same with as many entries as take no more than this many characters in any form; nothing if even the counts
    /// take more.
    pub(super) fn within(mut self, room: usize) -> Option<Self> {
        let (list, cut) = self.list();
        if list.len() > MOST_ENTRIES {
            *cut += (list.len() - MOST_ENTRIES) as u64;
            list.truncate(MOST_ENTRIES);
        }
        loop {
            if self.cost() <= room {
                return Some(self);
            }
            let (list, cut) = self.list();
            list.pop()?;
            *cut += 1;
        }
    }

    /// An upper bound of what it takes as JSON or YAML.
    pub(super) fn cost(&self) -> usize {
        // YAML has a line and its indentation where JSON has quotes and a comma.
        const LINE: usize = 8;
        let json = serde_json::to_string(self).map_or(usize::MAX / 2, |json| json.chars().count());
        let entries = match self {
            Self::Tests(tests) => &tests.failures,
            Self::Problems(problems) => &problems.first,
        };
        json + (entries.len() * 4 + 8) * LINE
    }
}
