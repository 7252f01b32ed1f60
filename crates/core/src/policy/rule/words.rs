//! Whether the words of a command begin as a rule says.
//!
//! Hazard: options may stand before the words that a rule means (`git -C x push`). A rule that allows wants its words
//! at the very beginning; a rule that asks or denies finds them behind options and their values too.

use crate::policy::Word;
use crate::policy::spelling::Sureness;

/// Whether the words after the program begin with these, each place with alternatives.
pub(super) fn begin(words: &[Word], wanted: &[Vec<String>], sureness: Sureness) -> bool {
    match sureness {
        Sureness::Certain => {
            wanted.len() <= words.len()
                && wanted.iter().zip(words).all(|(alternatives, word)| {
                    word.text().is_some_and(|text| alternatives.iter().any(|wanted| wanted == text))
                })
        }
        Sureness::Possible => wanted.is_empty() || may_begin(words, wanted),
    }
}

fn may_begin(words: &[Word], wanted: &[Vec<String>]) -> bool {
    let mut start = 0;
    loop {
        if may_begin_here(&words[start.min(words.len())..], wanted) {
            return true;
        }
        match words.get(start) {
            // An option, and perhaps its value.
            Some(word) if word.may_be_option() => {
                let behind = &words[(start + 2).min(words.len())..];
                if may_begin_here(behind, wanted) {
                    return true;
                }
                let next_is_option = words.get(start + 1).is_some_and(Word::may_be_option);
                start += if next_is_option { 1 } else { 2 };
                if !next_is_option && may_begin_here(&words[(start - 1).min(words.len())..], wanted) {
                    return true;
                }
            }
            _ => return false,
        }
    }
}

fn may_begin_here(words: &[Word], wanted: &[Vec<String>]) -> bool {
    let mut words = words.iter();
    for alternatives in wanted {
        match words.next() {
            Some(Word::Known(text)) if alternatives.iter().any(|wanted| text == wanted.as_str()) => {}
            Some(Word::Known(_)) | None => return false,
            // It may become anything that begins like this, or several words: what follows cannot be known.
            Some(Word::Open { start, .. }) => {
                return alternatives.iter().any(|wanted| wanted.starts_with(start.as_str()));
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Spread;

    fn words(text: &str) -> Vec<Word> {
        let word = |word: &str| match word {
            "?" => Word::Open { start: String::new(), spread: Spread::One },
            known => Word::known(known),
        };
        text.split(' ').filter(|word| !word.is_empty()).map(word).collect()
    }

    fn wanted() -> Vec<Vec<String>> {
        vec![vec!["push".to_owned(), "pull".to_owned()], vec!["origin".to_owned()]]
    }

    #[test]
    fn to_allow_words_stand_at_the_beginning() {
        for (text, begins) in [
            ("push origin", true),
            ("pull origin main", true),
            ("push", false),
            ("push upstream", false),
            ("-v push origin", false),
            ("push ?", false),
        ] {
            assert_eq!(begin(&words(text), &wanted(), Sureness::Certain), begins, "{text}");
        }
    }

    #[test]
    fn to_refuse_words_may_stand_behind_options() {
        for (text, begins) in [
            ("push origin", true),
            ("-v push origin", true),
            ("-C folder push origin", true),
            ("-C folder -c a=b push origin", true),
            ("--git-dir=x push origin", true),
            ("push ?", true),
            ("? origin", true),
            ("log push origin", false),
            ("log --grep push", false),
            ("-C folder log push origin", false),
            ("", false),
        ] {
            assert_eq!(begin(&words(text), &wanted(), Sureness::Possible), begins, "{text}");
        }
        assert!(begin(&[], &[], Sureness::Possible));
    }
}
