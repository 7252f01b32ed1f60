//! Lines for a terminal: none is longer than [`MOST`] columns, if its words allow it. A pipe gets them whole.

use std::io::{self, IsTerminal};
use unicode_width::UnicodeWidthStr;

/// Columns of a line.
const MOST: usize = 120;

/// Text for standard output: folded where a person reads it, with what follows a fold this far in.
pub(crate) fn for_stdout(text: &str, indent: usize) -> String {
    if io::stdout().is_terminal() { folded(text, indent) } else { text.to_owned() }
}

/// Breaks long lines between words. A word that is longer than a line stays whole, so that it can be copied.
fn folded(text: &str, indent: usize) -> String {
    text.split('\n').map(|line| folded_line(line, indent)).collect::<Vec<_>>().join("\n")
}

fn folded_line(line: &str, indent: usize) -> String {
    if line.width() <= MOST {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        if used > indent && used + word.trim_end().width() > MOST {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
        }
        out.push_str(word);
        used += word.width();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_a_terminal_likes_unless_one_word_is() {
        let text = format!("label   {}", "word ".repeat(60).trim_end());
        let folded_text = folded(&text, 8);
        assert!(folded_text.lines().all(|line| line.width() <= MOST), "{folded_text}");
        assert_eq!(folded_text.split_whitespace().count(), 61, "no word is lost");
        assert!(folded_text.lines().skip(1).all(|line| line.starts_with("        word")), "{folded_text}");
        let long = format!("label {}", "x".repeat(MOST));
        assert_eq!(folded(&long, 4), format!("label\n    {}", "x".repeat(MOST)));
        assert_eq!(folded("short\nlines", 4), "short\nlines");
    }
}
