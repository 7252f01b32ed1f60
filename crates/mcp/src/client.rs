//! One client: its name, its finished commands, and how much it wants to hear.
//!
//! Nothing of one client can be reached by another. May not outlive its connection.

use crate::log::Threshold;
use crate::shelf::Shelf;
use runward::{Caller, Door, Hand};

/// Everything that belongs to one client alone.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// What it ran, for reading later.
    pub(crate) shelf: Shelf,
    /// From which level on it wants log messages.
    pub(crate) threshold: Threshold,
}

/// Who asks, under the name that the client gave itself.
pub(crate) fn caller(name: Option<String>) -> Caller {
    Caller { door: Door::Mcp, hand: Hand::Program, name }
}
