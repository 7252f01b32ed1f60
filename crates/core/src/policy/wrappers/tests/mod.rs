//! What is looked through, in all spellings. Commands are written as text: a word ends at a space, single quotes hold
//! a word together, and a word that is only known when it runs ends with `~1` (one word), `~e` (each so begun) or
//! `~n` (any number).

mod bounded;
mod finding;
mod interacting;
mod options;
mod others;
mod shells;
mod spellings;
mod texts;
mod threats;
mod wrappers;
mod xargs;

use super::{StartedCommand, through};
use crate::policy::{Spread, Word};

/// The words of a command that is written as text.
pub(in crate::policy::wrappers) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words.into_iter().map(one).collect()
}

fn one(word: String) -> Word {
    for (mark, spread) in [("~1", Spread::One), ("~e", Spread::Each), ("~n", Spread::Any)] {
        if let Some(start) = word.strip_suffix(mark) {
            return Word::Open { start: start.to_owned(), spread };
        }
    }
    Word::known(word)
}

fn written(word: &Word) -> String {
    match word {
        Word::Known(text) => text.to_str().unwrap().to_owned(),
        Word::Open { start, spread: Spread::One } => format!("{start}~1"),
        Word::Open { start, spread: Spread::Each } => format!("{start}~e"),
        Word::Open { start, spread: Spread::Any } => format!("{start}~n"),
    }
}

/// What a command starts, written the same way; `nothing`, or `opaque`.
fn seen(text: &str) -> String {
    let Ok(all) = through(&words(text)) else { return "opaque".to_owned() };
    let write = |started: &StartedCommand| match started {
        StartedCommand::Words(words) => words.iter().map(written).collect::<Vec<_>>().join(" "),
        StartedCommand::Script { shell, text } => format!("{shell}: {text}"),
    };
    if all.is_empty() { "nothing".to_owned() } else { all.iter().map(write).collect::<Vec<_>>().join(" & ") }
}

/// Checks many commands, each with what it starts.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(seen(text), *expected, "{text}");
    }
}

/// The commands of a text: one in each line, or with wide spaces between them.
pub(in crate::policy::wrappers) fn each(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split("   ")).map(str::trim).filter(|command| !command.is_empty())
}

fn all_are(commands: &str, expected: &str) {
    for text in each(commands) {
        assert_eq!(seen(text), expected, "{text}");
    }
}

/// Checks that each of these is opaque.
fn opaque(commands: &str) {
    all_are(commands, "opaque");
}

/// Checks that each of these starts `ls x`.
fn starts_ls(commands: &str) {
    all_are(commands, "ls x");
}

/// Checks that each of these starts nothing.
fn starts_nothing(commands: &str) {
    all_are(commands, "nothing");
}
