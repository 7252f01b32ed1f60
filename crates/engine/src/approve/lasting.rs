//! "Always": the rules it comes to, and the port through which they are written down.
//!
//! May not write anything itself: whoever owns the configuration lends a way to.

use runward_core::plan::Draft;
use runward_core::policy::{Rule, always};

/// Writes rules to the owner's own configuration.
pub trait Remember: Send + Sync {
    /// Where these rules would be written, for people; none where they cannot be.
    fn place(&self, rules: &[Rule]) -> Option<String>;

    /// A person agreed to what these rules are about, this once: noted, so that rules can be suggested later. What
    /// cannot be noted is only missing there.
    fn once(&self, rules: &[Rule]);

    /// Writes them, and tells the operator where that fails. They hold only when this says that they are written.
    fn write(&self, rules: &[Rule]) -> Written;
}

/// What became of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is written.
    Yes,
    /// It is not, and the operator was told why.
    No,
}

/// What "always" would come to for one draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasting {
    /// The rules: for the very commands of the draft, and nothing broader.
    pub rules: Vec<Rule>,
    /// Where they would be written.
    pub place: String,
}

impl Lasting {
    /// None where "always" cannot be said of this draft, or not be written down.
    pub(super) fn of(draft: &Draft, remember: &dyn Remember) -> Option<Self> {
        let rules = always(draft)?;
        let place = remember.place(&rules)?;
        Some(Self { rules, place })
    }
}
