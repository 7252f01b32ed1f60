//! Steps that depend on each other: their order, and what may run at once. May not run them.
//!
//! Read first: [`StepsProgress`], which says what may start next and takes in how it ended. A runner reads steps ([`read()`]), puts
//! them in order ([`StepOrder`]), and goes round: fill in what [`StepsProgress::ready`] gives, run it, tell [`StepsProgress::ended`].

mod order;
mod progress;
mod read;
mod record;

pub use order::StepOrder;
pub use progress::{StepEnding, StepsProgress, Turn};
pub use read::{MOST_TRIES_AGAIN, read};
pub use record::{Finished, RememberedSteps, digest};

use crate::Mark;

/// One step, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepText {
    /// Its name, by which others need it and read what it printed.
    pub id: String,
    /// The prompt; a template.
    pub run: String,
    /// The command it is for; the file's own where none is named.
    pub command: Option<String>,
    /// The steps that come before it.
    pub needs: Vec<String>,
    /// A template that must become `true`, or the step is left out.
    pub when: Option<String>,
    /// How often it is tried again after it failed.
    pub retry: u32,
    /// Where it stands.
    pub mark: Mark,
}

impl StepText {
    /// Whether a step is to run, from what its `when` became.
    pub fn is_wanted(filled: &str) -> bool {
        filled.trim() == "true"
    }
}
