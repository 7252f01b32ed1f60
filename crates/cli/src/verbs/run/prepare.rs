//! From a name to a command that is ready: every door of a run, plain or told, goes through here.

use super::asked::{Asked, Way};
use super::telling::Telling;
use super::{ask, program, stdin};
use crate::house::House;
use crate::output::{Failure, tell};
use crate::places;
use runward::{Code, host};
use runward_flow::FlowError;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{Agent, Along, Draft, Found, Ground, Outside, Ready, Record};
use runward_flow::steps::digest;
use runward_flow::words::Switch;
use std::sync::Arc;

/// What a file came to.
pub(super) enum Prepared {
    /// A text to print.
    Document(String),
    /// A command to run.
    Agent(Box<Ready>),
}

/// Finds the file, expands it and builds its command. Without a road nothing runs on the way.
pub(super) async fn prepare(
    asked: &Asked,
    house: &House,
    road: Option<Along>,
    telling: &mut Telling,
) -> Result<Prepared, Failure> {
    let program = program::program(&asked.name, &asked.ours, house).await?;
    let facts = &house.facts;
    let variable = program::command_variable(facts);
    let agent = match Agent::settle(program, &asked.ours, variable, &house.settings)? {
        Found::Document(text) => return Ok(Prepared::Document(text)),
        Found::Agent(agent) => agent,
    };
    telling.started(Some(&agent.choice.command))?;
    let (home, hosts) = (facts.home.clone(), agent.hosts.clone());
    let surroundings = Arc::new(Surroundings { home, hosts, ..Surroundings::new(&facts.cwd, road) });
    let outside = Outside { words: asked.words.clone(), stdin: None };
    let mut draft = Draft::of(*agent, outside, Arc::clone(&surroundings)).await?;
    draft.remarks.iter().for_each(|remark| tell(remark));
    // Nobody is asked for anything while something else has to be mended.
    draft.check_given()?;
    if draft.agent.interactive {
        check_way(asked)?;
    } else {
        draft.stdin = stdin::read().await?;
    }
    ask::complete(&mut draft, house).await?;
    let record = if asked.is_rehearsal() { None } else { record(&draft, asked, house) };
    let ready = draft.ready(&Ground { facts, surroundings, record }).await?;
    Ok(Prepared::Agent(Box::new(ready)))
}

/// A program that has the terminal prints nothing that we could tell.
fn check_way(asked: &Asked) -> Result<(), FlowError> {
    let option = match asked.way {
        _ if asked.is_rehearsal() => return Ok(()),
        Way::Plain => return Ok(()),
        Way::Json => "--json",
        Way::Events => "--events",
    };
    let message = format!("`{option}` tells what a program prints, and an interactive one has the terminal");
    Err(FlowError::new(Code::FlowBadArgument, message).hint("Leave one of them out."))
}

/// Where the steps of this file are remembered: one file for each, in the state folder.
fn record(draft: &Draft, asked: &Asked, house: &House) -> Option<Record> {
    if !draft.agent.cascade.front().has("_steps") {
        return None;
    }
    let named = draft.agent.program.identity();
    let folder = places::state_folder(&house.facts)?.join("steps");
    if let Err(error) = host::private_folder(&folder) {
        tell(&format!("steps cannot be remembered for `--resume`: {error}"));
        return None;
    }
    let file = folder.join(format!("{}.jsonl", digest(&[named], "")));
    Some(Record { file, resume: asked.ours.has(Switch::Resume) })
}
