//! What is not in a table is refused in every spelling, for every program of every table.

use super::super::grammar::{Leads, Node, Style, Takes};
use super::*;
use proptest::prelude::*;

/// Every program and subcommand with the words that lead to it.
fn leaves() -> Vec<(&'static str, Vec<String>, &'static Node)> {
    fn below(
        preset: &'static str,
        node: &'static Node,
        path: &[String],
        all: &mut Vec<(&'static str, Vec<String>, &'static Node)>,
    ) {
        let path: Vec<String> = path.iter().cloned().chain([node.names[0].to_owned()]).collect();
        all.push((preset, path.clone(), node));
        let module = matches!(node.grammar.leads, Leads::Module(_)).then(|| "-m".to_owned());
        let path: Vec<String> = path.into_iter().chain(module).collect();
        node.children.iter().for_each(|child| below(preset, child, &path, all));
    }
    let mut all = Vec::new();
    for preset in PRESETS.iter() {
        preset.table.programs.iter().for_each(|program| below(preset.name, program, &[], &mut all));
    }
    all
}

fn reads_options(node: &Node) -> bool {
    node.grammar.style != Style::Plain
}

fn fits(preset_name: &str, path: &[String], more: &[&str]) -> bool {
    let words: Vec<Word> =
        path.iter().map(String::as_str).chain(more.iter().copied()).map(Word::known).collect();
    let preset = preset(preset_name).unwrap();
    // What every program may be asked is no option of its table.
    let asks = more.first().is_some_and(|word| preset.asks().contains(word));
    !asks && matches!(preset.says(&words, CommandForm::Argv), Some(Fit::Fits(_)))
}

fn knows(node: &Node, option: &str) -> bool {
    node.grammar.flags.contains(&option) || node.grammar.takers.iter().any(|taker| taker.name == option)
}

#[test]
fn every_short_option_that_is_not_listed_is_refused() {
    for (preset, path, node) in leaves().into_iter().filter(|(_, _, node)| reads_options(node)) {
        for letter in ('!'..='~').filter(|letter| *letter != '-' && !letter.is_ascii_digit()) {
            let option = format!("-{letter}");
            if knows(node, &option) {
                continue;
            }
            assert!(!fits(preset, &path, &[&option]), "{path:?} {option}");
            assert!(!fits(preset, &path, &[&option, "x"]), "{path:?} {option} x");
            let glued = format!("{option}x");
            assert!(knows(node, &glued) || !fits(preset, &path, &[&glued]), "{path:?} {glued}");
            // Behind a flag that is allowed, in one bundle.
            let short = node.grammar.flags.iter().find(|flag| flag.len() == 2);
            if let Some(flag) = short
                .filter(|_| !matches!(node.grammar.style, Style::Find | Style::Dashes | Style::DashesFirst))
            {
                let bundle = format!("{flag}{letter}");
                assert!(knows(node, &bundle) || !fits(preset, &path, &[&bundle]), "{path:?} {bundle}");
            }
        }
    }
}

#[test]
fn every_abbreviation_of_a_listed_option_is_refused() {
    for (preset, path, node) in leaves() {
        let names =
            node.grammar.flags.iter().copied().chain(node.grammar.takers.iter().map(|taker| taker.name));
        for name in names.filter(|name| name.starts_with("--")) {
            for end in 3..name.len() {
                let short = &name[..end];
                if !name.is_char_boundary(end) || knows(node, short) {
                    continue;
                }
                let value = format!("{short}=x");
                assert!(!fits(preset, &path, &[short]), "{path:?} {short}");
                assert!(!fits(preset, &path, &[&value]), "{path:?} {value}");
            }
        }
    }
}

#[test]
fn a_flag_takes_no_value() {
    for (preset, path, node) in leaves() {
        let takes = |flag: &str| node.grammar.takers.iter().any(|taker| taker.name == flag);
        for flag in node.grammar.flags.iter().filter(|flag| flag.starts_with("--") && !takes(flag)) {
            assert!(!fits(preset, &path, &[&format!("{flag}=x")]), "{path:?} {flag}=x");
        }
    }
}

#[test]
fn an_option_that_is_not_listed_is_found_behind_every_listed_one() {
    for (preset, path, node) in leaves().into_iter().filter(|(_, _, node)| reads_options(node)) {
        // What `-exec` runs is looked through elsewhere.
        for flag in node.grammar.flags.iter().filter(|flag| **flag != "-exec") {
            assert!(!fits(preset, &path, &[flag, "--runward-unknown"]), "{path:?} {flag}");
        }
        for taker in &node.grammar.takers {
            let values: &[&str] = match taker.takes {
                Takes::One => &["1"],
                Takes::Two => &["1", "1"],
                Takes::Maybe => &[],
            };
            let words: Vec<&str> = [&[taker.name], values, &["--runward-unknown"]].concat();
            assert!(!fits(preset, &path, &words), "{words:?} of {path:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_long_option_that_is_not_listed_is_refused(name in "--[a-z][a-z-]{0,15}", value in "[a-z/.]{0,8}") {
        for (preset, path, node) in leaves().into_iter().filter(|(_, _, node)| reads_options(node)) {
            let single = &name[1..];
            if knows(node, &name) || knows(node, single) {
                continue;
            }
            let joined = format!("{name}={value}");
            let spellings: [&[&str]; 3] = [&[&name], &[&joined], &[&name, &value]];
            for words in spellings {
                prop_assert!(!fits(preset, &path, words), "{words:?} of {path:?}");
            }
        }
    }

    #[test]
    fn no_words_make_a_preset_panic(words in proptest::collection::vec("[ -~]{0,12}", 0..6)) {
        for (preset, path, _) in leaves() {
            fits(preset, &path, &words.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
