//! Where in a text something stands, so that an error can point at it. May not know what is wrong there.

use std::ops::Range;

/// A piece of one line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The file, as people know it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// The whole line.
    pub text: String,
    /// How many characters of it are meant; at least one.
    pub length: usize,
}

impl Mark {
    /// The mark of a range of bytes in a text whose first line has this number in the file. What goes on in the next
    /// line is not marked.
    pub fn of(file: &str, text: &str, first_line: usize, range: Range<usize>) -> Self {
        let start = floor(text, range.start);
        let before = &text[..start];
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let stop = floor(text, range.end).clamp(start, end);
        Self {
            file: file.to_owned(),
            line: first_line + before.matches('\n').count(),
            column: text[begin..start].chars().count() + 1,
            text: text[begin..end].trim_end_matches('\r').to_owned(),
            length: text[start..stop].chars().count().max(1),
        }
    }

    /// `file:line:column`.
    pub fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The nearest border between characters at or before this byte.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_counts_lines_from_the_files_top_and_columns_in_characters() {
        let text = "one\nzwö lf {{ x }}\nthree";
        let at = text.find("{{").unwrap();
        let mark = Mark::of("a.md", text, 5, at..at + 7);
        assert_eq!(mark.place(), "a.md:6:8");
        assert_eq!((mark.text.as_str(), mark.length), ("zwö lf {{ x }}", 7));
    }

    #[test]
    fn a_mark_stays_in_its_line_and_marks_something() {
        let text = "ab\ncd";
        assert_eq!(Mark::of("a", text, 1, 1..5).length, 1);
        assert_eq!(Mark::of("a", text, 1, 5..5).length, 1);
        assert_eq!(Mark::of("a", text, 1, 99..100).place(), "a:2:3");
    }
}
