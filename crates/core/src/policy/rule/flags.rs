//! What a rule says about options (flags).
//!
//! A rule does not know a program's options. So what may be an option counts as one: a letter anywhere in a bundle,
//! the beginning of a long name, a word that is only known when it runs. Presets know better.

use crate::policy::Word;
use crate::policy::spelling::Sureness;

/// Options that a rule wants, allows or forbids, as they are written: `-n`, `--oneline`, `-name`. One that ends in
/// `=` takes a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleFlags {
    /// The only options there may be, if they are limited.
    pub only: Option<Vec<String>>,
    /// Options that must not be there.
    pub without: Vec<String>,
    /// Options of which at least one must be there.
    pub any: Vec<String>,
}

impl RuleFlags {
    pub(super) fn admit(&self, words: &[Word], sureness: Sureness) -> bool {
        let there = |flag: &String| match sureness {
            Sureness::Certain => is_there(words, flag),
            Sureness::Possible => may_be_there(words, flag),
        };
        // Where a rule refuses, an option that it excuses must certainly be there.
        let excused = |flag: &String| match sureness {
            Sureness::Certain => may_be_there(words, flag),
            Sureness::Possible => is_there(words, flag),
        };
        (self.any.is_empty() || self.any.iter().any(there))
            && !self.without.iter().any(excused)
            && self.only.as_ref().is_none_or(|only| sureness == Sureness::Possible || are_only(words, only))
    }
}

/// The words before `--`, which ends the options.
fn before_end(words: &[Word]) -> &[Word] {
    let end = words.iter().position(|word| word.text() == Some("--"));
    &words[..end.unwrap_or(words.len())]
}

fn name(flag: &str) -> &str {
    flag.strip_suffix('=').unwrap_or(flag)
}

fn is_long(flag: &str) -> bool {
    flag.starts_with("--")
}

fn letter(flag: &str) -> Option<char> {
    let mut letters = name(flag).strip_prefix('-')?.chars();
    let letter = letters.next().filter(|letter| *letter != '-')?;
    letters.next().is_none().then_some(letter)
}

/// Whether an option certainly is there: written out, alone.
fn is_there(words: &[Word], flag: &str) -> bool {
    let flag = name(flag);
    before_end(words).iter().filter_map(Word::text).any(|word| {
        word == flag || (is_long(flag) && word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('=')))
    })
}

/// Whether an option may be there.
fn may_be_there(words: &[Word], flag: &str) -> bool {
    before_end(words).iter().any(|word| match word.text() {
        None => word.may_be_option(),
        Some(word) if is_long(word) && word.len() > 2 => {
            let written = word.split('=').next().unwrap_or(word);
            is_long(flag) && name(flag).starts_with(written)
        }
        Some(word) if word.starts_with('-') && word.len() > 1 => {
            word == name(flag) || letter(flag).is_some_and(|letter| word[1..].contains(letter))
        }
        Some(_) => false,
    })
}

/// Whether every option is one of these.
fn are_only(words: &[Word], only: &[String]) -> bool {
    let mut words = before_end(words).iter();
    while let Some(word) = words.next() {
        if !word.may_be_option() {
            continue;
        }
        match word.text().map(|word| taken(word, only)) {
            Some(TakenFlag::Whole) => {}
            Some(TakenFlag::WantsValue) => drop(words.next()),
            Some(TakenFlag::No) | None => return false,
        }
    }
    true
}

enum TakenFlag {
    Whole,
    WantsValue,
    No,
}

fn taken(word: &str, only: &[String]) -> TakenFlag {
    let has = |written: &str| only.iter().any(|flag| flag == written);
    if has(word) {
        return TakenFlag::Whole;
    }
    if has(&format!("{word}=")) {
        return TakenFlag::WantsValue;
    }
    if let Some((long, _)) = word.split_once('=').filter(|_| is_long(word)) {
        return if has(&format!("{long}=")) { TakenFlag::Whole } else { TakenFlag::No };
    }
    if is_long(word) { TakenFlag::No } else { bundle(&word[1..], has) }
}

/// Letters behind one dash: options without values, and perhaps one with its value glued to it or in the next word.
fn bundle(letters: &str, has: impl Fn(&str) -> bool) -> TakenFlag {
    for (at, letter) in letters.char_indices() {
        if has(&format!("-{letter}=")) {
            let glued = &letters[at + letter.len_utf8()..];
            return if glued.is_empty() { TakenFlag::WantsValue } else { TakenFlag::Whole };
        }
        if !has(&format!("-{letter}")) {
            return TakenFlag::No;
        }
    }
    TakenFlag::Whole
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
        text.split(' ').map(word).collect()
    }

    fn list(flags: &[&str]) -> Vec<String> {
        flags.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn only_these_options() {
        let flags = RuleFlags {
            only: Some(list(&["-l", "-a", "-n=", "--long", "--format="])),
            ..RuleFlags::default()
        };
        for (text, fits) in [
            ("x y", true),
            ("-l -a", true),
            ("-la", true),
            ("-lan5", true),
            ("-n 5 x", true),
            ("-n -x", true),
            ("--format=-x --long", true),
            ("--format x", true),
            ("-", true),
            ("-lax", false),
            ("--lon", false),
            ("--long=3", false),
            ("?", false),
            ("-- -x ?", true),
            ("x -z", false),
        ] {
            assert_eq!(flags.admit(&words(text), Sureness::Certain), fits, "{text}");
        }
    }

    #[test]
    fn without_an_option_in_any_spelling() {
        let flags = RuleFlags { without: list(&["-o", "--output", "-delete"]), ..RuleFlags::default() };
        for (text, fits) in [
            ("x", true),
            ("-l", true),
            ("-o f", false),
            ("-of", false),
            ("-lo", false),
            ("--output=f", false),
            ("--out=f", false),
            ("--outputs", true),
            ("-delete", false),
            ("?", false),
            ("-- -o", true),
        ] {
            assert_eq!(flags.admit(&words(text), Sureness::Certain), fits, "{text}");
        }
    }

    #[test]
    fn a_refusal_for_an_option_speaks_wherever_it_may_be() {
        let flags = RuleFlags { any: list(&["--force", "-f"]), ..RuleFlags::default() };
        for (text, speaks) in [
            ("main", false),
            ("--force main", true),
            ("--forc", true),
            ("-uf", true),
            ("?", true),
            ("-- -f", false),
        ] {
            assert_eq!(flags.admit(&words(text), Sureness::Possible), speaks, "{text}");
        }
        assert!(!flags.admit(&words("-uf"), Sureness::Certain));
    }
}
