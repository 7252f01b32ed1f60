//! What npm, pnpm, yarn, pip and uv say while they install. There is no opening line but the program itself. May not touch
//! a warning, an error, or what was installed.

use super::super::results::{FailureEntry, ProblemResults};
use super::super::tally::LeftOutKind;
use super::reader::{FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, shortened};

/// Reads the output of a package manager.
#[derive(Debug)]
pub(super) struct PackageReader {
    tool: &'static str,
    reading: FormatReading,
    errors: FirstEntries,
}

impl<'a> FormatReader<'a> for PackageReader {
    fn line(&mut self, line: &StreamLine<'a>) {
        if let Some(said) = error(self.tool, line.text) {
            self.errors.push(|| FailureEntry { message: Some(shortened(said)), ..FailureEntry::default() });
        } else if is_progress(self.tool, line.text) {
            self.reading.leave_out(line, LeftOutKind::Progress, 1);
        }
    }

    fn outcome(mut self: Box<Self>) -> FormatOutcome {
        let is_there = self.errors.count > 0 || self.reading.knows_any();
        self.reading.results = ProblemResults::of(self.tool, self.errors, FirstEntries::default());
        FormatOutcome::of(is_there, true, self.reading)
    }
}

impl PackageReader {
    pub(super) fn new(tool: &'static str) -> Self {
        Self { tool, reading: FormatReading::default(), errors: FirstEntries::default() }
    }
}

/// The first line of an error, without the word for it.
fn error<'a>(tool: &str, text: &'a str) -> Option<&'a str> {
    match tool {
        "npm" => text.strip_prefix("npm error code ").or_else(|| text.strip_prefix("npm ERR! code ")),
        "pnpm" => text.trim_start().starts_with("ERR_PNPM_").then(|| text.trim_start()),
        "yarn" => text.strip_prefix("error "),
        "pip" => text.strip_prefix("ERROR: "),
        _ => text.strip_prefix("error: ").or_else(|| text.strip_prefix("  × ")),
    }
}

fn is_progress(tool: &str, text: &str) -> bool {
    let trimmed = text.trim_start();
    let begins = |words: &[&str]| words.iter().any(|word| trimmed.starts_with(word));
    match tool {
        "npm" => begins(&["npm http fetch GET 200 ", "npm timing ", "npm sill ", "npm verb "]),
        "pnpm" => {
            begins(&["Progress: resolved ", "Downloading "])
                || !text.is_empty() && text.bytes().all(|byte| byte == b'+')
        }
        "yarn" => [
            "Resolving packages...",
            "Fetching packages...",
            "Linking dependencies...",
            "Validating package.json...",
        ]
        .iter()
        .any(|step| {
            text.strip_prefix('[')
                .and_then(|rest| rest.split_once("] "))
                .is_some_and(|(_, rest)| rest == *step)
        }),
        "pip" => {
            begins(&["Requirement already satisfied: ", "Collecting ", "Downloading ", "Using cached "])
                || is_bar(trimmed)
        }
        _ => begins(&["Downloading ", "Downloaded "]),
    }
}

/// `━━━━━━━━ 1.2/1.2 MB 3.4 MB/s eta 0:00:00`
fn is_bar(text: &str) -> bool {
    let behind = text.trim_start_matches(['━', '╸', '╺', '|', '█', ' ']);
    behind.len() < text.len() && text.starts_with('━') && behind.starts_with(|c: char| c.is_ascii_digit())
}
