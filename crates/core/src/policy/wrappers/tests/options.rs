//! How options are read where a word is not known, or is no text.

use super::super::options::{OptionOrder, read};
use super::words;
use crate::policy::tables::{TableSection, sections};

const TEXT: &str =
    "[p]\nflags: -v|--verbose --kind\ntakes: -k|--kill-after\nmaybe: -e|--eof\nends: --help\nnumbers: yes";

fn line() -> TableSection {
    sections(TEXT).last().expect("a section")
}

fn operands(text: &str) -> Option<usize> {
    read(line(), OptionOrder::First, &words(text)).ok().map(|read| read.operands.len())
}

#[test]
fn an_open_word_where_an_option_may_stand_is_opaque() {
    for text in ["p ~1 ls", "p ~n ls", "p ~e ls", "p -v ~1", "p -~1 ls", "p -k~1 ls", "p x~n ls", "p --ver~1"]
    {
        assert_eq!(operands(text), None, "{text}");
    }
}

#[test]
fn an_open_value_is_one_word_or_opaque() {
    assert_eq!(operands("p -k ~1 ls"), Some(1));
    assert_eq!(operands("p --kill-after ~1 ls"), Some(1));
    assert_eq!(operands("p --kill-after=~1 ls"), Some(1));
    assert_eq!(operands("p --kill-after=5~1 ls"), Some(1));
    for text in ["p -k ~n ls", "p -k ~e ls", "p --kill-after=~n ls", "p -k", "p --kill-after"] {
        assert_eq!(operands(text), None, "{text}");
    }
}

#[test]
fn what_stands_behind_dashes_is_no_option() {
    assert_eq!(operands("p -- ~1 ls"), Some(2));
    assert_eq!(operands("p -- -v ls"), Some(2));
    assert_eq!(operands("p -k -- ls"), Some(1), "the value of an option");
}

#[test]
fn numbers_are_options_where_the_line_says_so() {
    for text in ["p -5 ls", "p --5 ls", "p -+5 ls", "p -19 ls"] {
        assert_eq!(operands(text), Some(1), "{text}");
    }
    assert_eq!(operands("p -5x ls"), None);
}

#[test]
fn options_may_stand_anywhere_where_the_program_reads_them_so() {
    let read = read(line(), OptionOrder::Anywhere, &words("p a -v b --kill-after c d -- -v")).unwrap();
    assert_eq!(read.operands, words("a b d -v"));
    assert!(read.has("-v") && read.has("--kill-after"));
    assert_eq!(read.before_dashes, Some(3));
    assert_eq!(read.all("-k").next().unwrap().at, 4);
}

#[test]
fn a_flag_takes_no_value() {
    assert_eq!(operands("p --verbose=1 ls"), None);
    assert_eq!(operands("p --ki ls"), None, "two begin so");
    assert_eq!(operands("p --kin ls"), Some(1));
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_no_option() {
    use crate::policy::Word;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let given = |bytes: &[u8]| vec![Word::known("p"), Word::Known(OsString::from_vec(bytes.to_vec()))];
    assert!(read(line(), OptionOrder::First, &given(b"-\xff")).is_err());
    assert_eq!(read(line(), OptionOrder::First, &given(b"\xff")).unwrap().operands.len(), 1);
}
