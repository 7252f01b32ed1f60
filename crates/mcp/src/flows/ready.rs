//! From an agent and a client's arguments to a command that is ready: every command of it is judged like all others.
//!
//! Hazard: whatever a client sends must stay data. No word of it is an option, and only names that the file itself
//! makes variables can be given; settings such as `_cwd` cannot.

use super::Flows;
use super::limit::{Limited, SaysTimeout};
use super::parameters::{INPUT, takes_input};
use crate::answer::CallFailure;
use crate::tools::ToolCall;
use rmcp::model::JsonObject;
use runward_engine::{Code, Coded, ErrorView};
use runward_flow::FlowError;
use runward_flow::inputs;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{
    Agent, AgentInProgress, Along, BuiltAgent, MissingValue, Outside, Published, ReadyGround, SettledFile,
};
use serde_json::Value;
use std::sync::Arc;

/// A request for an agent.
pub(super) struct AgentCall<'a> {
    pub(super) flows: &'a Flows,
    pub(super) agent: &'a Published,
    pub(super) call: &'a ToolCall,
}

/// An agent that is ready.
pub(super) struct ReadyAgent {
    pub(super) ready: BuiltAgent,
    pub(super) road: Limited,
    /// The beginning of its file, as it was written.
    pub(super) body: String,
}

impl AgentCall<'_> {
    /// Reads the file again: its present text is used.
    pub(super) fn open(&self) -> Result<SettledFile, CallFailure> {
        self.flows.shelves.open(self.agent).map_err(|error| failure(&error))
    }

    /// Reads the file again, which must still be an agent with a command that a tool can run.
    pub(super) fn agent(&self) -> Result<Agent, CallFailure> {
        if let SettledFile::Agent(agent) = self.open()?
            && agent.choice.named().is_some()
            && !agent.interactive
        {
            return Ok(*agent);
        }
        let message = format!("`{}` is no longer an agent that is a tool", self.agent.name);
        let hint = Some("List the tools again.".to_owned());
        Err(CallFailure(ErrorView { code: Code::FlowBadFile, message, hint }))
    }

    /// Makes it ready with the arguments. The hook before, steps and commands in the text run now.
    pub(super) async fn make(
        &self,
        agent: Agent,
        mut arguments: JsonObject,
    ) -> Result<ReadyAgent, CallFailure> {
        let stdin = self.input(&mut arguments)?;
        let body = agent.program.flow.body.clone();
        let engine = self.call.sessions.engine();
        let along = Along::new(engine.clone(), self.call.caller.clone());
        let road = Limited::new(along, SaysTimeout::of(agent.cascade.front().get("_timeout")));
        let facts = engine.facts();
        let surroundings = Surroundings::new(&facts.cwd, Some(road.clone()));
        let (home, hosts) = (facts.home.clone(), agent.hosts.clone());
        let surroundings = Arc::new(Surroundings { home, hosts, ..surroundings });
        let outside = Outside { words: Vec::new(), stdin };
        let mut draft = AgentInProgress::of(agent, outside, Arc::clone(&surroundings))
            .await
            .map_err(|error| failure(&error))?;
        self.fill(&mut draft, &arguments)?;
        let ground = ReadyGround { facts, surroundings, record: None };
        let ready = draft.ready(&ground).await.map_err(|error| failure(&error))?;
        Ok(ReadyAgent { ready, road, body })
    }

    /// Takes out the text in the place of standard input.
    fn input(&self, arguments: &mut JsonObject) -> Result<Option<String>, CallFailure> {
        if !takes_input(self.agent) {
            return Ok(None);
        }
        match arguments.remove(INPUT) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(format!("`{INPUT}` is not a text"), "Give a text, or leave it out.")),
        }
    }

    /// A document has no inputs: an argument for it is an error that names it.
    pub(super) fn takes_nothing(&self, arguments: &JsonObject) -> Result<(), CallFailure> {
        inputs::arguments(&[], arguments).map(drop).map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &FlowError) -> CallFailure {
        let see = format!("See what `{}` takes in the list of prompts or tools.", self.agent.name);
        bad(error.to_string(), &see)
    }

    fn fill(&self, draft: &mut AgentInProgress, arguments: &JsonObject) -> Result<(), CallFailure> {
        let taken = self.agent.parameters_and(draft.reads());
        let (values, mut problems) = inputs::checked(&taken, arguments);
        for (name, value) in values {
            problems.extend(draft.give(&name, &value).err().map(|error| (name, error)));
        }
        let mut missing = draft.missing();
        // An input with a value that is not valid is not reported as missing too.
        missing.retain(|one| problems.iter().all(|(name, _)| name != one.name()));
        if !problems.is_empty() {
            let missing = missing.iter().map(|one| runward_flow::words::missing(&[one.name()]));
            let all = problems.into_iter().map(|(_, error)| error).chain(missing).collect();
            return FlowError::all("with the arguments", all).map_err(|error| self.wrong(&error));
        }
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = missing.iter().map(MissingValue::name).collect();
        let (message, hint) = (runward_flow::words::missing(&names).to_string(), names.join("`, `"));
        let hint = Some(format!("Give a value for `{hint}` in the arguments."));
        Err(CallFailure(ErrorView { code: Code::FlowMissingVariable, message, hint }))
    }
}

/// An argument that cannot be used.
fn bad(message: String, hint: &str) -> CallFailure {
    CallFailure(ErrorView { code: Code::FlowBadInput, message, hint: Some(hint.to_owned()) })
}

/// An error with its place in the file.
pub(super) fn failure(error: &FlowError) -> CallFailure {
    let place = error.mark().map(|mark| format!(" ({})", mark.place())).unwrap_or_default();
    let message = format!("{error}{place}");
    CallFailure(ErrorView { code: error.code(), message, hint: Coded::hint(error) })
}

/// Whether a failure is about the arguments.
pub(super) fn is_about_arguments(failure: &CallFailure) -> bool {
    matches!(failure.0.code, Code::FlowBadInput | Code::FlowMissingVariable)
}
