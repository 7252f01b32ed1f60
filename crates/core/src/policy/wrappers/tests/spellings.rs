//! Every option of every entry, in every spelling it has. What is expected is made from the table's line.

use super::super::options::{OptionOrder, read};
use super::super::table::WRAPPERS;
use crate::policy::Word;
use crate::policy::tables::TableSection;

/// The names of each option, and a mark for the key of its line.
fn tokens(of: TableSection) -> impl Iterator<Item = (Vec<&'static str>, char)> {
    let marks =
        [("flags", ' '), ("takes", '='), ("maybe", '?'), ("ends", '!'), ("never", '^'), ("asks", '@')];
    marks.into_iter().flat_map(move |(key, mark)| {
        of.words(key).map(move |word| (word.split(':').next().unwrap_or(word).split('|').collect(), mark))
    })
}

fn lines() -> Vec<(&'static str, TableSection)> {
    let all = WRAPPERS.rows().iter().filter(|entry| tokens(**entry).next().is_some());
    all.map(|entry| (entry.heading, *entry)).collect()
}

/// Whether words are read such that `ls` is the first operand, and how they end.
fn reads(options: TableSection, words: &[&str]) -> Option<&'static str> {
    let words: Vec<Word> = ["program"].iter().chain(words).chain(&["ls"]).map(Word::known).collect();
    match read(options, OptionOrder::First, &words) {
        Err(_) => Some("refused"),
        Ok(read) if read.ends => Some("ends"),
        Ok(read) if read.operands == [Word::known("ls")] => Some("starts"),
        Ok(_) => None,
    }
}

#[test]
fn every_option_is_read_in_each_of_its_spellings() {
    for (program, options) in lines() {
        for (names, mark) in tokens(options) {
            for name in names {
                let glued = if name.starts_with("--") { format!("{name}=v") } else { format!("{name}v") };
                let (alone, with_glued, separate) = match mark {
                    '=' => (None, Some("starts"), Some("starts")),
                    '?' => (Some("starts"), Some("starts"), None),
                    '!' => (Some("ends"), None, Some("ends")),
                    '^' => (Some("refused"), Some("refused"), Some("refused")),
                    _ => (Some("starts"), None, None),
                };
                let told = format!("{program} {name}");
                if alone.is_some() {
                    assert_eq!(reads(options, &[name]), alone, "{told}");
                }
                if with_glued.is_some() {
                    assert_eq!(reads(options, &[&glued]), with_glued, "{told}, glued");
                }
                if separate.is_some() {
                    assert_eq!(reads(options, &[name, "v"]), separate, "{told}, separate");
                }
            }
        }
    }
}

#[test]
fn a_long_option_may_be_begun_where_only_one_begins_so() {
    for (program, options) in lines() {
        let all: Vec<(Vec<&str>, char)> = tokens(options).collect();
        for (names, mark) in &all {
            for name in names.iter().filter(|name| name.starts_with("--")) {
                for end in 3..name.len() {
                    let begun = &name[..end];
                    let fits = |names: &Vec<&str>| names.iter().any(|name| name.starts_with(begun));
                    let exact = all.iter().any(|(names, _)| names.contains(&begun));
                    let given = if *mark == '=' { format!("{begun}=v") } else { begun.to_owned() };
                    let expected = match all.iter().filter(|(names, _)| fits(names)).count() {
                        _ if exact => continue,
                        1 => match mark {
                            '!' => "ends",
                            '^' => "refused",
                            _ => "starts",
                        },
                        _ => "refused",
                    };
                    assert_eq!(reads(options, &[&given]), Some(expected), "{program} {given}");
                }
            }
        }
    }
}

#[test]
fn letters_may_be_bundled() {
    for (program, options) in lines() {
        let short = |wanted: char| -> Vec<String> {
            let letters = tokens(options).filter(|(_, mark)| *mark == wanted);
            letters
                .flat_map(|(names, _)| names)
                .filter(|name| name.len() == 2)
                .map(|n| n[1..].to_owned())
                .collect()
        };
        let flags = short(' ').concat();
        if !flags.is_empty() {
            assert_eq!(reads(options, &[&format!("-{flags}")]), Some("starts"), "{program} -{flags}");
        }
        for valued in short('=') {
            let bundle = format!("-{flags}{valued}");
            assert_eq!(reads(options, &[&bundle, "v"]), Some("starts"), "{program} {bundle} v");
            assert_eq!(reads(options, &[&format!("{bundle}v")]), Some("starts"), "{program} {bundle}v");
        }
    }
}

#[test]
fn what_no_line_names_is_refused() {
    for (program, options) in lines() {
        assert_eq!(reads(options, &["--no-such-option"]), Some("refused"), "{program}");
        assert_eq!(reads(options, &["-%"]), Some("refused"), "{program}");
        assert_eq!(reads(options, &["--"]), Some("starts"), "{program}");
    }
}

#[test]
fn no_letter_and_no_name_stands_twice() {
    for (program, options) in lines() {
        let mut names: Vec<&str> = tokens(options).flat_map(|(names, _)| names).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{program}");
        for (_, mark) in tokens(options) {
            assert!(" =?!^@".contains(mark), "{program}");
        }
    }
    let mut programs: Vec<&str> = WRAPPERS.rows().iter().flat_map(|entry| entry.names()).collect();
    let all = programs.len();
    programs.sort_unstable();
    programs.dedup();
    assert_eq!(programs.len(), all, "a program has two entries");
}
