//! The promises about answers that need no server: what is shown of a known tool, to the byte.

use super::recording::{RecordedRun, recording};
use super::shapes::many_retries;
use runward_core::digest::{
    AnswerLimits, CommandEnding, FailureEntry, MOST_ENTRIES, RunResults, TestResults,
};

fn tests_of(results: Option<RunResults>) -> TestResults {
    match results {
        Some(RunResults::Tests(tests)) => tests,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_error_of_a_compiler_is_a_line() {
    let answer = recording("tsc-fail").answer(AnswerLimits::default());
    assert_eq!(answer.stdout.lines().filter(|line| line.contains(": error TS")).count(), 62);
    let Some(RunResults::Problems(problems)) = answer.results else { panic!("no results") };
    assert_eq!((problems.errors, problems.first.len() as u64 + problems.cut), (62, 62));
    assert!((5..=MOST_ENTRIES).contains(&problems.first.len()), "{}", problems.first.len());
    assert_eq!((problems.first[0].file.as_deref(), problems.first[0].line), (Some("src/a.ts"), Some(1)));
}

#[test]
fn five_thousand_like_lines_take_three() {
    let shown = many_retries().answer(AnswerLimits::default()).stdout;
    assert!(shown.chars().count() <= 300, "{shown}");
    for part in ["(attempt 0)\n", "[4998 lines like these]\n", "(attempt 4999)\n", "ERROR gave up\n"] {
        assert!(shown.contains(part), "{part}");
    }
}

#[test]
fn a_log_that_quotes_test_results_is_unchanged() {
    let run = recording("git-log");
    for digest_from in [0, 4_000] {
        let answer = run.answer(AnswerLimits { digest_from, ..AnswerLimits::default() });
        assert_eq!(answer.stdout.as_bytes(), run.streams[0]);
        assert!(!answer.is_partial && answer.results.is_none());
    }
}

#[test]
fn a_failing_test_run_keeps_its_failure_to_the_byte() {
    let run = recording("cargo-test-fail");
    let answer = run.answer(AnswerLimits::default());
    let raw = String::from_utf8(run.streams[0].clone()).unwrap();
    let block = &raw[raw.find("failures:\n").unwrap()..];
    assert!(answer.stdout.contains(block), "{}", answer.stdout);
    assert!(answer.stdout.contains("[left out: 399 passed tests, 1 ignored]\n"), "{}", answer.stdout);
    assert!(!answer.stdout.contains("case_236"));
    assert!(answer.is_partial && answer.stdout.chars().count() < 1_000, "{}", answer.stdout);
    let tests = tests_of(answer.results);
    let failure = FailureEntry {
        name: Some("tests::case_237".to_owned()),
        file: Some("src/lib.rs".to_owned()),
        line: Some(244),
        message: Some("assertion `left == right` failed".to_owned()),
    };
    assert_eq!((tests.failed, tests.failures), (1, vec![failure]));
}

#[test]
fn failures_behind_exit_0_are_told() {
    let answer = recording("cargo-test-true").answer(AnswerLimits::default());
    assert_eq!(tests_of(answer.results).failed, 1);
    assert_eq!(answer.notes, ["the command ended with 0 although 1 test failed"]);
}

#[test]
fn the_end_of_a_test_run_alone_is_not_read() {
    let run = recording("cargo-test-tail");
    let answer = run.answer(AnswerLimits { digest_from: 0, ..AnswerLimits::default() });
    assert_eq!(answer.stdout.as_bytes(), run.streams[0]);
    assert!(answer.results.is_none() && answer.notes.is_empty());
}

#[test]
fn a_module_that_does_not_load_is_an_error() {
    let answer = recording("pytest-collect-error").answer(AnswerLimits::default());
    assert!(answer.stdout.contains("broken/test_broken.py"));
    let tests = tests_of(answer.results);
    assert_eq!((tests.errors, tests.passed, tests.failures.len()), (1, 0, 1));
    assert_eq!(tests.failures[0].name.as_deref(), Some("broken/test_broken.py"));
}

#[test]
fn a_crash_behind_passed_tests_has_no_results() {
    let run = recording("passed-then-segfault");
    assert_eq!(run.ending, CommandEnding::Signal);
    assert!(run.answer(AnswerLimits::default()).results.is_none());
    let mut run = recording("cargo-test-pass");
    assert!(run.answer(AnswerLimits::default()).results.is_some());
    run.ending = CommandEnding::Signal;
    let answer = run.answer(AnswerLimits { digest_from: 0, ..AnswerLimits::default() });
    assert_eq!((answer.results, answer.is_partial), (None, false));
}

#[test]
fn a_run_that_was_ended_in_the_middle_has_no_results() {
    let mut run = recording("cargo-test-fail");
    run.ending = CommandEnding::TimedOut;
    assert!(run.answer(AnswerLimits::default()).results.is_none());
    let middle = run.streams[0].len() / 2;
    run.streams[0].truncate(middle);
    for ending in [CommandEnding::TimedOut, CommandEnding::Exit(137), CommandEnding::Exit(0)] {
        run.ending = ending;
        let answer = run.answer(AnswerLimits::default());
        assert!(answer.results.is_none() && !answer.is_partial, "{ending:?}");
        assert_eq!(answer.stdout.as_bytes(), run.streams[0]);
    }
}

#[test]
fn a_program_with_a_known_name_and_another_shape_is_shown_raw() {
    let run = RecordedRun::made_up("./pytest", CommandEnding::Exit(1), "all good\n", "");
    assert!(!run.programs.is_empty());
    let answer = run.answer(AnswerLimits { digest_from: 0, ..AnswerLimits::default() });
    assert_eq!((answer.stdout.as_str(), answer.results, answer.is_partial), ("all good\n", None, false));
}

#[test]
fn a_line_of_the_command_that_looks_like_ours_is_told_from_it() {
    let mut run = recording("cargo-test-fail");
    run.streams[0].extend(b"[cut: 5 lines, 10 bytes]\n[left out: 9 passed tests]\n[3 lines like these]\n");
    let shown = run.answer(AnswerLimits::default()).stdout;
    assert!(
        shown.contains("\n [cut: 5 lines, 10 bytes]\n [left out: 9 passed tests]\n [3 lines like these]\n"),
        "{shown}"
    );
    assert_eq!(shown.lines().filter(|line| line.starts_with("[left out: ")).count(), 1);
}

#[test]
fn below_the_size_of_a_digest_nothing_is_left_out() {
    let run = recording("cargo-test-pass");
    let answer = run.answer(AnswerLimits { digest_from: 4_000, ..AnswerLimits::default() });
    assert_eq!((answer.stdout.as_bytes(), answer.is_partial), (run.streams[0].as_slice(), false));
    let answer = run.answer(AnswerLimits { digest_from: 1_000, ..AnswerLimits::default() });
    assert!(answer.stdout.contains("[left out: 150 passed tests]"), "{}", answer.stdout);
    let answer = run.answer(AnswerLimits { digest_from: 0, digest: false, ..AnswerLimits::default() });
    assert_eq!((answer.is_partial, answer.results), (false, None));
}

#[test]
fn other_programs_do_not_speak_for_the_format() {
    let mut run = recording("cargo-test-fail");
    run.programs = vec![vec!["cat".to_owned(), "log.txt".to_owned()]];
    let answer = run.answer(AnswerLimits::default());
    assert_eq!((answer.stdout.as_bytes(), answer.results), (run.streams[0].as_slice(), None));
}

#[test]
fn a_passed_test_with_a_mark_in_its_name_stays() {
    let mut text = "running 60 tests\n".to_owned();
    text.extend((0..59).map(|n| format!("test case_{n} ... ok\n")));
    text.push_str("test an_error_is_told ... ok\n\ntest result: ok. 60 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n");
    let run = RecordedRun::made_up("cargo test", CommandEnding::Exit(0), &text, "");
    let shown = run.answer(AnswerLimits { digest_from: 0, ..AnswerLimits::default() }).stdout;
    assert!(
        shown.contains("test an_error_is_told ... ok\n") && shown.contains("[left out: 59 passed tests]"),
        "{shown}"
    );
}
