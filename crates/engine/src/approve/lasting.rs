//! "Always": its rules, and the port through which they are written to the configuration.
//!
//! May not write anything itself: the owner of the configuration lends a way to.

use runward_core::plan::Draft;
use runward_core::policy::{Rule, always};

/// Writes rules to the owner's own configuration.
pub trait Remember: Send + Sync {
    /// Where these rules would be written, for people; none where they cannot be.
    fn place(&self, rules: &[Rule]) -> Option<String>;

    /// A person approved what these rules are about, this once: noted, so that rules can be suggested later. What
    /// cannot be noted is only missing there.
    fn once(&self, rules: &[Rule]);

    /// Writes them, and reports a failure to the operator. They hold only when this says that they are written.
    fn write(&self, rules: &[Rule]) -> RuleWritten;
}

/// The result of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleWritten {
    /// It is written.
    Yes,
    /// It is not, and the reason was reported to the operator.
    No,
}

/// What "always" would mean for one draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastingRule {
    /// The rules: for exactly the commands of the draft, and nothing broader.
    pub rules: Vec<Rule>,
    /// Where they would be written.
    pub place: String,
}

impl LastingRule {
    /// None where "always" cannot be said of this draft, or not be written.
    pub(super) fn of(draft: &Draft, remember: &dyn Remember) -> Option<Self> {
        let rules = always(draft)?;
        let place = remember.place(&rules)?;
        Some(Self { rules, place })
    }
}
