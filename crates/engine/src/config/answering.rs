//! How answers to models are made, lowered from `answer.*`. May not render anything: the server does.

use super::Settings;
use std::time::Duration;

/// How answers to models are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerSettings {
    /// Characters of one answer, both streams together.
    pub max_chars: usize,
    /// Whether known formats are digested.
    pub digest: bool,
    /// Characters of a stream from which on it is digested.
    pub digest_from: usize,
    /// Whether secrets are masked.
    pub mask: bool,
    /// Whether escape sequences are taken out and overwritten lines shown as they stood at their end.
    pub plain: bool,
    /// Whether answers carry structured content beside their text.
    pub structured: bool,
    /// After how long a call that lasts is answered, and goes on as a session.
    pub yield_after: Option<Duration>,
}

impl Default for AnswerSettings {
    /// What is built in.
    fn default() -> Self {
        Settings::built_in().answers()
    }
}

impl Settings {
    /// How answers to models are made.
    pub fn answers(&self) -> AnswerSettings {
        let number = |name| self.number(name).unwrap_or_default();
        let size = |name| usize::try_from(number(name)).unwrap_or(usize::MAX);
        let is = |name, word| self.word(name) == Some(word);
        AnswerSettings {
            max_chars: size("answer.max_chars"),
            digest: is("answer.digest", "auto"),
            digest_from: size("answer.digest_from"),
            mask: self.flag("answer.mask"),
            plain: self.flag("answer.plain"),
            structured: is("answer.structured", "same"),
            yield_after: Some(number("answer.yield_ms")).filter(|ms| *ms > 0).map(Duration::from_millis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_is_what_the_table_says() {
        let answers = AnswerSettings::default();
        assert_eq!((answers.max_chars, answers.digest_from), (24_000, 4000));
        assert!(answers.digest && answers.mask && answers.plain && answers.structured);
        assert_eq!(answers.yield_after, Some(Duration::from_secs(50)));
    }
}
