//! Whatever the words are, looking through them ends, soon, and without a panic.

use super::super::table::WRAPPERS;
use super::super::{StartedCommand, carried, interactive, through};
use crate::policy::{Spread, Word};
use proptest::prelude::*;

/// Names that are looked through or spoken of, and pieces that their words are made of.
fn name() -> impl Strategy<Value = String> {
    let known: Vec<String> =
        WRAPPERS.rows().iter().flat_map(|entry| entry.names()).map(str::to_owned).collect();
    let spoken =
        "python3 perl node git tar ssh npm cargo psql sqlite3 make rsync vim npx docker ruby lua php yarn";
    let spoken = spoken.split(' ').map(str::to_owned);
    let all: Vec<String> = known.into_iter().chain(spoken).collect();
    prop_oneof![proptest::sample::select(all), "[a-z./=\\-]{0,6}", any::<String>()]
}

fn word() -> impl Strategy<Value = Word> {
    let pieces = [
        "-",
        "--",
        "-c",
        "-x",
        "-S",
        "-I",
        "-exec",
        ";",
        "+",
        "{}",
        "A=1",
        "PATH=.",
        "-o",
        "5",
        "ls",
        "-e",
        "/c",
        "run",
        "-ééx",
        "--=",
        "-=",
        "--c",
        "-i{}",
        "é",
        "",
        "(",
        "!",
        "-NUMBER",
        "-5",
        "ext::sh",
        "--exec=x",
        "'\"",
        "/dev/stdin",
    ];
    let known = prop_oneof![
        proptest::sample::select(pieces.map(str::to_owned).to_vec()),
        "-{0,2}[a-zA-Z0-9=é]{0,8}",
        any::<String>()
    ];
    let spread = prop_oneof![Just(Spread::One), Just(Spread::Each), Just(Spread::Any)];
    prop_oneof![
        4 => known.prop_map(Word::known),
        1 => ("[-+a-z=;]{0,3}", spread).prop_map(|(start, spread)| Word::Open { start, spread }),
    ]
}

proptest! {
    #[test]
    fn any_words_are_looked_through_without_a_panic(
        name in name(),
        rest in proptest::collection::vec(word(), 0..12),
    ) {
        let words: Vec<Word> = std::iter::once(Word::known(name)).chain(rest).collect();
        let all = through(&words).unwrap_or_default();
        let _ = carried(&words);
        let _ = interactive(&words);
        prop_assert!(all.len() <= words.len() + 1);
        for started in all {
            if let StartedCommand::Words(started) = started {
                prop_assert!(started.first().is_some_and(|name| name.exact().is_some_and(|name| !name.is_empty())));
            }
        }
    }
}

#[test]
fn very_long_words_are_read_in_bounded_steps() {
    let long = "-S".repeat(20_000);
    assert!(through(&[Word::known("env"), Word::known(format!("{long}ls"))]).is_err());
    let many: Vec<Word> =
        std::iter::once("find").chain(std::iter::repeat_n("-exec", 20_000)).map(Word::known).collect();
    assert!(through(&many).is_err());
    let nested: Vec<Word> = std::iter::repeat_n("env", 20_000).map(Word::known).collect();
    assert_eq!(through(&nested).unwrap().len(), 1);
}
