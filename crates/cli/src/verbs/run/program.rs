//! Finds the file that was named: in its folders, or fetched from a URL and trusted. May not expand anything.

use super::ask::somebody_is_there;
use crate::ask;
use crate::output::{VerbFailure, tell};
use crate::places;
use crate::setup::Setup;
use crate::threads::done_aside;
use runward::HostFacts;
use runward_flow::choose::{self, Says};
use runward_flow::lookup::{Places, is_address};
use runward_flow::remote::{Remote, TrustLeave, TrustPerson, TrustQuestion, TrustVerdict};
use runward_flow::run::AgentFile;
use runward_flow::run::remote::{AgentShelf, FetchedAgent};
use runward_flow::words::{OwnOptions, Switch};
use std::path::PathBuf;

/// Reads the file that was named.
pub(in crate::verbs) async fn program(
    name: &str,
    ours: &OwnOptions,
    setup: &Setup,
) -> Result<AgentFile, VerbFailure> {
    if is_address(name) {
        return elsewhere(name, ours, setup).await;
    }
    AgentFolders::of(&setup.facts).with(|places| Ok(AgentFile::find(name, places)?))
}

/// The command that the environment names.
pub(in crate::verbs) fn command_variable(facts: &HostFacts) -> Option<&str> {
    facts.env_var(choose::VARIABLE).and_then(|value| value.to_str()).filter(|value| !value.is_empty())
}

/// The folders in which markdown agents lie.
pub(in crate::verbs) struct AgentFolders<'a> {
    facts: &'a HostFacts,
    config: Option<PathBuf>,
    path: Vec<PathBuf>,
}

impl<'a> AgentFolders<'a> {
    pub(in crate::verbs) fn of(facts: &'a HostFacts) -> Self {
        let path = facts.env_var("PATH").map(|path| std::env::split_paths(path).collect());
        Self { facts, config: places::config_folder(facts), path: path.unwrap_or_default() }
    }

    pub(in crate::verbs) fn with<T>(&self, look: impl FnOnce(&Places<'_>) -> T) -> T {
        look(&Places {
            cwd: &self.facts.cwd,
            home: self.facts.home.as_deref(),
            config: self.config.as_deref(),
            path: &self.path,
        })
    }
}

/// Fetches a file, and asks whether it is trusted before anything in it is expanded.
async fn elsewhere(address: &str, ours: &OwnOptions, setup: &Setup) -> Result<AgentFile, VerbFailure> {
    let shelf = AgentShelf::new(places::state_folder(&setup.facts).as_deref());
    let fetched = shelf.fetch(Remote::locate(address)?).await?;
    fetched.notes.iter().for_each(|note| tell(note));
    let program = fetched.program(&setup.facts.cwd)?;
    let leave = if ours.has(Switch::Trust) { TrustLeave::Once } else { TrustLeave::NotGiven };
    let person = if somebody_is_there() { TrustPerson::There } else { TrustPerson::Away };
    if shelf.trusted()?.rule(&fetched.remote, &fetched.text, leave, person)? == TrustVerdict::Ask {
        let agreed = agrees(&fetched, &program, ours, setup).await?;
        if !agreed {
            return Err(question(&fetched, None).refusal().into());
        }
        shelf.remember(&fetched)?;
    }
    Ok(program)
}

/// Shows the file to the person at the terminal and reads the answer.
async fn agrees(
    fetched: &FetchedAgent,
    program: &AgentFile,
    ours: &OwnOptions,
    setup: &Setup,
) -> Result<bool, VerbFailure> {
    let choice = choose::choose(&Says {
        flag: ours.command.as_deref(),
        variable: command_variable(&setup.facts),
        file: &program.flow.file,
        front: &program.flow.front,
        configured: setup.settings.engine().map(|(name, _)| name),
    })?;
    let text = question(fetched, choice.as_ref().map(|choice| choice.command.as_str())).to_string();
    // Waiting for a person must not keep Ctrl-C from being handled.
    let line = done_aside("question", move || ask::put(&text)).await;
    let line = line.map_err(|error| VerbFailure::lacking("the terminal could not be used", &error))?;
    Ok(TrustQuestion::agrees(&line))
}

fn question<'q>(fetched: &'q FetchedAgent, command: Option<&'q str>) -> TrustQuestion<'q> {
    TrustQuestion { remote: &fetched.remote, text: &fetched.text, command }
}
