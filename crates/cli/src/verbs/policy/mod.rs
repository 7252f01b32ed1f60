//! `runward policy …`: what the rules say, and whether they say what their owner means. Starts nothing, and changes
//! no rule.

mod check;
mod suggest;
mod test;

use super::VerbResult;
use crate::args::PolicyVerb;
use std::path::Path;

pub(super) fn run(verb: &PolicyVerb, file: Option<&Path>) -> VerbResult {
    match verb {
        PolicyVerb::Check(args) => check::run(args, file),
        PolicyVerb::Test(format) => test::run(format, file),
        PolicyVerb::Suggest(format) => suggest::run(format, file),
    }
}
