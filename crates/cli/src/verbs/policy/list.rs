//! `runward policy list`: the rules in force, and where each came from.

use super::VerbResult;
use crate::args::FormatArgs;
use crate::output::{OutputFormat, emit, print};
use crate::rules::RulesInForce;
use crate::setup::Setup;
use std::path::Path;

pub(super) fn run(format: &FormatArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let rules = RulesInForce::of(&setup.settings, &setup.settings.policy());
    match OutputFormat::of(format) {
        OutputFormat::Plain => print(&rules.text())?,
        structured => emit(&rules, structured)?,
    }
    Ok(0)
}
