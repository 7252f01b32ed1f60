//! The markdown agents that lie in the usual folders. May not expand or run any of them.

use super::agent::{Agent, SettledFile};
use super::program::{AgentFile, shown};
use crate::FlowError;
use crate::choose::command_in_name;
use crate::front::Value;
use crate::inputs::Input;
use crate::lookup::{Places, folders};
use crate::words::OwnOptions;
use runward_engine::config::Settings;
use std::path::{Path, PathBuf};

/// A markdown agent that lies in one of the folders.
#[derive(Debug)]
pub struct Listed {
    /// The name to run it by.
    pub name: String,
    /// Where it lies, as a person would type it.
    pub path: String,
    /// What it would run, or what is wrong with it.
    pub about: Result<About, FlowError>,
}

/// What is known about an agent that is not broken.
#[derive(Debug)]
pub struct About {
    /// The command.
    pub command: String,
    /// What the agent is for, in its own words.
    pub description: Option<String>,
    /// What it wants to be told.
    pub inputs: Vec<Input>,
}

/// Lists the agents: first where Runward was called (files with a command in their name only), then folder by folder.
/// A name that another file has taken before is left out, because it cannot be run by its name.
pub fn list(places: &Places<'_>, variable: Option<&str>, settings: &Settings) -> Vec<Listed> {
    let named = |path: &PathBuf| path.file_name().and_then(|name| command_in_name(name.to_str()?)).is_some();
    let here = markdown_in(places.cwd).into_iter().filter(named).collect();
    let there = folders(places).into_iter().map(|folder| markdown_in(&folder));
    let mut all: Vec<Listed> = Vec::new();
    for path in [here].into_iter().chain(there).flatten() {
        let name = file_name(&path);
        if all.iter().any(|known| known.name == name) {
            continue;
        }
        let path_shown = shown(&path, places.cwd);
        let about = about(&path, &path_shown, variable, settings).transpose();
        all.extend(about.map(|about| Listed { name, path: path_shown, about }));
    }
    all
}

/// A file's own name.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The markdown files of a folder, by name. A folder that is not there has none.
pub(super) fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_markdown =
        |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md")) && path.is_file();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_markdown).collect();
    all.sort();
    all
}

/// What a file is about; nothing for a document.
fn about(
    path: &Path,
    shown: &str,
    variable: Option<&str>,
    settings: &Settings,
) -> Result<Option<About>, FlowError> {
    let program = AgentFile::load(path, shown)?;
    let SettledFile::Agent(agent) = Agent::settle(program, &OwnOptions::default(), variable, settings)?
    else {
        return Ok(None);
    };
    let description = agent.cascade.front().get("description").and_then(Value::as_text);
    Ok(Some(About {
        command: agent.choice.command.clone(),
        description: description.map(str::to_owned),
        inputs: agent.inputs,
    }))
}
