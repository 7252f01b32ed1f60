//! Compilers that say each error in one line: tsc, mypy, gcc and clang. May not leave out anything: these are errors.

use super::super::results::{FailureEntry, ProblemResults};
use super::reader::{FormatOutcome, FormatReader, FormatReading, StreamLine, counted, leading_number, place};

/// How the lines of a compiler look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProblemShape {
    /// `a.ts(1,14): error TS2322: no`, or `a.ts:1:14 - error TS2322: no`.
    Tsc,
    /// `a.py:3: error: no`, and `Found 3 errors in 1 file` at the end.
    Mypy,
    /// `a.c:3:4: error: no`; clang counts at the end of each file.
    CCompiler,
}

/// Reads the output of a compiler.
#[derive(Debug)]
pub(super) struct ProblemReader {
    shape: ProblemShape,
    errors: Vec<FailureEntry>,
    warnings: Vec<FailureEntry>,
    /// How many errors the compiler says there are.
    announced: Option<u64>,
}

impl<'a> FormatReader<'a> for ProblemReader {
    fn line(&mut self, line: &StreamLine<'a>) {
        self.announce(line.text);
        let problem = match self.shape {
            ProblemShape::Tsc => tsc(line.text),
            ProblemShape::Mypy | ProblemShape::CCompiler => at_place(line.text),
        };
        if let Some((is_error, entry)) = problem {
            if is_error { self.errors.push(entry) } else { self.warnings.push(entry) }
        }
    }

    fn outcome(self: Box<Self>) -> FormatOutcome {
        let found = self.errors.len() as u64;
        let fits = match self.shape {
            ProblemShape::Mypy => self.announced == Some(found),
            ProblemShape::Tsc | ProblemShape::CCompiler => self.announced.is_none_or(|all| all == found),
        };
        let is_there = found > 0 || !self.warnings.is_empty();
        let tool = match self.shape {
            ProblemShape::Tsc => "tsc",
            ProblemShape::Mypy => "mypy",
            ProblemShape::CCompiler => "cc",
        };
        let results = ProblemResults::of(tool, self.errors, self.warnings);
        FormatOutcome::of(is_there, fits, FormatReading { harmless: Vec::new(), results })
    }
}

impl ProblemReader {
    pub(super) fn new(shape: ProblemShape) -> Self {
        Self { shape, errors: Vec::new(), warnings: Vec::new(), announced: None }
    }

    fn announce(&mut self, text: &str) {
        let count = match self.shape {
            ProblemShape::Tsc | ProblemShape::Mypy => text.strip_prefix("Found ").and_then(leading_number),
            // `2 warnings and 3 errors generated.`
            ProblemShape::CCompiler if text.ends_with(" generated.") => {
                counted(text, "errors").or_else(|| counted(text, "error"))
            }
            ProblemShape::CCompiler => None,
        };
        if let Some(count) = count {
            self.announced = Some(self.announced.unwrap_or_default() + count);
        }
    }
}

fn tsc(text: &str) -> Option<(bool, FailureEntry)> {
    if text.starts_with(' ') {
        return None;
    }
    if let Some((at, said)) = text.split_once("): error TS") {
        let (file, place) = at.rsplit_once('(')?;
        let (line, _) = place.split_once(',')?;
        return Some((true, FailureEntry::at(file, line, &format!("TS{said}"))));
    }
    if let Some((at, said)) = text.split_once(" - error TS") {
        let (file, line, _) = place(at)?;
        return Some((true, FailureEntry::at(file, line, &format!("TS{said}"))));
    }
    let said = text.strip_prefix("error TS")?;
    Some((
        true,
        FailureEntry {
            message: Some(super::reader::shortened(&format!("TS{said}"))),
            ..FailureEntry::default()
        },
    ))
}

fn at_place(text: &str) -> Option<(bool, FailureEntry)> {
    if text.starts_with(' ') {
        return None;
    }
    let (file, line, rest) = place(text)?;
    let rest = rest.strip_prefix(": ")?;
    let (kind, said) = rest.split_once(": ")?;
    let is_error = match kind {
        "error" | "fatal error" => true,
        "warning" => false,
        _ => return None,
    };
    Some((is_error, FailureEntry::at(file, line, said)))
}
