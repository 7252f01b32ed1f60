//! Output passes through byte for byte, in order, and no faster than it is read.

use crate::runner::{Place, program, run};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

#[test]
fn every_byte_arrives_as_it_was() {
    let place = Place::new();
    let bytes: Vec<u8> = (0..=255u8).cycle().take(3 << 20).collect();
    std::fs::write(place.work().join("bytes"), &bytes).unwrap();
    let output = place.command(["exec", "--", "cat", "bytes"]).output().unwrap();
    assert!(output.stdout == bytes, "{} bytes of {}", output.stdout.len(), bytes.len());
}

#[test]
fn the_two_streams_stay_apart() {
    let said = run(["exec", "--shell", "echo out; echo err >&2"]);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("out\n", "err\n"));
}

#[test]
fn where_both_lead_to_one_file_the_order_is_exact() {
    let place = Place::new();
    let both = File::create(place.work().join("both")).unwrap();
    let script = "i=0; while [ $i -lt 500 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done";
    let status = place
        .command(["exec", "--shell", script])
        .stdout(both.try_clone().unwrap())
        .stderr(both)
        .status()
        .unwrap();
    let expected: String = (0..500).map(|i| format!("o{i}\ne{i}\n")).collect();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(place.work().join("both")).unwrap(), expected);
}

#[test]
fn arguments_arrive_untouched() {
    let said = run(["exec", "--", "printf", "<%s>", "", "a b", "--json", "--", "$HOME", "*", "'\""]);
    assert_eq!(said.stdout, "<><a b><--json><--><$HOME><*><'\">");
}

#[test]
fn arguments_need_not_be_text() {
    // The shell makes the argument: there is no portable way to write one here that is not UTF-8.
    let script = r#"exec "$0" exec -- printf %s "$(printf 'a\377b')""#;
    let output =
        program(Path::new("sh")).args(["-c", script, env!("CARGO_BIN_EXE_runward")]).output().unwrap();
    assert_eq!(output.stdout, b"a\xffb");
}

#[test]
fn a_script_is_never_rewritten() {
    let said = run(["exec", "--shell", "printf '%s|' \"$0\" a  b # c"]);
    assert!(said.stdout.ends_with("|a|b|"), "{}", said.stdout);
}

#[test]
fn a_reader_that_goes_away_stops_the_command_quietly() {
    let place = Place::new();
    let mut child = place.start(["exec", "--timeout", "0", "--", "yes"]);
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 16]).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(output.stderr, b"");
}

#[test]
fn a_reader_that_is_gone_when_the_result_comes_is_no_error() {
    let place = Place::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = place.command(["exec", "--json", "--", "true"]);
    let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]));
}

#[test]
fn our_own_colours_stay_out_of_files() {
    let said = run(["exec", "--", "no-such-program"]);
    assert!(!said.stderr.contains('\u{1b}'), "{:?}", said.stderr);
}
