//! `runward policy test`: the examples inside the rules, tried one by one.
//!
//! A file whose examples do not hold refuses to load, here as everywhere; what is shown is what held.

use super::Done;
use crate::args::FormatArgs;
use crate::house::House;
use crate::output::{Format, emit, print};
use runward::config::RuleSetting;
use serde::Serialize;
use std::path::Path;

/// One rule, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Tried {
    rule: String,
    origin: String,
    decision: &'static str,
    matches: Vec<String>,
    not_matches: Vec<String>,
}

impl Tried {
    fn of(setting: &RuleSetting) -> Self {
        let rule = &setting.rule;
        Self {
            rule: rule.name.clone(),
            origin: setting.origin.to_string(),
            decision: rule.decision.name(),
            matches: rule.examples.clone(),
            not_matches: rule.counterexamples.clone(),
        }
    }

    fn lines(&self) -> String {
        let hold = |sign: &str, example: &String| format!("\n  ok: {sign} {example}");
        let examples = self.matches.iter().map(|example| hold("matches", example));
        let counter = self.not_matches.iter().map(|example| hold("does not match", example));
        let all: String = examples.chain(counter).collect();
        let none = if all.is_empty() { "\n  no examples" } else { "" };
        format!("{} `{}` ({}){all}{none}\n", self.decision, self.rule, self.origin)
    }
}

pub(super) fn run(format: &FormatArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?;
    let tried: Vec<Tried> = house.settings.configured_rules().map(Tried::of).collect();
    match Format::of(format) {
        Format::Plain => {
            let examples: usize = tried.iter().map(|rule| rule.matches.len() + rule.not_matches.len()).sum();
            let rules: String = tried.iter().map(Tried::lines).collect();
            print(&format!("{rules}{} rules, {examples} examples hold", tried.len()))?;
        }
        structured => emit(&tried, structured)?,
    }
    Ok(0)
}
