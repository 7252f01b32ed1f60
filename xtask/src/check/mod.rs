//! `cargo xtask test`: every check, in order, stopping at the first that fails.
//!
//! May not know what a check does: see [`steps`].

mod flags;
mod help;
mod steps;

use crate::ChoreResult;
use crate::root::RepositoryRoot;
use crate::times::Times;
use flags::CheckFlags;
use steps::{CheckStep, STEPS};

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "every check [--fast] [--advisories] [--only STEP] [--help]";

/// The names of all steps, in order.
pub(crate) fn step_names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// `cargo xtask test`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let flags = CheckFlags::read(words)?;
    if flags.help {
        print!("{}", help::page());
        return Ok(());
    }
    let wanted: Vec<&CheckStep> = STEPS.iter().filter(|step| flags.wants(step)).collect();
    println!("{}", help::expectation(&wanted));
    let mut times = Times::default();
    for step in wanted {
        times.step(step.name, step.about, || (step.run)(root, &flags))?;
    }
    print!("\n{times}");
    println!("all checks passed");
    Ok(())
}

impl CheckFlags {
    /// The names of the steps of this run.
    pub(crate) fn steps(&self) -> Vec<&'static str> {
        STEPS.iter().filter(|step| self.wants(step)).map(|step| step.name).collect()
    }

    /// Whether a step is part of this run.
    fn wants(&self, step: &CheckStep) -> bool {
        match &self.only {
            // What the one step needs is brought first.
            Some(only) => only == step.name || step.name == "install",
            None => !(self.fast && step.slow),
        }
    }
}
