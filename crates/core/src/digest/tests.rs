//! What an answer shows of streams that fit, that do not, and that are not all there.

use super::*;
use crate::redact::Redactor;
use std::ffi::OsString;

pub(super) fn stdout_of(bytes: &[u8], limits: AnswerLimits) -> StreamAnswers {
    let pieces = [StreamPiece { offset: 0, bytes }];
    answer(&AnswerInput {
        id: "ID",
        stdout: StreamInput { pieces: &pieces, total: bytes.len() as u64, binary: false },
        stderr: StreamInput::default(),
        programs: &[],
        ending: CommandEnding::Exit(0),
        limits,
        redactor: None,
    })
}

fn with_budget(max_chars: usize) -> AnswerLimits {
    AnswerLimits { max_chars, ..AnswerLimits::default() }
}

#[test]
fn what_fits_is_whole() {
    let answer = stdout_of(b"hello\n", AnswerLimits::default());
    assert_eq!(answer, StreamAnswers { stdout: "hello\n".to_owned(), ..StreamAnswers::default() });
}

#[test]
fn progress_is_one_line() {
    let bytes: String = (0..=1000).map(|n| format!("\r\u{1b}[32mDownloading {n}\u{1b}[0m")).collect();
    let answer = stdout_of(format!("{bytes}\ndone\n").as_bytes(), AnswerLimits::default());
    assert_eq!(answer.stdout, "Downloading 1000\ndone\n");
    assert!(!answer.is_partial);
}

#[test]
fn like_lines_are_folded_and_the_error_stays() {
    let mut text: String = (0..5000).map(|n| format!("WARN  retrying (attempt {n})\n")).collect();
    text.push_str("ERROR gave up\n");
    let answer = stdout_of(text.as_bytes(), AnswerLimits::default());
    assert_eq!(
        answer.stdout,
        "WARN  retrying (attempt 0)\n[4998 lines like these]\nWARN  retrying (attempt 4999)\nERROR gave up\n\
         [whole: read_output {\"sessionId\":\"ID\",\"stream\":\"stdout\",\"offset\":0}]\n"
    );
    assert!(answer.is_partial);
}

#[test]
fn errors_that_differ_in_digits_are_not_folded() {
    let text: String = (0..62).map(|n| format!("src/a.ts({n},14): error TS2322: no\n")).collect();
    let shown = stdout_of(text.as_bytes(), with_budget(3200)).stdout;
    assert_eq!(shown, text);
}

#[test]
fn a_marked_line_in_the_middle_is_shown_with_what_stands_around_it() {
    let line =
        |n: usize| format!("{}\n", "abcdefghij".chars().cycle().skip(n % 7).take(60).collect::<String>());
    let mut text: String = (0..3000).map(line).collect();
    text.push_str("thread 'x' panicked at src/lib.rs:12:5:\nfirst\nsecond\n");
    text.extend((0..3000).map(line));
    let answer = stdout_of(text.as_bytes(), with_budget(4000));
    assert!(answer.stdout.contains("panicked at src/lib.rs:12:5:\nfirst\nsecond\n"), "{}", answer.stdout);
    assert!(written_cost(&answer.stdout) <= 4000, "{}", written_cost(&answer.stdout));
    assert_eq!(answer.stdout.matches("[cut: ").count(), 2);
}

#[test]
fn the_address_of_a_cut_is_where_its_bytes_begin() {
    let text: String =
        (0..2000).map(|n| format!("\u{1b}[1mline\u{1b}[0m {} x{n}\r\n", "ab".repeat(n % 9))).collect();
    let answer = stdout_of(text.as_bytes(), with_budget(2000));
    let cut = answer.stdout.find("[cut: ").unwrap();
    let last_shown = answer.stdout[..cut].lines().last().unwrap().rsplit('x').next().unwrap();
    let offset = answer.stdout[cut..].split("\"offset\":").nth(1).unwrap();
    let offset: usize = offset[..offset.find('}').unwrap()].parse().unwrap();
    assert!(text[..offset].ends_with(&format!("x{last_shown}\r\n")));
}

#[test]
fn what_is_only_in_the_spool_is_a_cut() {
    let pieces = [
        StreamPiece { offset: 0, bytes: b"first line\nsecond li" },
        StreamPiece { offset: 1000, bytes: b"f a line\nlast\n" },
    ];
    let input = AnswerInput {
        id: "ID",
        stdout: StreamInput { pieces: &pieces, total: 1014, binary: false },
        stderr: StreamInput::default(),
        programs: &[],
        ending: CommandEnding::Exit(0),
        limits: AnswerLimits::default(),
        redactor: None,
    };
    assert_eq!(
        answer(&input).stdout,
        "first line\nsecond \n[cut: 983 bytes; read_output {\"sessionId\":\"ID\",\"stream\":\"stdout\",\"offset\":18}]\n \
         a line\nlast\n[whole: read_output {\"sessionId\":\"ID\",\"stream\":\"stdout\",\"offset\":0}]\n"
    );
}

#[test]
fn a_secret_is_masked_wherever_a_cut_falls() {
    let (name, value) = (OsString::from("API_TOKEN"), OsString::from("s3cr3t-value-0815"));
    let redactor = Redactor::of([(&name, &value)]);
    for at in 0..200 {
        let text = format!("{} s3cr3t-value-0815 {}", "a".repeat(at), "b ".repeat(400));
        for gap in [10, 50, 60] {
            let (head, tail) = text.as_bytes().split_at((at + gap).min(text.len()));
            let pieces =
                [StreamPiece { offset: 0, bytes: head }, StreamPiece { offset: 10_000, bytes: tail }];
            let stdout = StreamInput { pieces: &pieces, total: 10_000 + tail.len() as u64, binary: false };
            let shown = answer(&AnswerInput {
                id: "ID",
                stdout,
                stderr: StreamInput::default(),
                programs: &[],
                ending: CommandEnding::Exit(0),
                limits: with_budget(300),
                redactor: Some(&redactor),
            });
            assert!(!shown.stdout.contains("cr3t") && !shown.stdout.contains("0815"), "{}", shown.stdout);
        }
    }
}

#[test]
fn a_line_that_looks_like_ours_is_told_from_it() {
    let shown = stdout_of(b"[cut: 5 lines]\n[INFO] x\n", AnswerLimits::default());
    assert_eq!(shown.stdout, " [cut: 5 lines]\n[INFO] x\n");
    assert!(!shown.is_partial);
}

#[test]
fn a_long_line_keeps_its_ends() {
    let text = format!("{}{}\n", "a".repeat(20_000), "z".repeat(20_000));
    let shown = stdout_of(text.as_bytes(), AnswerLimits::default()).stdout;
    let cut = "[cut: 39001 bytes; read_output {\"sessionId\":\"ID\",\"stream\":\"stdout\",\"offset\":500}]";
    assert!(
        shown.starts_with(&format!("{}\n{cut}\n{}\n[whole: ", "a".repeat(500), "z".repeat(499))),
        "{shown}"
    );
}
