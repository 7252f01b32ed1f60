//! Where the front matter of a text ends and its body begins. May not read the front matter.

use crate::{FlowError, Mark};
use runward_engine::Code;

/// Some lines of a file.
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
    /// The number of the first of them in the file.
    pub(super) line: usize,
}

/// A file in two.
pub(super) struct Parts<'a> {
    pub(super) matter: Option<Lines<'a>>,
    pub(super) body: Lines<'a>,
}

/// The border of the front matter.
const BORDER: &str = "---";

pub(super) fn split<'a>(file: &str, text: &'a str) -> Result<Parts<'a>, FlowError> {
    let top = top(text.strip_prefix('\u{feff}').unwrap_or(text));
    let (first, rest) = line(top.text);
    if !is_border(first) {
        return Ok(Parts { matter: None, body: top });
    }
    let mut taken = 0;
    let mut number = top.line + 1;
    while taken < rest.len() {
        let (one, after) = line(&rest[taken..]);
        if is_border(one) {
            let matter = Lines { text: &rest[..taken], line: top.line + 1 };
            return Ok(Parts { matter: Some(matter), body: Lines { text: after, line: number + 1 } });
        }
        taken = rest.len() - after.len();
        number += 1;
    }
    Err(FlowError::new(Code::FlowBadFrontMatter, "the front matter has no end")
        .hint("Close it with a line `---`, or begin the file with an empty line if it has no front matter.")
        .at(Mark::of(file, top.text, top.line, 0..BORDER.len())))
}

/// The text after a first line that names an interpreter. Blank lines after it do not count, because people set the
/// front matter off from it.
fn top(text: &str) -> Lines<'_> {
    if !text.starts_with("#!") {
        return Lines { text, line: 1 };
    }
    let (_, rest) = line(text);
    let (mut after, mut number) = (rest, 2);
    while !after.is_empty() && line(after).0.trim().is_empty() {
        after = line(after).1;
        number += 1;
    }
    if is_border(line(after).0) { Lines { text: after, line: number } } else { Lines { text: rest, line: 2 } }
}

fn is_border(line: &str) -> bool {
    line.trim_end() == BORDER
}

/// The first line of a text without its end, and what follows it.
fn line(text: &str) -> (&str, &str) {
    match text.find('\n') {
        Some(at) => (text[..at].trim_end_matches('\r'), &text[at + 1..]),
        None => (text, ""),
    }
}
