//! Texts that are wrapped: what the shell gets is what was written, and what comes of it is what would have come without.

use crate::hook::{in_shell, wrapped};
use crate::runner::Place;

fn place() -> Place {
    let place = Place::new();
    place.owner("policy.allow = [\"*\"]");
    place
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// What a shell that is given the text itself makes of it, called as Runward calls it.
fn direct(place: &Place, text: &str) -> (i32, String) {
    in_shell(place, &format!("\"$(command -v bash)\" -c {}", quoted(text)), &place.work())
}

fn through_wrap(place: &Place, text: &str, call: &str) -> (i32, String) {
    in_shell(place, &wrapped(place, "claude-code", text, call), &place.work())
}

#[test]
fn lines_of_both_streams_keep_their_order_a_hundred_times() {
    let place = place();
    let text = "echo a; echo b >&2; echo c";
    for round in 0..100 {
        let seen = through_wrap(&place, text, &format!("c{round}"));
        assert_eq!(seen, (0, "a\nb\nc\n".to_owned()), "round {round}");
    }
}

#[test]
fn a_wrapped_command_ends_as_it_would_without() {
    let place = place();
    for text in [
        "exit 3",
        "echo \"it's\" '$x' \"$((6*7))\" \\\\ # no",
        "cat <<'E'\n'here' $HOME\nE",
        "printf '%s|' a 'b  c' \"\n\"",
        "echo é\\",
        "nosuch; exit 4",
        "false",
    ] {
        assert_eq!(through_wrap(&place, text, "c1"), direct(&place, text), "{text}");
    }
    // A program that dies is told by the shell that ran it; the shell itself, by its status.
    let inside = |(code, told): (i32, String)| {
        let words: Vec<&str> = told.split(' ').filter(|word| word.parse::<u32>().is_err()).collect();
        (code, words.join(" "))
    };
    let text = "sh -c 'kill -SEGV $$'; echo $?";
    let seen = inside(through_wrap(&place, text, "c1"));
    assert!(seen.1.contains("Segmentation fault") && seen.1.ends_with("139\n"), "{seen:?}");
    assert_eq!(seen, inside(direct(&place, text)));
    assert_eq!(through_wrap(&place, "kill -SEGV $$", "c1").0, 139);
}

/// Pieces that mean something to a shell, to its quotes, or to whoever counts bytes.
const PIECES: [&str; 36] = [
    "'",
    "\"",
    "\\",
    "$(echo x)",
    "${HOME:+h}",
    "\n",
    "`echo y`",
    "#",
    " ",
    "\t",
    "é",
    "!",
    "$",
    "*",
    "\u{1}",
    "echo ",
    "z",
    "'\\''",
    "<<E\nq\nE\n",
    "|cat",
    "&&",
    "{",
    "}",
    "--",
    "-n",
    "$'\\x41\\''",
    "\\\n",
    "\r\n",
    "$((1+1))",
    "<<'E'\n'$x'\nE\n",
    "\u{7f}",
    "😀",
    "\u{feff}",
    "~",
    "%s",
    ";",
];

/// The first line of a text: it shows the text as the shell got it, even where the rest of it cannot be read.
const SHOW: &str = "printf '%s' \"$BASH_EXECUTION_STRING\"\n";

/// The parts of a pipeline run at once, and speak as they come.
fn unordered((code, told): &(i32, String)) -> (i32, Vec<&str>) {
    let mut lines: Vec<&str> = told.split('\n').collect();
    lines.sort_unstable();
    (*code, lines)
}

fn reaches_the_shell_as_it_is(seed: u64) {
    let place = place();
    let mut dice = seed;
    let mut throw = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(dice >> 33).unwrap() % sides
    };
    for round in 0..125 {
        let mut text = format!("{SHOW}echo ");
        for _ in 0..1 + throw(12) {
            text += PIECES[throw(PIECES.len())];
        }
        let ends = ["; echo end", "\\", "\n", "'", ""];
        text += ends[throw(ends.len())];
        // The number of a process is another each time.
        text = text.replace("$$", "$+");
        if text.trim_end().ends_with('&') {
            text += " true";
        }
        let seen = through_wrap(&place, &text, &format!("c{round}"));
        assert!(seen.1.starts_with(&text), "{text:?}: {seen:?}");
        assert_eq!(unordered(&seen), unordered(&direct(&place, &text)), "{text:?}");
    }
}

#[test]
fn texts_that_nobody_would_write_reach_the_shell_as_they_are() {
    reaches_the_shell_as_it_is(7);
}

#[test]
fn further_texts_that_nobody_would_write_reach_the_shell_as_they_are() {
    reaches_the_shell_as_it_is(20_261_118);
}

#[test]
fn still_further_texts_that_nobody_would_write_reach_the_shell_as_they_are() {
    reaches_the_shell_as_it_is(0xFEED);
}

#[test]
fn yet_further_texts_that_nobody_would_write_reach_the_shell_as_they_are() {
    reaches_the_shell_as_it_is(u64::MAX);
}

/// Quotes make a text longer for the shell of the client, which takes one argument of 128 KiB at most.
#[test]
fn long_texts_reach_the_shell_as_they_are() {
    let place = place();
    for text in [format!("{SHOW}# {}", "x".repeat(100_000)), format!("{SHOW}# {}", "'é".repeat(15_000))] {
        let seen = through_wrap(&place, &text, "long");
        assert_eq!((seen.0, seen.1.len()), (0, text.len()));
        assert!(seen.1 == text, "{}…", text.len());
    }
}
