//! The tool that a call names: one of the table, or a markdown agent. May not begin anything.

use super::{Call, Row, Work};
use crate::flows::{self, Flows};
use rmcp::model::{JsonObject, Tool};
use runward_flow::run::Published;
use std::sync::Arc;

/// A tool that a call names.
pub(crate) enum Chosen {
    /// One of the table.
    Row(&'static Row),
    /// A markdown agent, among all that are offered.
    Agent(Arc<Flows>, Box<Published>),
}

impl Chosen {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Chosen::Row(row) => row.name,
            Chosen::Agent(_, agent) => &agent.tool,
        }
    }

    /// What clients are told about it.
    pub(crate) fn definition(&self) -> Tool {
        match self {
            Chosen::Row(row) => (row.definition)(),
            Chosen::Agent(_, agent) => flows::definition(agent),
        }
    }

    /// What the call will come to.
    pub(super) fn work(self, call: Call, arguments: Option<JsonObject>) -> Work {
        match self {
            Chosen::Row(row) => (row.call)(call, arguments),
            Chosen::Agent(flows, agent) => Box::pin(flows::call(flows, *agent, call, arguments)),
        }
    }
}
