//! A command's standard input: empty, our own, or a file, at its own pace.

use crate::runner::{Place, run};

#[test]
fn ten_megabytes_go_through_and_come_back() {
    let bytes: Vec<u8> = (0..=255u8).cycle().take(10_000_000).collect();
    let output = Place::new().feed(["exec", "--stdin", "-", "--", "cat"], bytes.clone());
    assert!(output.status.success());
    assert!(output.stdout == bytes, "{} bytes", output.stdout.len());
}

#[test]
fn a_file_is_read_to_its_end() {
    let place = Place::new();
    place.file("words", "b\na\n");
    assert_eq!(place.run(["exec", "--stdin", "words", "--", "sort"]).stdout, "a\nb\n");
}

#[test]
fn a_file_that_is_not_there_is_an_error_before_anything_starts() {
    let place = Place::new();
    let said = place.run(["exec", "--stdin", "none", "--", "touch", "made"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.starts_with("runward: `none` could not be opened for `--stdin`"), "{}", said.stderr);
    assert!(!place.work().join("made").exists());
}

#[test]
fn without_input_there_is_an_end_at_once() {
    let output = Place::new().feed(["exec", "--", "cat"], b"not for the command".to_vec());
    assert!(output.status.success() && output.stdout.is_empty());
}

#[test]
fn a_command_may_stop_reading_early() {
    let output = Place::new().feed(["exec", "--stdin", "-", "--", "head", "-c", "3"], vec![b'x'; 5_000_000]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"xxx"[..]));
}

#[test]
fn input_works_with_json_too() {
    let output = Place::new().feed(["exec", "--json", "--stdin", "-", "--", "wc", "-c"], vec![b'x'; 100_000]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["stdout"].as_str().map(str::trim), Some("100000"));
}

#[test]
fn an_empty_input_is_an_empty_input() {
    assert_eq!(run(["exec", "--stdin", "-", "--", "wc", "-c"]).stdout.trim(), "0");
}

#[test]
fn an_input_that_cannot_be_read_is_told() {
    let said = run(["exec", "--stdin", "/proc/self/mem", "--", "wc", "-c"]);
    assert_eq!(said.stdout.trim(), "0");
    assert!(said.stderr.starts_with("runward: its input could not be read to the end: "), "{}", said.stderr);
}

#[test]
fn a_pipe_with_a_name_that_nobody_writes_does_not_hold_the_limit() {
    let place = crate::runner::Place::new();
    let fifo = place.work().join("fifo");
    let made = crate::runner::program(std::path::Path::new("mkfifo")).arg(&fifo).status().unwrap();
    assert!(made.success());
    let said = place.run(["exec", "--timeout", "500ms", "--stdin", "fifo", "--", "cat"]);
    assert_eq!(said.code, 124, "{said:?}");
}

#[test]
fn a_folder_is_no_input() {
    let said = crate::runner::run(["exec", "--stdin", "/tmp", "--", "cat"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("it is a directory"), "{said:?}");
}
