//! Compilers that say each error in one line: tsc, mypy, gcc and clang. May not leave out anything: these are errors.

use super::super::results::{FailureEntry, ProblemResults};
use super::reader::{
    FirstEntries, FormatOutcome, FormatReader, FormatReading, StreamLine, counted, leading_number, place,
    shortened,
};
use memchr::memmem::Finder;
use std::sync::LazyLock;

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
    errors: FirstEntries,
    warnings: FirstEntries,
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
        if let Some(problem) = problem {
            let list = if problem.is_error { &mut self.errors } else { &mut self.warnings };
            list.push(|| problem.entry());
        }
    }

    fn outcome(self: Box<Self>) -> FormatOutcome {
        let found = self.errors.count;
        let fits = match self.shape {
            ProblemShape::Mypy => self.announced == Some(found),
            ProblemShape::Tsc | ProblemShape::CCompiler => self.announced.is_none_or(|all| all == found),
        };
        let is_there = found + self.warnings.count > 0;
        let tool = match self.shape {
            ProblemShape::Tsc => "tsc",
            ProblemShape::Mypy => "mypy",
            ProblemShape::CCompiler => "cc",
        };
        let results = ProblemResults::of(tool, self.errors, self.warnings);
        FormatOutcome::of(is_there, fits, FormatReading::told(results))
    }
}

impl ProblemReader {
    pub(super) fn new(shape: ProblemShape) -> Self {
        Self { shape, errors: FirstEntries::default(), warnings: FirstEntries::default(), announced: None }
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

/// An error or a warning, as it stands there.
struct ProblemLine<'a> {
    is_error: bool,
    /// The file and the line in it.
    place: Option<(&'a str, &'a str)>,
    /// What stands before the words and belongs to them.
    code: &'static str,
    said: &'a str,
}

impl ProblemLine<'_> {
    fn entry(&self) -> FailureEntry {
        let said = format!("{}{}", self.code, self.said);
        match self.place {
            Some((file, line)) => FailureEntry::at(file, line, &said),
            None => FailureEntry { message: Some(shortened(&said)), ..FailureEntry::default() },
        }
    }
}

fn tsc(text: &str) -> Option<ProblemLine<'_>> {
    const WORD: &str = "error TS";
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(WORD));
    if text.starts_with(' ') {
        return None;
    }
    // Each of these shapes is told by the first such word.
    let at = FINDER.find(text.as_bytes())?;
    let (before, said) = (&text[..at], &text[at + WORD.len()..]);
    let problem = |place| ProblemLine { is_error: true, place, code: "TS", said };
    if let Some(before) = before.strip_suffix("): ") {
        let (file, place) = before.rsplit_once('(')?;
        return Some(problem(Some((file, place.split_once(',')?.0))));
    }
    if let Some(before) = before.strip_suffix(" - ") {
        let (file, line, _) = place(before)?;
        return Some(problem(Some((file, line))));
    }
    before.is_empty().then(|| problem(None))
}

fn at_place(text: &str) -> Option<ProblemLine<'_>> {
    if text.starts_with(' ') {
        return None;
    }
    let (file, line, rest) = place(text)?;
    let (kind, said) = rest.strip_prefix(": ")?.split_once(": ")?;
    let is_error = match kind {
        "error" | "fatal error" => true,
        "warning" => false,
        _ => return None,
    };
    Some(ProblemLine { is_error, place: Some((file, line)), code: "", said })
}
