//! From a name to a command that is ready: every door of a run, plain or told, goes through here.

use super::asked::{RunRequest, RunView};
use super::telling::RunTelling;
use super::{ask, program, stdin};
use crate::output::{VerbFailure, tell};
use crate::places;
use crate::setup::Setup;
use runward::{Code, host};
use runward_flow::FlowError;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{
    Agent, AgentInProgress, Along, BuiltAgent, Outside, ReadyGround, Record, SettledFile,
};
use runward_flow::steps::digest;
use runward_flow::words::Switch;
use std::sync::Arc;

/// What a file was expanded to.
pub(super) enum PreparedRun {
    /// A text to print.
    Document(String),
    /// A command to run.
    Agent(Box<BuiltAgent>),
}

/// Finds the file, expands it and builds its command. Without a road nothing runs on the way.
pub(super) async fn prepare(
    asked: &RunRequest,
    setup: &Setup,
    road: Option<Along>,
    telling: &mut RunTelling,
) -> Result<PreparedRun, VerbFailure> {
    let program = program::program(&asked.name, &asked.ours, setup).await?;
    let facts = &setup.facts;
    let variable = program::command_variable(facts);
    let agent = match Agent::settle(program, &asked.ours, variable, &setup.settings)? {
        SettledFile::Document(text) => return Ok(PreparedRun::Document(text)),
        SettledFile::Agent(agent) => agent,
    };
    telling.started(Some(&agent.choice.command))?;
    let (home, hosts) = (facts.home.clone(), agent.hosts.clone());
    let surroundings = Arc::new(Surroundings { home, hosts, ..Surroundings::new(&facts.cwd, road) });
    let outside = Outside { words: asked.words.clone(), stdin: None };
    let mut draft = AgentInProgress::of(*agent, outside, Arc::clone(&surroundings)).await?;
    draft.remarks.iter().for_each(|remark| tell(remark));
    // No person is asked for anything while something else has to be fixed.
    draft.check_given()?;
    if draft.agent.interactive {
        check_way(asked)?;
    } else {
        draft.stdin = stdin::read().await?;
    }
    ask::complete(&mut draft, setup).await?;
    let record = if asked.is_rehearsal() { None } else { record(&draft, asked, setup) };
    let ready = draft.ready(&ReadyGround { facts, surroundings, record }).await?;
    Ok(PreparedRun::Agent(Box::new(ready)))
}

/// A program that has the terminal has no output that we could report.
fn check_way(asked: &RunRequest) -> Result<(), FlowError> {
    let option = match asked.way {
        _ if asked.is_rehearsal() => return Ok(()),
        RunView::Plain => return Ok(()),
        RunView::Json => "--json",
        RunView::Events => "--events",
    };
    let message = format!("`{option}` reports a program's output, and an interactive one has the terminal");
    Err(FlowError::new(Code::FlowBadArgument, message).hint("Leave one of them out."))
}

/// Where the steps of this file are remembered: one file for each, in the state folder.
fn record(draft: &AgentInProgress, asked: &RunRequest, setup: &Setup) -> Option<Record> {
    if !draft.agent.cascade.front().has("_steps") {
        return None;
    }
    let named = draft.agent.program.identity();
    let folder = places::state_folder(&setup.facts)?.join("steps");
    if let Err(error) = host::private_folder(&folder) {
        tell(&format!("steps cannot be remembered for `--resume`: {error}"));
        return None;
    }
    let file = folder.join(format!("{}.jsonl", digest(&[named], "")));
    Some(Record { file, resume: asked.ours.has(Switch::Resume) })
}
