//! A pattern to search output for: mostly a word, sometimes a regular expression. May not know where it is searched.

use regex::Regex;

/// A pattern to find in output.
#[derive(Debug, Clone)]
pub struct OutputPattern(PatternKind);

#[derive(Debug, Clone)]
enum PatternKind {
    /// No character of it has a special meaning. Compiling an expression of it takes longer than to find it.
    Text(String),
    Regex(Regex),
}

/// Characters with a special meaning in a regular expression.
const MEANING: &str = r"\.+*?()|[]{}^$";

impl OutputPattern {
    /// Parses a regular expression.
    pub fn new(text: &str) -> Result<Self, regex::Error> {
        if text.contains(|letter| MEANING.contains(letter)) {
            return Regex::new(text).map(PatternKind::Regex).map(Self);
        }
        Ok(Self(PatternKind::Text(text.to_owned())))
    }

    /// Where the first match at or after `start` ends. What stands before `start` is looked at, but not matched.
    pub(super) fn end_of_match(&self, text: &str, start: usize) -> Option<usize> {
        match &self.0 {
            PatternKind::Text(wanted) => text[start..].find(wanted).map(|at| start + at + wanted.len()),
            PatternKind::Regex(regex) => regex.find_at(text, start).map(|found| found.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_word_is_found_where_its_expression_finds_it(word in "[a-c#&~ -]{0,3}", text in "[a-c#&~ é\n-]{0,12}", start in 0usize..6) {
            let start = text.floor_char_boundary(start.min(text.len()));
            let both = [OutputPattern::new(&word).unwrap(), OutputPattern(PatternKind::Regex(Regex::new(&word).unwrap()))];
            let [one, other] = both.map(|pattern| pattern.end_of_match(&text, start));
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        assert!(OutputPattern::new("(").is_err());
        assert_eq!(OutputPattern::new("a.c").unwrap().end_of_match("xabc", 0), Some(4));
    }
}
