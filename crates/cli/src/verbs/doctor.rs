//! `runward doctor`: what this host can do, line by line, and how to mend what it cannot.
//!
//! Works with a broken configuration too: that is one of the things it tells.

mod checks;
mod journal;
mod sandbox;

use super::Done;
use crate::args::FormatArgs;
use crate::house;
use crate::output::{Format, emit, print};
use serde::Serialize;
use std::path::Path;

/// How one thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Ok,
    Missing,
    /// Nothing runs until it is mended.
    Broken,
}

/// One line.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    fix: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), fix: None }
    }

    fn missing(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, state: State::Missing, found: found.into(), fix: Some(fix.into()) }
    }

    fn line(&self) -> String {
        let state = match self.state {
            State::Ok => "ok",
            State::Missing => "missing",
            State::Broken => "broken",
        };
        let fix = self.fix.as_ref().map(|fix| format!("\n{:29}{fix}", "")).unwrap_or_default();
        format!("{state:<9}{:<20}{}{fix}", self.name, self.found)
    }
}

#[derive(Serialize)]
struct Report<'a> {
    checks: &'a [Check],
}

pub(super) fn run(args: &FormatArgs, file: Option<&Path>) -> Done {
    let mut facts = house::facts()?;
    if let Ok(settings) = house::read(file, &facts) {
        house::choose_node(&mut facts, &settings);
    }
    let checks = checks::all(&facts, file);
    match Format::of(args) {
        Format::Plain => print(&checks.iter().map(Check::line).collect::<Vec<_>>().join("\n"))?,
        structured => emit(&Report { checks: &checks }, structured)?,
    }
    Ok(if checks.iter().any(|check| check.state == State::Broken) { 125 } else { 0 })
}
