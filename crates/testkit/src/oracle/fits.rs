//! Whether words that a program was started with are the ones that were read.

use runward_core::policy::{Spread, Word};

/// Whether these words could have become those.
pub(super) fn fits(words: &[Word], started: &[Vec<u8>]) -> bool {
    // The row holds, for each number of started words, whether the words so far could have become them.
    let mut row = vec![false; started.len() + 1];
    row[0] = true;
    for word in words {
        row = after(word, &row, started);
    }
    row[started.len()]
}

fn after(word: &Word, row: &[bool], started: &[Vec<u8>]) -> Vec<bool> {
    let mut next = vec![false; row.len()];
    for (at, _) in row.iter().enumerate().filter(|(_, reached)| **reached) {
        let rest = &started[at..];
        match word {
            Word::Known(known) => {
                if rest.first().is_some_and(|word| word == known.as_encoded_bytes()) {
                    next[at + 1] = true;
                }
            }
            Word::Open { start, spread } => {
                let begins = rest.iter().take_while(|word| word.starts_with(start.as_bytes())).count();
                let (least, most) = match spread {
                    Spread::One => (1, begins.min(1)),
                    Spread::Each => (1, begins),
                    Spread::Any if begins == 0 => (0, 0),
                    Spread::Any => (0, rest.len()),
                };
                (least..=most).for_each(|count| next[at + count] = true);
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(start: &str, spread: Spread) -> Word {
        Word::Open { start: start.to_owned(), spread }
    }

    fn fit(words: &[Word], started: &[&str]) -> bool {
        fits(words, &started.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn known_words_fit_themselves_only() {
        assert!(fit(&[Word::known("a"), Word::known("b")], &["a", "b"]));
        assert!(!fit(&[Word::known("a")], &["a", "b"]));
        assert!(!fit(&[Word::known("a"), Word::known("b")], &["a"]));
        assert!(!fit(&[Word::known("a")], &["b"]));
    }

    #[test]
    fn open_words_fit_by_their_start_and_spread() {
        let one = [Word::known("a"), open("x", Spread::One)];
        assert!(fit(&one, &["a", "xy"]));
        assert!(!fit(&one, &["a"]) && !fit(&one, &["a", "y"]) && !fit(&one, &["a", "x", "x"]));
        let each = [Word::known("a"), open("x", Spread::Each)];
        assert!(fit(&each, &["a", "x", "xy"]));
        assert!(!fit(&each, &["a"]) && !fit(&each, &["a", "x", "y"]));
        let any = [Word::known("a"), open("x", Spread::Any), Word::known("z")];
        assert!(fit(&any, &["a", "z"]) && fit(&any, &["a", "xy", "q", "z"]));
        assert!(!fit(&any, &["a", "q", "z"]) && !fit(&any, &["a", "x"]));
    }
}
