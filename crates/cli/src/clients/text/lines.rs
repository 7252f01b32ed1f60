//! Lines of a text: where each begins and ends, and blocks put behind the last one.
//!
//! May not know what a line means.

use super::{Insertion, beginning, is_blank, line_end};
use std::ops::Range;

/// A line without its end, and where the next one begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextLine<'a> {
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
}

impl TextLine<'_> {
    /// How far it is indented.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    /// Whether it holds nothing, or a comment alone.
    pub(super) fn is_silent(&self) -> bool {
        let rest = self.text.trim();
        rest.is_empty() || rest.starts_with('#')
    }
}

/// Every line, with the bytes that it covers, its end included.
pub(super) fn lines(text: &str) -> Vec<TextLine<'_>> {
    let mut at = beginning(text);
    let mut all = Vec::new();
    for line in text[at..].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        all.push(TextLine { text: line.trim_end_matches(['\n', '\r']), range });
    }
    all
}

/// Puts a block of lines behind everything else. Whether the last line has an end stays as it is, so that the text from
/// before can be told from the one after.
pub(super) fn appended(text: &str, block: &[String]) -> Insertion {
    let end = line_end(text);
    let block = block.join(end);
    if is_blank(text) {
        return Insertion { at: beginning(text), put: block + end };
    }
    let put = if text.ends_with('\n') { format!("{end}{block}{end}") } else { format!("{end}{end}{block}") };
    Insertion { at: text.len(), put }
}

/// A text without some of its lines.
pub(super) fn without(text: &str, cut: Range<usize>) -> String {
    let (before, after) = (&text[..cut.start], &text[cut.end..]);
    // What is left ends as it did before.
    let before = if after.is_empty() { before.trim_end_matches(['\n', '\r']) } else { before };
    let end = if after.is_empty() && !is_blank(before) { line_end(text) } else { "" };
    [before, end, after].concat()
}
