//! The tools, one file each: argument type, schemas, annotations, `lower`, `render`.
//!
//! Read first: [`TABLE`]; a new tool is one row there. A tool may not decide whether a command runs.

mod attend;
mod chosen;
mod exec;
mod exec_command;
mod execute_command;
mod execute_process;
mod in_flight;
mod list_commands;
mod ran;
mod read_output;
mod reading;
mod schema;
mod sheet;
mod start_command;
mod stop_command;
mod until;
mod wait_command;
mod write_input;

use crate::answer::{CallFailure, ToolAnswer};
use crate::arguments::{ArgumentKind, GivenArguments};
use crate::client::ClientState;
use crate::line::CurrentChannel;
use crate::offer::Profile;
use crate::roots::{self, MeantRoots};
use crate::veil::Veil;
use rmcp::model::{JsonObject, Tool};
use runward_engine::Caller;
use runward_engine::config::AnswerSettings;
use runward_engine::core::facts::Backslashes;
use runward_engine::languages::Languages;
use runward_engine::registry::{Live, Sessions};
use runward_engine::toolkit::AgentToolkit;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Everything a tool may use while it answers one call.
pub(crate) struct ToolCall {
    /// The road, and the sessions on it.
    pub(crate) sessions: Sessions,
    /// The client that calls.
    pub(crate) client: Arc<ClientState>,
    /// The same, as the road knows it.
    pub(crate) caller: Caller,
    /// Where messages beside the answer go.
    pub(crate) line: CurrentChannel,
    /// The tools that stay in the workspace.
    pub(crate) toolkit: AgentToolkit,
    /// How paths are written here, if the client has roots that narrow the workspace.
    pub(crate) roots: Option<Backslashes>,
    /// The languages that snippets may be in.
    pub(crate) languages: Arc<Languages>,
    /// What hides secrets in the answer.
    pub(crate) veil: Veil,
    /// How answers are made.
    pub(crate) answers: Arc<AnswerSettings>,
}

impl ToolCall {
    /// The client's session of that name.
    pub(crate) fn session(&self, id: &str) -> Result<Live, CallFailure> {
        Ok(self.sessions.find(&self.client.owner, id)?)
    }

    /// The client's roots.
    pub(crate) async fn meant(&self) -> MeantRoots {
        match self.roots {
            Some(slashes) => roots::meant(&self.client, &self.line.now().peer, slashes).await,
            None => MeantRoots::Everything,
        }
    }
}

/// Characters of output in one answer.
const MAX_CHARS: ArgumentKind = ArgumentKind::Whole(200, 200_000);

/// How many the call wants, or else the owner.
fn max_chars(given: &GivenArguments, call: &ToolCall) -> usize {
    let asked = given.whole("max_chars").and_then(|chars| usize::try_from(chars).ok());
    asked.unwrap_or(call.answers.max_chars)
}

/// The tool that stays in the workspace.
pub(crate) const WORKSPACE_BOUND: &str = exec_command::NAME;

pub(crate) use attend::{Attended, attend};
pub(crate) use chosen::ChosenTool;
pub(crate) use in_flight::{CallInFlight, CallProgress};
pub(crate) use ran::RanAnswer;
pub(crate) use schema::ran_schema;
pub(crate) use sheet::AnswerSheet;

/// The future of a call's answer.
type ToolFuture = Pin<Box<dyn Future<Output = Result<ToolAnswer, CallFailure>> + Send>>;

/// One row of the table.
pub(crate) struct ToolRow {
    pub(crate) name: &'static str,
    pub(crate) profile: Profile,
    pub(crate) definition: fn() -> Tool,
    pub(crate) call: fn(ToolCall, Option<JsonObject>) -> ToolFuture,
}

/// A row for a tool that keeps to the usual names.
macro_rules! row {
    ($profile:ident $tool:ident) => {
        ToolRow {
            name: $tool::NAME,
            profile: Profile::$profile,
            definition: $tool::definition,
            call: |call, arguments| Box::pin($tool::call(call, arguments)),
        }
    };
}

/// Every tool there is.
pub(crate) const TABLE: &[ToolRow] = &[
    row!(Terminal execute_command),
    row!(Terminal execute_process),
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
pub(crate) fn find(name: &str) -> Option<&'static ToolRow> {
    TABLE.iter().find(|row| row.name == name)
}
