//! `cargo xtask test`: every check, in order, stopping at the first that fails.
//!
//! May not know what a check does: see [`steps`].

mod flags;
mod steps;

use crate::ChoreResult;
use crate::root::RepositoryRoot;
use crate::times::Times;
use flags::CheckFlags;
use steps::{CheckStep, STEPS};

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "every check [--fast] [--advisories] [--only STEP]";

/// `cargo xtask test`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let flags = CheckFlags::read(words)?;
    let mut times = Times::default();
    for step in STEPS.iter().filter(|step| flags.wants(step)) {
        times.step(step.name, step.about, || (step.run)(root, &flags))?;
    }
    print!("\n{times}");
    println!("all checks passed");
    Ok(())
}

impl CheckFlags {
    /// Whether a step is part of this run.
    fn wants(&self, step: &CheckStep) -> bool {
        match &self.only {
            Some(only) => only == step.name,
            None => !(self.fast && step.slow),
        }
    }
}
