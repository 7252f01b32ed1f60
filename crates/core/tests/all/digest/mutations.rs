//! Thousands of accidents, the same each time. `cargo xtask digest` runs many more and prints the table.
#![expect(clippy::disallowed_methods, reason = "how many accidents there are is told by the environment")]

use super::mutation::{SeededNumbers, mutated};
use super::recording::{RecordedRun, recorded};
use super::shapes;
use super::verdict::AnswerFaults;
use runward_core::digest::AnswerLimits;

/// How many each recording meets among the checks.
const AMONG_THE_CHECKS: usize = 28;
/// The variable that says how many instead.
const COUNT: &str = "RUNWARD_DIGEST_MUTATIONS";

/// The sizes of answers that are tried.
const BUDGETS: [usize; 4] = [24_000, 24_000, 6_000, 1_500];

#[test]
fn no_accident_loses_a_failure_or_makes_it_look_good() {
    let asked = std::env::var(COUNT).ok().map(|count| count.parse().unwrap());
    let mut runs = recorded();
    runs.extend(shapes::made_up());
    let mut table = vec![MutationRow::HEAD.to_owned()];
    let (mut sum, mut examples) =
        (MutationRow { name: "all".to_owned(), ..MutationRow::default() }, Vec::new());
    for (seed, run) in runs.iter().enumerate() {
        // Among the checks a long output meets fewer.
        let size: usize = run.streams.iter().map(Vec::len).sum();
        let count = asked.unwrap_or_else(|| AMONG_THE_CHECKS.min(2 + 100_000 / size.max(1)));
        let row = MutationRow::of(run, &runs, count, seed as u64, &mut examples);
        sum.add(&row);
        table.push(row.to_string());
    }
    table.push(sum.to_string());
    if asked.is_some() {
        println!("{}\n{}", table.join("\n"), super::speed::table());
    }
    assert!(
        examples.is_empty(),
        "{} went wrong; the first: {:#?}",
        examples.len(),
        &examples[..examples.len().min(8)]
    );
    assert_eq!((sum.lost, sum.false_greens), (0, 0));
    assert!(sum.mutations >= 2_000, "only {} accidents", sum.mutations);
}

/// One line of the table.
#[derive(Debug, Default)]
struct MutationRow {
    name: String,
    raw: usize,
    shown: usize,
    facts: usize,
    mutations: usize,
    lost: usize,
    false_greens: usize,
}

impl MutationRow {
    const HEAD: &'static str = "recording                      raw chars  raw tokens  shown chars  shown tokens  facts  mutations  lost  false greens";

    fn of(
        run: &RecordedRun,
        all: &[RecordedRun],
        count: usize,
        seed: u64,
        examples: &mut Vec<String>,
    ) -> Self {
        let limits = AnswerLimits::default();
        let letters = |bytes: &Vec<u8>| bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        let answer = run.answer(limits);
        let results =
            answer.results.as_ref().map_or(0, |results| serde_json::to_string(results).unwrap().len());
        let mut row = Self {
            name: run.name.chars().take(28).collect(),
            raw: run.streams.iter().map(letters).sum(),
            shown: answer.stdout.chars().count() + answer.stderr.chars().count() + results,
            facts: run.facts.len(),
            mutations: count,
            ..Self::default()
        };
        row.judge(run, run, limits, examples);
        let mut numbers = SeededNumbers::new(seed);
        for _ in 0..count {
            let made = mutated(run, all, &mut numbers);
            let max_chars = BUDGETS[numbers.below(BUDGETS.len())];
            let digest_from = if numbers.below(2) == 0 { 0 } else { limits.digest_from };
            row.judge(run, &made, AnswerLimits { max_chars, digest_from, ..limits }, examples);
        }
        row
    }

    fn judge(
        &mut self,
        run: &RecordedRun,
        made: &RecordedRun,
        limits: AnswerLimits,
        examples: &mut Vec<String>,
    ) {
        let answer = made.answer(limits);
        let faults = AnswerFaults::of(made, &answer, limits);
        self.lost += usize::from(!faults.lost.is_empty());
        self.false_greens += usize::from(!faults.false_greens.is_empty());
        if !faults.is_none() {
            let (out, err) = (&answer.stdout, &answer.stderr);
            examples.push(format!(
                "{} {:?} {limits:?} {faults:?}\nprograms {:?}\nstdout {out:.1500}\nstderr {err:.1500}",
                run.name, made.ending, made.programs
            ));
        }
    }

    fn add(&mut self, row: &Self) {
        self.raw += row.raw;
        self.shown += row.shown;
        self.facts += row.facts;
        self.mutations += row.mutations;
        self.lost += row.lost;
        self.false_greens += row.false_greens;
    }
}

impl std::fmt::Display for MutationRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // 3.3 characters of real output are a token.
        let tokens = |chars: usize| chars * 10 / 33;
        write!(
            f,
            "{:<28} {:>11} {:>11} {:>12} {:>13} {:>6} {:>10} {:>5} {:>13}",
            self.name,
            self.raw,
            tokens(self.raw),
            self.shown,
            tokens(self.shown),
            self.facts,
            self.mutations,
            self.lost,
            self.false_greens
        )
    }
}
