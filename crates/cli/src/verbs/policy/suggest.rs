//! `runward policy suggest`: rules that would have allowed what a person approved once, never broader than that.
//!
//! It prints; adding a rule to a file is for its owner to do.

use super::VerbResult;
use crate::agreed;
use crate::args::FormatArgs;
use crate::output::{OutputFormat, VerbFailure, emit, print};
use crate::setup::Setup;
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

pub(super) fn run(format: &FormatArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let known: Vec<&Rule> = setup.settings.configured_rules().map(|setting| &setting.rule).collect();
    let noted = match setup.reader()? {
        Some(journal) => agreed::recorded(&journal)?,
        None => noted(&setup)?,
    };
    let new = noted.into_iter().filter(|(rule, _)| !known.contains(&rule));
    let suggestions: Vec<Suggestion> = new
        .filter_map(|(rule, agreed)| {
            Some(Suggestion { agreed, toml: rule_table(&rule)?.trim().to_owned(), rule: rule.name })
        })
        .collect();
    match OutputFormat::of(format) {
        OutputFormat::Plain => print(&text(&suggestions))?,
        structured => emit(&suggestions, structured)?,
    }
    Ok(0)
}

/// The approvals noted where there is no journal.
fn noted(setup: &Setup) -> Result<Vec<(Rule, usize)>, VerbFailure> {
    let Some(notes) = agreed::notes(&setup.facts) else { return Ok(Vec::new()) };
    agreed::noted(&notes).map_err(|error| VerbFailure::host("what was agreed to cannot be read", &error))
}

fn text(suggestions: &[Suggestion]) -> String {
    if suggestions.is_empty() {
        return "# every approved command is covered by a rule".to_owned();
    }
    let one = |suggestion: &Suggestion| {
        let times =
            if suggestion.agreed == 1 { "once".to_owned() } else { format!("{} times", suggestion.agreed) };
        format!("# agreed to {times}\n{}", suggestion.toml)
    };
    suggestions.iter().map(one).collect::<Vec<_>>().join("\n\n")
}
