//! `runward policy suggest`: rules that would have covered what a person agreed to once, never broader than that.
//!
//! It prints; adding a rule to a file is for its owner to do.

use super::Done;
use crate::agreed;
use crate::args::FormatArgs;
use crate::house::House;
use crate::output::{Failure, Format, emit, print};
use runward::config::rule_table;
use runward::core::policy::Rule;
use serde::Serialize;
use std::path::Path;

/// One suggestion, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Suggestion {
    agreed: usize,
    rule: String,
    toml: String,
}

pub(super) fn run(format: &FormatArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?;
    let known: Vec<&Rule> = house.settings.configured_rules().map(|setting| &setting.rule).collect();
    let noted = match house.reader()? {
        Some(journal) => agreed::recorded(&journal)?,
        None => noted(&house)?,
    };
    let new = noted.into_iter().filter(|(rule, _)| !known.contains(&rule));
    let suggestions: Vec<Suggestion> = new
        .filter_map(|(rule, agreed)| {
            Some(Suggestion { agreed, toml: rule_table(&rule)?.trim().to_owned(), rule: rule.name })
        })
        .collect();
    match Format::of(format) {
        Format::Plain => print(&text(&suggestions))?,
        structured => emit(&suggestions, structured)?,
    }
    Ok(0)
}

/// What was noted where there is no journal.
fn noted(house: &House) -> Result<Vec<(Rule, usize)>, Failure> {
    let Some(notes) = agreed::notes(&house.facts) else { return Ok(Vec::new()) };
    agreed::noted(&notes).map_err(|error| Failure::host("what was agreed to cannot be read", &error))
}

fn text(suggestions: &[Suggestion]) -> String {
    if suggestions.is_empty() {
        return "# nothing was agreed to that a rule does not cover".to_owned();
    }
    let one = |suggestion: &Suggestion| {
        let times =
            if suggestion.agreed == 1 { "once".to_owned() } else { format!("{} times", suggestion.agreed) };
        format!("# agreed to {times}\n{}", suggestion.toml)
    };
    suggestions.iter().map(one).collect::<Vec<_>>().join("\n\n")
}
