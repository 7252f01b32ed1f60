//! What an answer may not do: lose a fact, lose a marked line, or say that something bad went well. May not look at how an
//! answer is made.

use super::recording::RecordedRun;
use runward_core::digest::{AnswerLimits, CommandEnding, StreamAnswers, is_marked, written_cost};
use std::collections::HashMap;

/// What is wrong with an answer.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct AnswerFaults {
    /// Facts and marked lines that are neither shown nor inside an addressed cut.
    pub(crate) lost: Vec<String>,
    /// Words of ours, or results, that make a bad ending look good.
    pub(crate) false_greens: Vec<String>,
    /// What is longer than it may be.
    pub(crate) too_long: Vec<String>,
}

impl AnswerFaults {
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Looks for them.
    pub(crate) fn of(run: &RecordedRun, answer: &StreamAnswers, limits: AnswerLimits) -> Self {
        let rendered = run.rendered();
        let mut faults = Self::default();
        let shown = [&answer.stdout, &answer.stderr];
        let cut = [0, 1].map(|index| cut_text(&run.streams[index], shown[index]));
        for fact in &run.facts {
            let has = |texts: [&String; 2]| texts.iter().any(|text| text.contains(fact.as_str()));
            if has(rendered.each_ref()) && !has(shown) && !has(cut.each_ref()) {
                faults.lost.push(fact.clone());
            }
        }
        for index in 0..2 {
            faults.lost.extend(lost_marks(&rendered[index], shown[index], &cut[index]));
            if written_cost(shown[index]) > written_cost(&rendered[index]) {
                faults.too_long.push(format!("stream {index} is longer than it was"));
            }
        }
        let cost = written_cost(&answer.stdout) + written_cost(&answer.stderr);
        if cost > limits.max_chars + 400 {
            faults.too_long.push(format!("{cost} of {}", limits.max_chars));
        }
        if run.ending != CommandEnding::Exit(0) {
            faults.false_greens = false_greens(answer);
        }
        faults
    }
}

/// The marked lines that were there and are not any more. A folded run keeps its first and last line, which are equal.
fn lost_marks(rendered: &str, shown: &str, cut: &str) -> Vec<String> {
    let mut kept: HashMap<&str, usize> = HashMap::new();
    for line in shown.lines().chain(cut.lines()) {
        *kept.entry(line).or_default() += 1;
    }
    let is_long = |line: &str| line.chars().count() > 1000;
    let lost = |line: &&str| !kept.contains_key(line) && is_marked(line) && !is_long(line);
    rendered.lines().filter(lost).map(str::to_owned).collect()
}

/// Lines of ours: what a command prints is moved by a blank where it looks like one.
fn is_ours(line: &str) -> bool {
    let number =
        |rest: &str| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" lines like these]");
    ["[cut: ", "[left out: ", "[whole: "].iter().any(|word| line.starts_with(word))
        || line
            .strip_prefix('[')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && number(rest))
}

fn false_greens(answer: &StreamAnswers) -> Vec<String> {
    let lines = answer.stdout.lines().chain(answer.stderr.lines()).filter(|line| is_ours(line));
    let said = lines.chain(answer.notes.iter().map(String::as_str));
    let mut found: Vec<String> = said.filter(|line| sounds_good(line)).map(str::to_owned).collect();
    if let Some(results) = answer.results.as_ref().filter(|results| results.bad() == 0) {
        found.push(format!("{results:?}"));
    }
    found
}

/// Whether words of ours say that something went well, apart from a counted `N passed tests`.
fn sounds_good(line: &str) -> bool {
    let line = line.to_lowercase();
    let counted = line.replacen("passed tests", "", 1).replacen("passed test", "", 1);
    let line = if line.starts_with("[left out: ") { counted } else { line };
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '✓' | '✔')).collect();
    let is_good = |word: &&str| {
        matches!(*word, "ok" | "pass" | "passed" | "clean" | "✓" | "✔") || word.starts_with("success")
    };
    let nothing = ["no errors", "no issues", "no problems"].iter().any(|words| line.contains(words));
    words.iter().any(is_good)
        || nothing
        || line.contains("all ") && (line.contains("good") || line.contains("fine"))
}

/// Everything behind the addresses of cuts, as `read_output` would give it.
fn cut_text(bytes: &[u8], shown: &str) -> String {
    let mut text = String::new();
    for (from, to) in cuts(shown) {
        assert!(from < to && to <= bytes.len(), "a cut of {from}..{to} in {} bytes", bytes.len());
        text.push_str(&super::recording::page_of(bytes, from, to));
        text.push('\n');
    }
    text
}

/// Where the cuts of a shown stream are in its bytes.
pub(crate) fn cuts(shown: &str) -> Vec<(usize, usize)> {
    shown.lines().filter_map(cut_of).collect()
}

/// The stretch that a line of ours stands for.
pub(crate) fn cut_of(line: &str) -> Option<(usize, usize)> {
    let (amount, address) = line.strip_prefix("[cut: ")?.split_once("; read_output ")?;
    let bytes: usize = amount.split(", ").find_map(|part| part.strip_suffix(" bytes"))?.parse().ok()?;
    let offset = address.split_once("\"offset\":")?.1;
    let from: usize = offset.strip_suffix("}]")?.parse().ok()?;
    Some((from, from + bytes))
}

#[test]
fn words_that_sound_good_are_heard() {
    for line in
        ["[left out: 3 passed tests, all fine]", "[cut: ok]", "no errors", "Successfully done", "[whole: ✓]"]
    {
        assert!(sounds_good(line), "{line}");
    }
    for line in ["[left out: 3 passed tests, 1 ignored]", "[12 lines like these]", "book a token"] {
        assert!(!sounds_good(line), "{line}");
    }
}
