//! From an agent and what a client gave to a command that is ready: what runs on the way is judged like everything else.
//!
//! Hazard: whatever a client says must stay data. No word of it is read as an option, and only names that the file itself
//! makes variables can be given; settings such as `_cwd` cannot.

use super::Flows;
use super::limit::{Limited, Says};
use super::parameters::{INPUT, takes_input};
use crate::answer::Failure;
use crate::tools::Call;
use rmcp::model::JsonObject;
use runward::{Code, Coded, ErrorView};
use runward_flow::FlowError;
use runward_flow::inputs;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{Agent, Along, Draft, Found, Ground, Missing, Outside, Published, Ready};
use serde_json::Value;
use std::sync::Arc;

/// An agent that somebody asks for.
pub(super) struct Asked<'a> {
    pub(super) flows: &'a Flows,
    pub(super) agent: &'a Published,
    pub(super) call: &'a Call,
}

/// An agent that is ready.
pub(super) struct Made {
    pub(super) ready: Ready,
    pub(super) road: Limited,
    /// How its file begins, as it was written.
    pub(super) body: String,
}

impl Asked<'_> {
    /// Reads the file again: as it is now, it is what is used.
    pub(super) fn open(&self) -> Result<Found, Failure> {
        self.flows.shelves.open(self.agent).map_err(|error| failure(&error))
    }

    /// Reads the file again, which must still be an agent with a command that a tool can run.
    pub(super) fn agent(&self) -> Result<Agent, Failure> {
        if let Found::Agent(agent) = self.open()?
            && agent.choice.named().is_some()
            && !agent.interactive
        {
            return Ok(*agent);
        }
        let message = format!("`{}` is no agent for a tool any more", self.agent.name);
        let hint = Some("List the tools again.".to_owned());
        Err(Failure(ErrorView { code: Code::FlowBadFile, message, hint }))
    }

    /// Makes it ready with what was given. The hook before, steps and commands in the text run on the way.
    pub(super) async fn make(&self, agent: Agent, mut arguments: JsonObject) -> Result<Made, Failure> {
        let stdin = self.input(&mut arguments)?;
        let body = agent.program.flow.body.clone();
        let engine = self.call.sessions.engine();
        let along = Along::new(engine.clone(), self.call.caller.clone());
        let road = Limited::new(along, Says::of(agent.cascade.front().get("_timeout")));
        let facts = engine.facts();
        let surroundings = Surroundings::new(&facts.cwd, Some(road.clone()));
        let (home, hosts) = (facts.home.clone(), agent.hosts.clone());
        let surroundings = Arc::new(Surroundings { home, hosts, ..surroundings });
        let outside = Outside { words: Vec::new(), stdin };
        let mut draft =
            Draft::of(agent, outside, Arc::clone(&surroundings)).await.map_err(|error| failure(&error))?;
        self.fill(&mut draft, &arguments)?;
        let ground = Ground { facts, surroundings, record: None };
        let ready = draft.ready(&ground).await.map_err(|error| failure(&error))?;
        Ok(Made { ready, road, body })
    }

    /// Takes out what stands in the place of standard input.
    fn input(&self, arguments: &mut JsonObject) -> Result<Option<String>, Failure> {
        if !takes_input(self.agent) {
            return Ok(None);
        }
        match arguments.remove(INPUT) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(format!("`{INPUT}` is not a text"), "Give a text, or leave it out.")),
        }
    }

    /// A document takes nothing: what is given to it is an error that names it.
    pub(super) fn takes_nothing(&self, arguments: &JsonObject) -> Result<(), Failure> {
        inputs::arguments(&[], arguments).map(drop).map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &FlowError) -> Failure {
        let see = format!("See what `{}` takes in the list of prompts or tools.", self.agent.name);
        bad(error.to_string(), &see)
    }

    fn fill(&self, draft: &mut Draft, arguments: &JsonObject) -> Result<(), Failure> {
        let taken = self.agent.parameters_and(draft.reads());
        let (values, mut problems) = inputs::checked(&taken, arguments);
        for (name, value) in values {
            problems.extend(draft.give(&name, &value).err().map(|error| (name, error)));
        }
        let mut missing = draft.missing();
        // What was given and will not do is not missing too.
        missing.retain(|one| problems.iter().all(|(name, _)| name != one.name()));
        if !problems.is_empty() {
            let missing = missing.iter().map(|one| runward_flow::words::missing(&[one.name()]));
            let all = problems.into_iter().map(|(_, error)| error).chain(missing).collect();
            return FlowError::all("with the arguments", all).map_err(|error| self.wrong(&error));
        }
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = missing.iter().map(Missing::name).collect();
        let (message, hint) = (runward_flow::words::missing(&names).to_string(), names.join("`, `"));
        let hint = Some(format!("Give a value for `{hint}` in the arguments."));
        Err(Failure(ErrorView { code: Code::FlowMissingVariable, message, hint }))
    }
}

/// Something that was given cannot be used.
fn bad(message: String, hint: &str) -> Failure {
    Failure(ErrorView { code: Code::FlowBadInput, message, hint: Some(hint.to_owned()) })
}

/// An error with its place in the file.
pub(super) fn failure(error: &FlowError) -> Failure {
    let place = error.mark().map(|mark| format!(" ({})", mark.place())).unwrap_or_default();
    let message = format!("{error}{place}");
    Failure(ErrorView { code: error.code(), message, hint: Coded::hint(error) })
}

/// Whether a failure is about what was given.
pub(super) fn is_about_arguments(failure: &Failure) -> bool {
    matches!(failure.0.code, Code::FlowBadInput | Code::FlowMissingVariable)
}
