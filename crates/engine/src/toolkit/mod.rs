//! The agent toolkit: tools that a model calls by name, bound to one workspace.
//!
//! The order of checks is fixed: the arguments, then policy, then the workspace, then whether the directory exists,
//! then resolution; only then does anything run. May not read the environment or decide what is allowed: the
//! engine's policy does, and the operator opens a tool there with [`Policy::grant`](crate::Policy::grant).
//!
//! ```
//! use runward_engine::toolkit::{ExecCommandOptions, ToolkitGround, create_agent_toolkit};
//! use runward_engine::{Engine, Policy};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let policy = Policy::default().grant("exec_command", "this program offers it");
//! let engine = Engine::builder().policy(policy).build()?;
//! let toolkit = create_agent_toolkit(ToolkitGround::new(engine, "."));
//! let command = ["echo".to_owned(), "hello".to_owned()];
//! let answer = toolkit.exec_command(".", &command, ExecCommandOptions::default()).await.unwrap();
//! assert_eq!((answer.output.exit_code, answer.output.stdout.as_str()), (0, "hello\n"));
//! # Ok::<(), runward_engine::Error>(())
//! # }).unwrap();
//! ```
//!
//! Read first: [`create_agent_toolkit`], then [`AgentToolkit::exec_command`].

mod answer;
mod arguments;
mod catalog;
mod definition;
mod error;
mod quote;
mod run;

pub use answer::{ExecCommandAnswer, ExecCommandMeta, ExecCommandOutput};
pub use arguments::{ExecCommandArguments, ExecCommandOptions, ShellMode};
pub use catalog::{ToolCatalog, ToolkitTool};
pub use definition::{
    DefaultValue, Parameter, ParameterKind, Parameters, TOOL_DEFINITIONS, ToolDefinition, ToolDefinitions,
};
pub use error::{ToolError, ToolErrorCode};
pub use run::PreparedCall;

use crate::{Caller, Door, Engine, Workspace};
use runward_os::Disk;
use std::path::PathBuf;

/// What a toolkit needs. The operator's grant for its tools is in the engine's policy.
#[derive(Debug, Clone)]
pub struct ToolkitGround {
    /// The engine that runs the commands.
    pub engine: Engine,
    /// The folder that commands may not leave.
    pub workspace: PathBuf,
    /// The only folders of the workspace that may be used, if not all of it.
    pub roots: Option<Vec<PathBuf>>,
    /// The door that the tools are called through.
    pub door: Door,
    /// The client's own name, if it gave one.
    pub client: Option<String>,
}

impl ToolkitGround {
    /// A toolkit for a program that uses this library.
    pub fn new(engine: Engine, workspace: impl Into<PathBuf>) -> Self {
        Self { engine, workspace: workspace.into(), roots: None, door: Door::Library, client: None }
    }
}

/// Tools bound to one engine and one workspace. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AgentToolkit {
    engine: Engine,
    workspace: Workspace,
    door: Door,
    client: Option<String>,
}

/// A toolkit. A workspace that does not exist admits nothing.
pub fn create_agent_toolkit(context: ToolkitGround) -> AgentToolkit {
    let ToolkitGround { engine, workspace, roots, door, client } = context;
    let workspace = Workspace::at(workspace, engine.facts(), &Disk);
    let toolkit = AgentToolkit { engine, workspace, door, client };
    match roots {
        Some(roots) => toolkit.narrowed(&roots),
        None => toolkit,
    }
}

impl AgentToolkit {
    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The same toolkit for a client of that name.
    #[must_use]
    pub fn serving(mut self, client: Option<String>) -> Self {
        self.client = client;
        self
    }

    /// The same toolkit, with only these folders of its workspace.
    #[must_use]
    pub fn narrowed(mut self, roots: &[PathBuf]) -> Self {
        self.workspace = self.workspace.narrowed(roots, self.engine.facts(), &Disk);
        self
    }

    /// The tools that policy does not refuse altogether.
    pub fn get_allowed_tools(&self) -> Vec<&'static ToolDefinition> {
        let policy = self.engine.policy();
        TOOL_DEFINITIONS.iter().filter(|definition| policy.opens(definition.name)).collect()
    }

    /// Calls a tool by its name, with its arguments as JSON.
    pub async fn invoke(
        &self,
        name: &str,
        arguments: &serde_json::Value,
    ) -> Result<ExecCommandAnswer, ToolError> {
        match ToolCatalog::get(name) {
            Some(ToolkitTool::ExecCommand) => {
                let ExecCommandArguments { cwd, command, options } = ExecCommandArguments::read(arguments)?;
                self.exec_command(&cwd, &command, options).await
            }
            None => Err(ToolError::unknown_tool(name)),
        }
    }

    fn caller(&self, tool: &str) -> Caller {
        Caller { name: self.client.clone(), ..Caller::tool(self.door, tool) }
    }
}
