//! Answers about a megabyte of output: of a test runner, of a compiler, as events, of a tool that nobody knows, and all in
//! colours. The recordings are real; they are repeated until there is a megabyte.

use crate::Work;
use runward_core::digest::{AnswerInput, AnswerLimits, CommandEnding, StreamInput, StreamPiece, answer};
use runward_core::redact::Redactor;
use std::ffi::OsString;
use std::hint::black_box;

/// 8 000 tests at a time, of which one failed.
pub(crate) fn tests() -> Work {
    let line = |n: usize| {
        format!("test mod_{}::case_{n:05} ... {}\n", n % 40, if n == 4000 { "FAILED" } else { "ok" })
    };
    let mut text = "\nrunning 8000 tests\n".to_owned();
    text.extend((0..8000).map(line));
    text.push_str(
        "\nfailures:\n\n---- mod_0::case_04000 stdout ----\nthread 'mod_0::case_04000' panicked at src/lib.rs:12:5:\n\
         assertion `left == right` failed\n  left: 1\n right: 2\n\n\nfailures:\n    mod_0::case_04000\n\n\
         test result: FAILED. 7999 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s\n\n",
    );
    work(text.as_bytes(), "cargo test", 101)
}

/// Events of `go test -json`.
pub(crate) fn events() -> Work {
    work(include_bytes!("../../tests/recordings/go-test-json.out"), "go test -json", 1)
}

/// Errors of a compiler, each a line.
pub(crate) fn errors() -> Work {
    work(include_bytes!("../../tests/recordings/tsc-fail.out"), "tsc -p .", 2)
}

/// A list of files.
pub(crate) fn unknown() -> Work {
    work(include_bytes!("../../tests/recordings/ls-recursive.out"), "ls -lR", 0)
}

/// A list of files, each name in a colour.
pub(crate) fn colours() -> Work {
    let plain = include_str!("../../tests/recordings/ls-recursive.out");
    let coloured = |line: &str| match line.rsplit_once(' ') {
        Some((before, name)) => format!("{before} \u{1b}[0m\u{1b}[01;34m{name}\u{1b}[0m\n"),
        None => format!("{line}\n"),
    };
    work(plain.lines().map(coloured).collect::<String>().as_bytes(), "ls -lR --color", 0)
}

/// An answer about so much of it that there is a megabyte, by somebody who has two secrets.
fn work(text: &[u8], command: &str, code: i32) -> Work {
    let bytes = text.repeat((1 << 20) / text.len());
    let programs = vec![command.split(' ').map(str::to_owned).collect::<Vec<_>>()];
    let secrets =
        [("GITHUB_TOKEN", "ghp_aZ3kQ9sLmX7vT1bR5nYw2cE8uHdJ4fGi0"), ("PGPASSWORD", "correct-horse-7")];
    let secrets = secrets.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let redactor = Redactor::of(secrets.iter().map(|(name, value)| (name, value)));
    Box::new(move || {
        let pieces = [StreamPiece { offset: 0, bytes: &bytes }];
        let input = AnswerInput {
            id: "019a96f2-5a3e-7c10-8f53-d3a1c0b7e2f4",
            stdout: StreamInput { pieces: &pieces, total: bytes.len() as u64, binary: false },
            stderr: StreamInput::default(),
            programs: &programs,
            ending: CommandEnding::Exit(code),
            limits: AnswerLimits::default(),
            redactor: Some(&redactor),
        };
        drop(black_box(answer(black_box(&input))));
    })
}
