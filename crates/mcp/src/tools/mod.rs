//! The tools, one file each: argument type, schemas, annotations, `lower`, `render`.
//!
//! Read first: [`TABLE`]; a new tool is one row there. A tool may not decide whether a command runs.

mod attend;
mod chosen;
mod errand;
mod exec;
mod exec_command;
mod execute_command;
mod list_commands;
mod read_output;
mod reading;
mod receipt_schema;
mod schema;
mod start_command;
mod stop_command;
mod wait_command;
mod write_input;

use crate::answer::{Answer, Failure};
use crate::client::Client;
use crate::line::Switch;
use crate::offer::Profile;
use crate::roots::{self, Meant};
use crate::veil::Veil;
use rmcp::model::{JsonObject, Tool};
use runward::Caller;
use runward::core::facts::Backslashes;
use runward::languages::Languages;
use runward::sessions::{Live, Sessions};
use runward::toolkit::AgentToolkit;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Everything a tool may use while it answers one call.
pub(crate) struct Call {
    /// The road, and the sessions on it.
    pub(crate) sessions: Sessions,
    /// Whose call it is.
    pub(crate) client: Arc<Client>,
    /// The same, as the road knows it.
    pub(crate) caller: Caller,
    /// Where messages beside the answer go.
    pub(crate) line: Switch,
    /// The tools that stay in the workspace.
    pub(crate) toolkit: AgentToolkit,
    /// How paths are written here, if the client has roots that narrow the workspace.
    pub(crate) roots: Option<Backslashes>,
    /// The languages that snippets may be in.
    pub(crate) languages: Arc<Languages>,
    /// What hides secrets in the answer.
    pub(crate) veil: Veil,
}

impl Call {
    /// The client's session of that name.
    pub(crate) fn session(&self, id: &str) -> Result<Live, Failure> {
        Ok(self.sessions.find(&self.client.owner, id)?)
    }

    /// What the client means of the workspace.
    pub(crate) async fn meant(&self) -> Meant {
        match self.roots {
            Some(slashes) => roots::meant(&self.client, &self.line.now().peer, slashes).await,
            None => Meant::Everything,
        }
    }
}

/// The tool that stays in the workspace.
pub(crate) const WORKSPACE_BOUND: &str = exec_command::NAME;

pub(crate) use attend::{Attended, attend};
pub(crate) use chosen::Chosen;
pub(crate) use errand::{Came, Errand};
pub(crate) use execute_command::receipt_yaml;
pub(crate) use schema::answer_schema;

/// What a call will come to.
type Work = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send>>;

/// One row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) profile: Profile,
    pub(crate) definition: fn() -> Tool,
    pub(crate) call: fn(Call, Option<JsonObject>) -> Work,
}

/// A row for a tool that keeps to the usual names.
macro_rules! row {
    ($profile:ident $tool:ident) => {
        Row {
            name: $tool::NAME,
            profile: Profile::$profile,
            definition: $tool::definition,
            call: |call, arguments| Box::pin($tool::call(call, arguments)),
        }
    };
}

/// Every tool there is.
pub(crate) const TABLE: &[Row] = &[
    row!(Terminal execute_command),
    row!(Terminal start_command),
    row!(Terminal read_output),
    row!(Terminal write_input),
    row!(Terminal stop_command),
    row!(Terminal wait_command),
    row!(Terminal list_commands),
    row!(Toolkit exec_command),
    row!(Code exec),
];

/// The names of all tools.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.name)
}

/// The tool of that name.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}
