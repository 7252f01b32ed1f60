//! `runward doctor`: what this host can do, line by line, and how to fix what is missing.
//!
//! Works with a broken configuration too: that is one of the things it reports.

mod checks;
mod clients;
mod hooks;
mod journal;
mod sandbox;

use super::VerbResult;
use crate::args::FormatArgs;
use crate::output::{OutputFormat, emit, print};
use crate::setup;
use serde::Serialize;
use std::path::Path;

/// How one thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum CheckState {
    Ok,
    Missing,
    /// Nothing runs until it is fixed.
    Broken,
}

/// One line.
#[derive(Debug, Serialize)]
struct DoctorCheck {
    name: &'static str,
    state: CheckState,
    found: String,
    fix: Option<String>,
}

impl DoctorCheck {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: CheckState::Ok, found: found.into(), fix: None }
    }

    fn missing(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, state: CheckState::Missing, found: found.into(), fix: Some(fix.into()) }
    }

    fn line(&self) -> String {
        let state = match self.state {
            CheckState::Ok => "ok",
            CheckState::Missing => "missing",
            CheckState::Broken => "broken",
        };
        let fix = self.fix.as_ref().map(|fix| format!("\n{:29}{fix}", "")).unwrap_or_default();
        format!("{state:<9}{:<20}{}{fix}", self.name, self.found)
    }
}

#[derive(Serialize)]
struct DoctorReport<'a> {
    checks: &'a [DoctorCheck],
}

pub(super) fn run(args: &FormatArgs, file: Option<&Path>) -> VerbResult {
    let mut facts = setup::facts()?;
    if let Ok(settings) = setup::read(file, &facts) {
        setup::choose_node(&mut facts, &settings);
    }
    let checks = checks::all(&facts, file);
    match OutputFormat::of(args) {
        OutputFormat::Plain => print(&checks.iter().map(DoctorCheck::line).collect::<Vec<_>>().join("\n"))?,
        structured => emit(&DoctorReport { checks: &checks }, structured)?,
    }
    Ok(if checks.iter().any(|check| check.state == CheckState::Broken) { 125 } else { 0 })
}
