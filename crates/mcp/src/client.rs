//! One client: its name, its finished commands, the folders it means, and how much it wants to hear.
//!
//! Nothing of one client can be reached by another. May not outlive its connection.

use crate::asking::Parked;
use crate::log::Threshold;
use crate::roots::Roots;
use crate::shelf::Shelf;
use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
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
    /// The folders it means, if it said any.
    pub(crate) roots: Roots,
    /// Its calls that wait for a person.
    pub(crate) parked: Parked,
}

impl Default for Client {
    fn default() -> Self {
        // Nobody can guess it, and no client is told.
        let owner = Owner::named(uuid::Uuid::new_v4().to_string());
        Self {
            owner,
            shelf: Shelf::default(),
            threshold: Threshold::default(),
            roots: Roots::default(),
            parked: Parked::default(),
        }
    }
}

/// Who asks, through which tool, under the name that the client gave itself.
pub(crate) fn caller(tool: &str, name: Option<String>) -> Caller {
    Caller { name, ..Caller::tool(Door::Mcp, tool) }
}

/// Whether a request is of the revision in which each stands for itself and the server asks nothing back.
pub(crate) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}
