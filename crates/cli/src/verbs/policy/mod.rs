//! `runward policy …`: what the rules say, and whether they say what their owner means. Starts nothing, and changes
//! no rule.

mod check;
mod list;
mod suggest;
mod test;

use super::VerbResult;
use crate::args::{PolicyArgs, PolicyVerb};
use std::path::Path;

pub(super) fn run(args: &PolicyArgs, file: Option<&Path>) -> VerbResult {
    match &args.verb {
        None => list::run(&args.list, file),
        Some(PolicyVerb::List(format)) => list::run(format, file),
        Some(PolicyVerb::Check(args)) => check::run(args, file),
        Some(PolicyVerb::Test(format)) => test::run(format, file),
        Some(PolicyVerb::Suggest(format)) => suggest::run(format, file),
    }
}
