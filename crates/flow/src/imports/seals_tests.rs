//! Seals through filters, and data that would like to be one. May not fill real templates.

use super::*;
use proptest::prelude::*;
use runward::Coded;

fn mark() -> Mark {
    Mark::of("a.md", "x !`date` y", 1, 2..9)
}

fn command(seals: &mut Seals, kind: ErrandKind, text: &str) -> String {
    let (begin, end) = seals.command(kind, mark());
    format!("{begin}{text}{end}")
}

fn one_of_each() -> (Seals, String) {
    let mut seals = Seals::new(0x0123_4567_89ab_cdef_0011_2233_4455_6677);
    let data = seals.seal_data("{{ data }} !`no`");
    let command = command(&mut seals, ErrandKind::Inline, "date");
    (seals, format!("a {data} b {command} c"))
}

#[test]
fn data_comes_back_to_the_letter_and_commands_as_commands() {
    let (seals, text) = one_of_each();
    let errand = Errand { kind: ErrandKind::Inline, text: "date".to_owned(), mark: mark() };
    let expected = [
        Opened::Text("a {{ data }} !`no` b ".to_owned()),
        Opened::Command(errand),
        Opened::Text(" c".to_owned()),
    ];
    assert_eq!(seals.open(&text).unwrap(), expected);
}

#[test]
fn a_seal_survives_changes_of_case_and_of_white_space() {
    let (seals, text) = one_of_each();
    let seal = seals.write(Says::Data(0));
    assert_eq!(seal.to_uppercase(), seal);
    assert_eq!(seal.to_lowercase(), seal);
    assert_eq!(seal.trim(), seal);
    assert_eq!(seal.split_whitespace().count(), 1);
    assert_eq!(
        seals.open(&text.to_uppercase()).unwrap()[0],
        Opened::Text("A {{ data }} !`no` B ".to_owned())
    );
}

#[test]
fn a_fence_says_its_interpreter_once_it_is_filled() {
    let mut seals = Seals::new(5);
    let kind = ErrandKind::Fence { interpreter: String::new() };
    let text =
        command(&mut seals, kind, "#!/usr/bin/env {{ x }}\r\nprint(1)\n").replace("{{ x }}", "python3");
    let opened = seals.open(&text).unwrap();
    let [Opened::Command(errand)] = opened.as_slice() else { panic!("not one command") };
    assert_eq!(errand.kind, ErrandKind::Fence { interpreter: "/usr/bin/env python3".to_owned() });
    assert_eq!(errand.text, "#!/usr/bin/env python3\r\nprint(1)\n");
}

#[test]
fn a_seal_may_be_dropped_or_repeated() {
    let (seals, text) = one_of_each();
    assert_eq!(seals.open("").unwrap(), []);
    assert_eq!(seals.open(&text.repeat(2)).unwrap().len(), 5);
}

#[test]
fn a_seal_cut_anywhere_is_an_error_that_says_so() {
    let (seals, text) = one_of_each();
    let whole = seals.open(&text).unwrap();
    let seal = seals.write(Says::Data(0)).chars().count();
    for kept in 3..2 + seal {
        let cut: String = text.chars().take(kept).collect();
        let error = seals.open(&cut).unwrap_err();
        assert_eq!(error.code(), Code::FlowBadTemplate);
        assert_eq!(error.to_string(), "a filter cut an import or a command in half");
        let rest: String = text.chars().skip(kept).collect();
        assert!(seals.open(&rest).is_err(), "the other half, {kept}");
    }
    assert_eq!(whole.len(), 3);
}

#[test]
fn a_command_without_its_end_is_an_error_that_points_at_it() {
    let (seals, text) = one_of_each();
    let (front, _) = text.split_once("date").unwrap();
    let error = seals.open(&format!("{front}date")).unwrap_err();
    assert_eq!(
        (error.code().name(), error.mark().unwrap().place().as_str()),
        ("flow.bad-template", "a.md:1:3")
    );
}

#[test]
fn nothing_sealed_may_stand_in_a_command() {
    let mut seals = Seals::new(3);
    let data = seals.seal_data("; rm -rf /");
    let text = command(&mut seals, ErrandKind::Inline, "echo {{ x }}").replace("{{ x }}", &data);
    assert_eq!(
        seals.open(&text).unwrap_err().to_string(),
        "a command has an import or another command inside it"
    );
}

#[test]
fn a_seal_that_was_encoded_for_an_address_is_missed() {
    let (seals, _) = one_of_each();
    let encoded: String = seals.write(Says::Data(0)).bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert!(seals.open(&encoded).is_err());
}

#[test]
fn a_seal_of_another_run_opens_nothing() {
    let (seals, text) = one_of_each();
    // The same signs, another number.
    let other = Seals::new(seals.nonce + 1);
    assert_eq!(other.base(), seals.base());
    assert!(other.open(&text).is_err());
}

proptest! {
    #[test]
    fn data_is_never_read_again(nonce: u128, text in ".{0,60}", again in ".{0,20}") {
        let mut seals = Seals::new(nonce);
        let first = seals.seal_data(again);
        // Even a seal of this very run is only text inside data.
        let second = seals.seal_data(format!("{text}{first}"));
        let opened = seals.open(&second).unwrap();
        prop_assert_eq!(opened, vec![Opened::Text(format!("{text}{first}"))]);
    }

    #[test]
    fn text_without_seals_stays_as_it_is(nonce: u128, text in "[^\u{100000}-\u{10FFFF}]{1,80}") {
        prop_assert_eq!(Seals::new(nonce).open(&text).unwrap(), vec![Opened::Text(text)]);
    }

    #[test]
    fn arbitrary_signs_of_the_alphabet_open_nothing(nonce: u128, places in prop::collection::vec(0u32..ALPHABET, 1..80)) {
        let mut seals = Seals::new(nonce);
        let _ = seals.seal_data("secret");
        let forged: String = places.into_iter().map(|place| seals.sign(place)).collect();
        prop_assert!(seals.open(&forged).is_err());
    }
}
