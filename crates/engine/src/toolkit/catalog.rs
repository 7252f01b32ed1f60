//! The tools there are, by name. May not describe them; see [`TOOL_DEFINITIONS`].

use super::{TOOL_DEFINITIONS, ToolDefinition};

/// One tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolkitTool {
    /// `exec_command`: runs a command once in the workspace.
    ExecCommand,
}

impl ToolkitTool {
    /// Its definition.
    pub fn definition(self) -> &'static ToolDefinition {
        match self {
            ToolkitTool::ExecCommand => &TOOL_DEFINITIONS.exec_command,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.definition().name
    }
}

/// Every tool of the toolkit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolCatalog;

impl ToolCatalog {
    /// All tools.
    pub const TOOLS: &'static [ToolkitTool] = &[ToolkitTool::ExecCommand];

    /// The tool of that name.
    pub fn get(name: &str) -> Option<ToolkitTool> {
        Self::TOOLS.iter().copied().find(|tool| tool.name() == name)
    }
}
