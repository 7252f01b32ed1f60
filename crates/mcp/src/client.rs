//! One client: its name, its finished commands, and how much it wants to hear.
//!
//! Nothing of one client can be reached by another. May not outlive its connection.

use crate::log::Threshold;
use crate::shelf::Shelf;
use runward::sessions::Owner;
use runward::{Caller, Door};

/// Everything that belongs to one client alone.
#[derive(Debug)]
pub(crate) struct Client {
    /// Whose its sessions are.
    pub(crate) owner: Owner,
    /// What it ran, for reading later.
    pub(crate) shelf: Shelf,
    /// From which level on it wants log messages.
    pub(crate) threshold: Threshold,
}

impl Default for Client {
    fn default() -> Self {
        // Nobody can guess it, and no client is told.
        let owner = Owner::named(uuid::Uuid::new_v4().to_string());
        Self { owner, shelf: Shelf::default(), threshold: Threshold::default() }
    }
}

/// Who asks, through which tool, under the name that the client gave itself.
pub(crate) fn caller(tool: &str, name: Option<String>) -> Caller {
    Caller { name, ..Caller::tool(Door::Mcp, tool) }
}
