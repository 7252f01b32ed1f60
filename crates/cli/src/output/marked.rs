//! A place in a file, shown: its line, with what is meant underlined. May not show what would change the terminal.

use super::{ERROR, OURS};
use runward::core::render::one_line;
use runward_flow::Mark;
use unicode_width::UnicodeWidthStr;

/// Characters of a line that are shown at the most; a prompt may stand on one line.
const MOST: usize = 160;

/// Characters before what is meant that are shown at the least, where there are as many.
const BEFORE: usize = 60;

/// The line and what underlines it.
pub(super) fn shown(mark: &Mark) -> String {
    let number = mark.line.to_string();
    let margin = " ".repeat(number.len());
    let at = mark.column.saturating_sub(1);
    // A long line is shown from a little before what is meant.
    let skipped = if at + mark.length > MOST { at.saturating_sub(BEFORE) } else { 0 };
    let letters: Vec<char> = mark.text.chars().skip(skipped).take(MOST).collect();
    let piece = |from: usize, to: usize| {
        let (from, to) = (from.min(letters.len()), to.min(letters.len()));
        // A tab is as wide as whatever is before it makes it: one space is as wide as one space.
        one_line(&letters[from..to].iter().collect::<String>().replace('\t', " "))
    };
    let (begin, end) = (at - skipped, (at - skipped).saturating_add(mark.length));
    let (before, meant, after) = (piece(0, begin), piece(begin, end), piece(end, MOST));
    let dots = if skipped > 0 { "…" } else { "" };
    let more = if mark.text.chars().count() > skipped + letters.len() { "…" } else { "" };
    let room = " ".repeat(dots.width() + before.width());
    let under = "^".repeat(meant.width().max(1));
    format!(
        "{margin} {OURS}|{OURS:#}\n{OURS}{number} |{OURS:#} {dots}{before}{meant}{after}{more}\n\
         {margin} {OURS}|{OURS:#} {room}{ERROR}{under}{ERROR:#}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, column: usize, length: usize) -> String {
        let mark = Mark { file: "a.md".to_owned(), line: 12, column, text: text.to_owned(), length };
        anstream::adapter::strip_str(&shown(&mark)).to_string()
    }

    #[test]
    fn what_is_meant_is_underlined() {
        assert_eq!(plain("say {{ x }} now", 8, 1), "   |\n12 | say {{ x }} now\n   |        ^");
        assert_eq!(plain("key: [a", 6, 2), "   |\n12 | key: [a\n   |      ^^");
    }

    #[test]
    fn wide_letters_and_tabs_keep_the_place() {
        assert_eq!(plain("日本 x", 4, 1), "   |\n12 | 日本 x\n   |      ^");
        assert_eq!(plain("\t日", 2, 1), "   |\n12 |  日\n   |  ^^");
    }

    #[test]
    fn what_would_change_the_terminal_is_spelled_out() {
        assert_eq!(plain("\u{1b}[2Jx", 5, 1), "   |\n12 | \\x1b[2Jx\n   |        ^");
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let text = format!("{}BAD{}", "a".repeat(500), "b".repeat(500));
        let told = plain(&text, 501, 3);
        let line = told.lines().nth(1).unwrap();
        assert_eq!(line, format!("12 | …{}BAD{}…", "a".repeat(60), "b".repeat(97)));
        assert_eq!(told.lines().nth(2).unwrap(), format!("   | {}^^^", " ".repeat(61)));
        assert!(plain("short", 99, 1).ends_with(" ^"), "a place behind the end is shown at the end");
    }
}
