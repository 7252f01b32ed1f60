//! The tool that a call names: one of the table, or a markdown agent. May not begin anything.

use super::{ToolCall, ToolFuture, ToolRow};
use crate::flows::{self, Flows};
use rmcp::model::{JsonObject, Tool};
use runward_flow::run::Published;
use std::sync::Arc;

/// A tool that a call names.
pub(crate) enum ChosenTool {
    /// One of the table.
    Row(&'static ToolRow),
    /// A markdown agent, among all that are offered.
    Agent(Arc<Flows>, Box<Published>),
}

impl ChosenTool {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        match self {
            ChosenTool::Row(row) => row.name,
            ChosenTool::Agent(_, agent) => &agent.tool,
        }
    }

    /// Its definition for clients.
    pub(crate) fn definition(&self) -> Tool {
        match self {
            ChosenTool::Row(row) => (row.definition)(),
            ChosenTool::Agent(_, agent) => flows::definition(agent),
        }
    }

    /// The future of the call's answer.
    pub(super) fn work(self, call: ToolCall, arguments: Option<JsonObject>) -> ToolFuture {
        match self {
            ChosenTool::Row(row) => (row.call)(call, arguments),
            ChosenTool::Agent(flows, agent) => Box::pin(flows::call(flows, *agent, call, arguments)),
        }
    }
}
