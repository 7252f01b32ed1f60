//! One client: its name, its finished commands, its roots, and its log level.
//!
//! Nothing of one client can be reached by another. May not outlive its connection.

use crate::asking::Parked;
use crate::finished::FinishedCommands;
use crate::log::Threshold;
use crate::roots::Roots;
use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use runward_engine::registry::SessionOwner;
use runward_engine::{Caller, Door};

/// Everything that belongs to one client alone.
#[derive(Debug)]
pub(crate) struct ClientState {
    /// The owner of its sessions.
    pub(crate) owner: SessionOwner,
    /// Its finished commands, for reading later.
    pub(crate) shelf: FinishedCommands,
    /// From which level on it wants log messages.
    pub(crate) threshold: Threshold,
    /// Its roots, if it has any.
    pub(crate) roots: Roots,
    /// Its calls that wait for a person.
    pub(crate) parked: Parked,
}

impl Default for ClientState {
    fn default() -> Self {
        // It cannot be guessed, and no client is told.
        let owner = SessionOwner::named(uuid::Uuid::new_v4().to_string());
        Self {
            owner,
            shelf: FinishedCommands::default(),
            threshold: Threshold::default(),
            roots: Roots::default(),
            parked: Parked::default(),
        }
    }
}

/// The caller: the tool, and the name that the client gave itself.
pub(crate) fn caller(tool: &str, name: Option<String>) -> Caller {
    Caller { name, ..Caller::tool(Door::Mcp, tool) }
}

/// Whether a request is of the stateless revision, in which the server sends no requests.
pub(crate) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}
