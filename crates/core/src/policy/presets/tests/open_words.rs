//! Words that are only known when the command runs.

use super::*;

fn says(words: &[Word]) -> bool {
    matches!(preset("readonly").unwrap().says(words, CommandForm::Text), Some(Fit::Fits(_)))
}

fn known(text: &str) -> Word {
    Word::known(text)
}

#[test]
fn an_operand_that_may_become_an_option_is_refused() {
    for start in ["", "-", "--lines"] {
        assert!(!says(&[known("cat"), open(start, Spread::One)]), "{start}");
        assert!(!says(&[known("cat"), open(start, Spread::Each)]), "{start}");
    }
    assert!(!says(&[known("cat"), open("src/", Spread::Any)]));
    assert!(!says(&[known("find"), open("", Spread::One)]));
}

#[test]
fn an_operand_that_cannot_is_allowed() {
    assert!(says(&[known("cat"), open("src/", Spread::One)]));
    assert!(says(&[known("ls"), open("src/", Spread::Each)]));
    assert!(says(&[known("find"), open("src/", Spread::Each), known("-name"), known("x")]));
    assert!(says(&[known("cat"), known("--"), open("", Spread::Any)]));
    assert!(says(&[known("grep"), known("-n"), known("--"), open("", Spread::One), open("", Spread::Each)]));
    assert!(says(&[known("echo"), open("", Spread::Any)]));
}

#[test]
fn a_value_may_be_open_where_it_is_one_word() {
    assert!(says(&[known("head"), known("-n"), open("", Spread::One), known("f")]));
    assert!(says(&[known("find"), known("."), known("-name"), open("", Spread::One)]));
    assert!(says(&[known("head"), open("--lines=", Spread::One), known("f")]));
    assert!(!says(&[known("head"), known("-n"), open("", Spread::Any), known("f")]));
    assert!(!says(&[known("find"), known("."), known("-name"), open("x", Spread::Each)]));
    // An empty value would make the next word the value.
    assert!(!says(&[known("head"), open("-n", Spread::One), known("f")]));
    assert!(!says(&[known("sort"), open("--output=", Spread::One)]));
}

#[test]
fn what_must_be_checked_must_be_known() {
    assert!(!says(&[known("tar"), known("tf"), open("", Spread::One)]));
    assert!(says(&[known("tar"), known("tf"), open("./", Spread::One)]));
    assert!(!says(&[known("git"), open("l", Spread::One)]));
    assert!(!says(&[known("git"), known("log"), open("", Spread::One)]));
    assert!(says(&[known("git"), known("log"), known("--"), open("", Spread::One)]));
    assert!(!says(&[known("uniq"), open("x", Spread::Each)]));
    assert!(!says(&[known("strings"), known("--"), open("", Spread::One)]));
    assert!(says(&[known("date"), open("+", Spread::One)]));
}

#[test]
fn files_behind_a_script_may_be_open() {
    let awk = |more: Word| says(&[known("awk"), known("{print $1}"), more]);
    assert!(awk(open("", Spread::One)) && awk(open("", Spread::Any)) && !awk(known("/inet/tcp/0/h/80")));
    assert!(says(&[known("sed"), known("-n"), known("p"), known("--"), open("", Spread::Any)]));
    assert!(!says(&[known("sed"), known("-n"), known("p"), open("", Spread::One)]));
}

#[test]
fn a_test_may_not_turn_out_to_evaluate_a_name() {
    assert!(says(&[known("test"), known("-n"), open("", Spread::One)]));
    assert!(says(&[known("test"), open("", Spread::One), known("="), open("", Spread::One)]));
    assert!(!says(&[known("test"), open("", Spread::One), known("x")]));
    assert!(!says(&[known("test"), open("", Spread::Any), known("="), known("x")]));
    assert!(!says(&[known("test"), known("x"), known("-a"), open("", Spread::One), open("", Spread::One)]));
}

#[test]
#[cfg(unix)]
fn a_word_that_is_no_text_is_an_operand_or_refused() {
    use std::os::unix::ffi::OsStringExt;
    let odd = |bytes: &[u8]| Word::known(std::ffi::OsString::from_vec(bytes.to_vec()));
    assert!(says(&[known("cat"), odd(b"f\xff")]));
    assert!(!says(&[known("cat"), odd(b"-\xff")]));
    assert!(!says(&[known("sed"), odd(b"p\xff")]));
}
