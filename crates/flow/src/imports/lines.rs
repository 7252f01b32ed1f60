//! Some lines of a text. May not complain: what is not there is not given.

use std::ops::Range;

/// The bytes of the lines from one number to another, counted from 1, both included, as far as there are such lines.
/// The end of the last line is not part of it.
pub fn range(text: &str, from: usize, to: usize) -> Range<usize> {
    let from = from.max(1);
    let mut range: Option<Range<usize>> = None;
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if (from..=to).contains(&(index + 1)) {
            let end = at + line.trim_end_matches('\n').trim_end_matches('\r').len();
            range = Some(range.map_or(at, |range| range.start)..end);
        }
        at += line.len();
    }
    range.unwrap_or(0..0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, from: usize, to: usize) -> &str {
        &text[range(text, from, to)]
    }

    #[test]
    fn lines_are_counted_from_one_and_both_ends_are_included() {
        let text = "a\nb\r\nc\nd";
        assert_eq!(lines(text, 2, 3), "b\r\nc");
        assert_eq!(lines(text, 4, 4), "d");
        assert_eq!(lines(text, 1, 1), "a");
    }

    #[test]
    fn a_range_is_clamped_to_what_is_there() {
        let text = "a\nb\n";
        assert_eq!(lines(text, 0, 99), "a\nb");
        assert_eq!(lines(text, 2, usize::MAX), "b");
        assert_eq!(lines(text, 50, 60), "");
    }

    #[test]
    fn a_range_that_runs_backwards_is_empty() {
        assert_eq!(lines("a\nb\nc", 10, 5), "");
        assert_eq!(lines("a\nb\nc", 3, 2), "");
    }
}
