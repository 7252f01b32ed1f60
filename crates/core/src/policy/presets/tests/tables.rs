//! The tables themselves.

use super::super::table;
use super::*;

#[test]
fn every_table_is_read() {
    for text in [READONLY, BUILD] {
        assert_eq!(table::read(text).map(|table| table.programs.len() > 20), Ok(true));
    }
}

#[test]
fn a_line_that_is_not_understood_is_an_error() {
    for text in [
        "flags: -a",
        "[x]\nflag: -a",
        "[x]\nhello",
        "[x]\nstyle: odd",
        "[x]\noperands: odd",
        "[x]\ntakes: -a:odd",
        "[x y]",
        "[x]\nuse: z",
        "[x]\nenv: A",
    ] {
        assert!(table::read(text).is_err(), "{text}");
    }
}

#[test]
fn no_option_is_listed_twice_with_different_values() {
    fn look(node: &grammar::Node) {
        for (at, taker) in node.grammar.takers.iter().enumerate() {
            let again = node.grammar.takers[at + 1..].iter().any(|other| other.name == taker.name);
            assert!(!again, "{:?} {}", node.names, taker.name);
        }
        node.children.iter().for_each(look);
    }
    PRESETS.iter().flat_map(|preset| &preset.table.programs).for_each(look);
}

#[test]
fn a_program_that_is_not_known_is_none_of_a_presets_business() {
    assert_eq!(preset("readonly").unwrap().says(&words("rm x"), CommandForm::Argv), None);
    assert_eq!(preset("readonly").unwrap().says(&[], CommandForm::Argv), None);
    assert!(preset("nothing").is_none());
}

#[test]
fn a_program_may_be_asked_about_itself_and_nothing_else() {
    all_allowed("readonly", &["ls --version", "rg --help", "tar --version", "find --help", "awk --version"]);
    all_refused(
        "readonly",
        &["sort --version -o f", "sort -o --version", "git --help", "git log --help", "git stash --help"],
    );
}
