//! Every recording as it is: its facts are shown, and what was counted is what the tool's own report says.

use super::recording::{RecordedRun, recorded};
use super::verdict::AnswerFaults;
use runward_core::digest::{AnswerLimits, RunResults};

#[test]
fn every_fact_of_every_recording_is_shown_or_in_an_addressed_cut() {
    let limits = AnswerLimits::default();
    for run in recorded() {
        for (max_chars, digest_from) in [(24_000, 4_000), (24_000, 0), (2_000, 0)] {
            let limits = AnswerLimits { max_chars, digest_from, ..limits };
            let answer = run.answer(limits);
            let faults = AnswerFaults::of(&run, &answer, limits);
            assert!(
                faults.is_none(),
                "{} {limits:?}: {faults:?}\n{}\n{}",
                run.name,
                answer.stdout,
                answer.stderr
            );
        }
    }
}

#[test]
fn every_fact_is_shown_outright_at_the_usual_size() {
    for run in recorded() {
        let answer = run.answer(AnswerLimits::default());
        for fact in &run.facts {
            let is_shown = answer.stdout.contains(fact) || answer.stderr.contains(fact);
            assert!(is_shown, "{}: {fact}", run.name);
        }
    }
}

#[test]
fn only_recordings_lie_there_and_there_are_many() {
    let all = recorded();
    assert!(all.len() >= 60, "only {} recordings", all.len());
    assert!(all.iter().map(|run| run.facts.len()).sum::<usize>() >= 59);
    for run in &all {
        assert!(!run.programs.is_empty(), "{} is not understood", run.name);
        for fact in &run.facts {
            assert!(run.rendered().iter().any(|text| text.contains(fact)), "{}: {fact}", run.name);
        }
    }
}

/// What each recording's own report says: passed, failed, errors, skipped.
#[test]
fn tests_are_counted_as_the_tools_own_reports_count_them() {
    for (name, counts) in [
        ("cargo-test-fail", Some([399, 1, 0, 1])),
        ("cargo-test-quiet", Some([399, 1, 0, 1])),
        ("cargo-test-pass", Some([150, 0, 0, 0])),
        ("cargo-test-crash", None),
        ("cargo-test-merged", Some([399, 1, 0, 1])),
        ("cargo-test-no-match", Some([0, 0, 0, 0])),
        ("nextest-fail", Some([400, 1, 0, 1])),
        ("nextest-fail-fast", None),
        ("nextest-crash", Some([150, 1, 0, 0])),
        ("pytest-fail", Some([400, 1, 0, 1])),
        ("pytest-v-fail", Some([400, 1, 0, 1])),
        ("pytest-pass", Some([400, 0, 0, 1])),
        ("pytest-q-fail", None),
        ("pytest-collect-error", Some([0, 0, 1, 0])),
        ("pytest-none", None),
        ("pytest-forced-exit", None),
        ("pytest-aborted", None),
        ("unittest-fail", Some([149, 1, 0, 1])),
        ("unittest-dots", Some([149, 1, 0, 1])),
        ("vitest-fail", Some([150, 1, 0, 0])),
        ("vitest-verbose", Some([150, 1, 0, 0])),
        ("npm-test-vitest", Some([150, 1, 0, 0])),
        ("vitest-suite-error", Some([90, 0, 1, 0])),
        ("jest-fail", Some([150, 1, 0, 0])),
        ("jest-suite-error", Some([90, 0, 1, 0])),
        ("go-test-v", Some([99, 1, 0, 0])),
        ("go-test-json", Some([99, 1, 0, 0])),
        ("go-test-build-error", None),
        ("go-test-panic", Some([60, 1, 0, 0])),
        ("maven-fail", Some([19, 1, 0, 0])),
        ("passed-then-segfault", None),
        ("git-log", None),
    ] {
        assert_eq!(test_counts(&super::recording::recording(name)), counts, "{name}");
    }
}

fn test_counts(run: &RecordedRun) -> Option<[u64; 4]> {
    match run.answer(AnswerLimits::default()).results? {
        RunResults::Tests(tests) => Some([tests.passed, tests.failed, tests.errors, tests.skipped]),
        RunResults::Problems(_) => None,
    }
}

/// Errors and warnings, and how many of them are listed.
#[test]
fn problems_are_counted_as_the_tools_own_reports_count_them() {
    for (name, counts) in [
        ("cargo-build-fail", Some((2, 1))),
        ("cargo-clippy-colours", Some((2, 1))),
        ("cargo-check-many", Some((1, 1))),
        ("tsc-fail", Some((62, 0))),
        ("eslint-fail", Some((80, 0))),
        ("ruff-fail", Some((4, 0))),
        ("ruff-bad-config", None),
        ("mypy-fail", Some((3, 0))),
        ("mypy-usage", None),
        ("make-gcc-fail", Some((2, 7))),
        ("clang-fail", Some((2, 4))),
        ("make-gcc-pass", None),
        ("maven-compile-error", Some((1, 0))),
        ("npm-install-404", Some((1, 0))),
        ("pnpm-install-404", Some((1, 0))),
        ("pip-missing", Some((2, 0))),
        ("uv-missing", Some((1, 0))),
        ("ls-recursive", None),
    ] {
        let counted = match super::recording::recording(name).answer(AnswerLimits::default()).results {
            Some(RunResults::Problems(problems)) => Some((problems.errors, problems.warnings)),
            _ => None,
        };
        assert_eq!(counted, counts, "{name}");
    }
}
