//! The file that was named: found in its folders, or fetched from elsewhere and trusted. May not expand anything.

use super::ask::somebody_is_there;
use crate::ask;
use crate::house::House;
use crate::output::{Failure, tell};
use crate::places;
use runward::HostFacts;
use runward_flow::choose::{self, Says};
use runward_flow::lookup::{Places, is_address};
use runward_flow::remote::{Leave, Person, Question, Remote, Verdict};
use runward_flow::run::Program;
use runward_flow::run::remote::{Fetched, Shelf};
use runward_flow::words::{Ours, Switch};
use std::io;
use std::path::PathBuf;

/// Reads the file that was named.
pub(in crate::verbs) async fn program(name: &str, ours: &Ours, house: &House) -> Result<Program, Failure> {
    if is_address(name) {
        return elsewhere(name, ours, house).await;
    }
    Folders::of(&house.facts).with(|places| Ok(Program::find(name, places)?))
}

/// The command that the environment names.
pub(in crate::verbs) fn command_variable(facts: &HostFacts) -> Option<&str> {
    facts.env_var(choose::VARIABLE).and_then(|value| value.to_str()).filter(|value| !value.is_empty())
}

/// The folders in which markdown agents lie.
pub(in crate::verbs) struct Folders<'a> {
    facts: &'a HostFacts,
    config: Option<PathBuf>,
    path: Vec<PathBuf>,
}

impl<'a> Folders<'a> {
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
async fn elsewhere(address: &str, ours: &Ours, house: &House) -> Result<Program, Failure> {
    let shelf = Shelf::new(places::state_folder(&house.facts).as_deref());
    let fetched = shelf.fetch(Remote::locate(address)?).await?;
    fetched.notes.iter().for_each(|note| tell(note));
    let program = fetched.program(&house.facts.cwd)?;
    let leave = if ours.has(Switch::Trust) { Leave::Once } else { Leave::NotGiven };
    let person = if somebody_is_there() { Person::There } else { Person::Away };
    if shelf.trusted()?.rule(&fetched.remote, &fetched.text, leave, person)? == Verdict::Ask {
        let agreed = agrees(&fetched, &program, ours, house).await?;
        if !agreed {
            return Err(question(&fetched, None).refusal().into());
        }
        shelf.remember(&fetched)?;
    }
    Ok(program)
}

/// Shows the file to the person at the terminal and hears what they say.
async fn agrees(fetched: &Fetched, program: &Program, ours: &Ours, house: &House) -> Result<bool, Failure> {
    let choice = choose::choose(&Says {
        flag: ours.command.as_deref(),
        variable: command_variable(&house.facts),
        file: &program.flow.file,
        front: &program.flow.front,
        configured: house.settings.engine().map(|(name, _)| name),
    })?;
    let text = question(fetched, choice.as_ref().map(|choice| choice.command.as_str())).to_string();
    // Waiting for a person must not keep Ctrl-C from being heard.
    let line = tokio::task::spawn_blocking(move || ask::put(&text)).await;
    let line = line.map_err(io::Error::other).and_then(|line| line);
    let line = line.map_err(|error| Failure::host("the terminal could not be used", &error))?;
    Ok(Question::agrees(&line))
}

fn question<'q>(fetched: &'q Fetched, command: Option<&'q str>) -> Question<'q> {
    Question { remote: &fetched.remote, text: &fetched.text, command }
}
