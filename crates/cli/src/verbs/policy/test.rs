//! `runward policy test`: the examples inside the rules, tested one by one.
//!
//! A file with a failing example does not load, here as everywhere; what is shown is what passed.

use super::VerbResult;
use crate::args::FormatArgs;
use crate::output::{OutputFormat, emit, print};
use crate::setup::Setup;
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

pub(super) fn run(format: &FormatArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let tried: Vec<Tried> = setup.settings.configured_rules().map(Tried::of).collect();
    match OutputFormat::of(format) {
        OutputFormat::Plain => {
            let examples: usize = tried.iter().map(|rule| rule.matches.len() + rule.not_matches.len()).sum();
            let rules: String = tried.iter().map(Tried::lines).collect();
            print(&format!("{rules}{} rules, {examples} examples hold", tried.len()))?;
        }
        structured => emit(&tried, structured)?,
    }
    Ok(0)
}
