//! What is shown of recorded tools, and how long an answer about a megabyte of each kind takes. The recordings are those of
//! core's tests.

use runward_engine::core::digest::{
    AnswerInput, AnswerLimits, CommandEnding, StreamAnswers, StreamInput, StreamPiece, answer,
};
use runward_engine::core::policy::commands_of;
use runward_engine::core::redact::Redactor;
use runward_engine::core::spec::CommandSpec;
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use testkit::measure::{Amount, ResultRow, TargetSide, time};

/// What stands beside a recording.
#[derive(Deserialize)]
struct BenchSheet {
    command: String,
    exit: Option<i32>,
    facts: Vec<String>,
}

/// A command that ran once.
struct BenchRecording {
    sheet: BenchSheet,
    streams: [Vec<u8>; 2],
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/recordings"))
}

impl BenchRecording {
    fn named(name: &str) -> Self {
        let file = |ending: &str| folder().join(format!("{name}.{ending}"));
        let sheet = fs::read_to_string(file("toml")).expect("a recording");
        let stream = |ending| fs::read(file(ending)).expect("a recording");
        Self { sheet: toml::from_str(&sheet).expect("a sheet"), streams: [stream("out"), stream("err")] }
    }

    /// The same over and over, up to a megabyte.
    fn grown(mut self) -> Self {
        let stream = usize::from(self.streams[0].len() < self.streams[1].len());
        let times = (1 << 20) / self.streams[stream].len().max(1);
        self.streams[stream] = self.streams[stream].repeat(times);
        self
    }

    fn answer(&self, redactor: &Redactor) -> StreamAnswers {
        let pieces = self.streams.each_ref().map(|bytes| [StreamPiece { offset: 0, bytes }]);
        let input = |stream: usize| StreamInput {
            pieces: &pieces[stream],
            total: self.streams[stream].len() as u64,
            binary: false,
        };
        answer(&AnswerInput {
            id: "019a96f2-5a3e-7c10-8f53-d3a1c0b7e2f4",
            stdout: input(0),
            stderr: input(1),
            programs: &commands_of(&CommandSpec::shell(&*self.sheet.command).program),
            ending: self.sheet.exit.map_or(CommandEnding::Signal, CommandEnding::Exit),
            limits: AnswerLimits::default(),
            redactor: Some(redactor),
        })
    }
}

/// Somebody who has two secrets.
fn redactor() -> Redactor {
    let secrets =
        [("GITHUB_TOKEN", "ghp_aZ3kQ9sLmX7vT1bR5nYw2cE8uHdJ4fGi0"), ("PGPASSWORD", "correct-horse-7")];
    let secrets = secrets.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Redactor::of(secrets.iter().map(|(name, value)| (name, value)))
}

/// The recordings that the target was set with; the two largest of them are made anew elsewhere (8 000 tests, 5 000 retries).
const FIRST: &str = "cargo-build-fail cargo-build-json cargo-clippy-colours cargo-test-fail cargo-test-filter cargo-test-no-match \
cargo-test-quiet cargo-test-tail cargo-test-true eslint-fail git-log git-outside go-test-build-error go-test-json go-test-v go-vet \
jest-fail ls-recursive make-gcc-fail make-gcc-pass mypy-fail npm-install-404 npm-missing-script npm-run-lint passed-then-segfault \
pip-missing progress pytest-aborted pytest-collect-error pytest-fail pytest-none pytest-pass pytest-v-fail ruff-fail tsc-fail \
unittest-fail vitest-fail";

/// Recordings at the usual size: how much is shown, and whether anything is missing that a report of the tool's own has.
pub(crate) fn shown() -> Vec<ResultRow> {
    let first: Vec<String> = FIRST.split(' ').map(str::to_owned).collect();
    let mut all: Vec<String> = fs::read_dir(folder())
        .expect("recordings")
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
        .collect();
    all.sort();
    let most = TargetSide::Within(number(50_000));
    [shown_of("first", &first, most), shown_of("all", &all, TargetSide::ToKnow)]
        .into_iter()
        .flatten()
        .collect()
}

fn shown_of(which: &str, names: &[String], most: TargetSide) -> [ResultRow; 2] {
    let (mut raw, mut shown, mut facts, mut lost) = (0, 0, 0, 0);
    let redactor = redactor();
    for name in names {
        let run = BenchRecording::named(name);
        let said = run.answer(&redactor);
        let results = said
            .results
            .as_ref()
            .map_or(0, |results| serde_json::to_string(results).expect("it is JSON").chars().count());
        raw += run
            .streams
            .iter()
            .flat_map(|bytes| bytes.utf8_chunks())
            .map(|chunk| chunk.valid().chars().count())
            .sum::<usize>();
        shown += said.stdout.chars().count() + said.stderr.chars().count() + results;
        facts += run.sheet.facts.len();
        let is_lost = |fact: &&String| !said.stdout.contains(*fact) && !said.stderr.contains(*fact);
        lost += run.sheet.facts.iter().filter(is_lost).count();
    }
    let what = format!("{which} {} recordings: tokens shown, at 3.3 characters each", names.len());
    let lost_of = format!("{which} {} recordings: facts lost, of {facts}", names.len());
    [
        ResultRow::alone(&what, most, &mut [number(tokens(shown))]).beside(number(tokens(raw))),
        ResultRow::alone(&lost_of, TargetSide::Within(number(0)), &mut [number(lost)]),
    ]
}

fn tokens(characters: usize) -> usize {
    characters * 10 / 33
}

fn number(value: usize) -> Amount {
    Amount::Number(f64::from(u32::try_from(value).expect("a small number")))
}

/// Recordings that are made a megabyte of: one of each format, of no format, and one in colours.
const MEGABYTES: [&str; 14] = [
    "cargo-test-fail",
    "nextest-fail",
    "cargo-check-many",
    "cargo-clippy-colours",
    "pytest-v-fail",
    "unittest-fail",
    "npm-test-vitest",
    "jest-fail",
    "go-test-v",
    "go-test-json",
    "tsc-fail",
    "eslint-fail",
    "maven-fail",
    "ls-recursive",
];

/// An answer about a megabyte of each kind: read, masked, digested, folded and cut.
pub(crate) fn megabytes(turns: usize) -> Vec<ResultRow> {
    let redactor = redactor();
    let most = TargetSide::Within(Amount::Time(Duration::from_millis(10)));
    let row = |name: &&str| {
        let run = BenchRecording::named(name).grown();
        let mut times: Vec<Amount> =
            (0..3 * turns).map(|_| Amount::Time(time(|| drop(run.answer(&redactor))))).collect();
        ResultRow::alone(&format!("digest of 1 MiB: {name}"), most, &mut times)
    };
    MEGABYTES.iter().map(row).collect()
}

/// What `cargo test` prints about 8 000 tests.
pub(crate) fn one_of_8000_fails() -> String {
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
    text
}
