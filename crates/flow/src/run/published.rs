//! The agents of some folders, for others to use by name: what each is called, takes and is for.
//!
//! Files are read anew each time. May not expand or run any of them.

use super::agent::{Agent, Found};
use super::list::markdown_in;
use super::naming::{self, Names};
use super::parameters;
use super::program::Program;
use crate::FlowError;
use crate::front::{Front, Value};
use crate::inputs::{Input, Need};
use crate::words::Ours;
use runward::Code;
use runward::config::Settings;
use std::path::{Path, PathBuf};

/// Where published agents lie, and what their commands are chosen by.
#[derive(Debug)]
pub struct Shelves {
    /// The folders, in the order in which they were named.
    pub folders: Vec<PathBuf>,
    /// `RUNWARD_COMMAND`.
    pub variable: Option<String>,
    /// The configuration.
    pub settings: Settings,
    /// Names that no tool may have.
    pub reserved: Vec<&'static str>,
}

/// What lies there now.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The agents, folder by folder, by name.
    pub agents: Vec<Published>,
    /// What cannot be used, and why.
    pub broken: Vec<Broken>,
}

/// A file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Where it lies.
    pub path: PathBuf,
    /// Why.
    pub error: FlowError,
}

/// As what an agent is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposed {
    /// As a prompt.
    Prompt,
    /// As a prompt and as a tool.
    Tool,
}

/// An agent that others may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Its name as a prompt.
    pub name: String,
    /// Its name as a tool, and the one that the road knows: letters, digits, `_` and `-`, at most 64.
    pub tool: String,
    /// As what it is published.
    pub exposed: Exposed,
    /// What it is for, in its own words.
    pub description: Option<String>,
    /// The command.
    pub command: String,
    /// What may be given to it.
    pub parameters: Vec<Input>,
    /// Whether it reads what comes on standard input.
    pub reads_stdin: bool,
    path: PathBuf,
}

impl Shelves {
    /// Reads everything that lies there. A folder that is gone has nothing.
    pub fn read(&self) -> Catalogue {
        let mut catalogue = Catalogue::default();
        let mut names = Vec::new();
        for path in self
            .folders
            .iter()
            .flat_map(|folder| markdown_in(folder))
            .filter(|path| !shown(path).starts_with('.'))
        {
            match self.agent(&path).and_then(|agent| agent.map(|agent| published(&agent, &path)).transpose())
            {
                Ok(None) => {}
                Ok(Some(agent)) => {
                    names.push(Names::of(&shown(&path), &agent.command));
                    catalogue.agents.push(agent);
                }
                Err(error) => catalogue.broken.push(Broken { path, error }),
            }
        }
        let (prompts, tools) = (naming::prompts(&names), naming::tools(&names, &self.reserved));
        for (agent, (name, tool)) in catalogue.agents.iter_mut().zip(prompts.into_iter().zip(tools)) {
            (agent.name, agent.tool) = (name, tool);
        }
        catalogue
    }

    /// Reads an agent again, to run it.
    pub fn open(&self, published: &Published) -> Result<Agent, FlowError> {
        self.agent(&published.path)?.ok_or_else(|| {
            let message = format!("`{}` is no markdown agent any more", published.path.display());
            FlowError::new(Code::FlowBadFile, message).hint("List the prompts or tools again.")
        })
    }

    /// The agent in a file; none in a document.
    fn agent(&self, path: &Path) -> Result<Option<Agent>, FlowError> {
        let program = Program::load(path, &shown(path))?;
        match Agent::settle(program, &Ours::default(), self.variable.as_deref(), &self.settings)? {
            Found::Agent(agent) => Ok(Some(*agent)),
            Found::Document(_) => Ok(None),
        }
    }
}

fn published(agent: &Agent, path: &Path) -> Result<Published, FlowError> {
    let front = &agent.program.flow.front;
    let exposed = exposed(front)?;
    if exposed == Exposed::Tool && agent.interactive {
        let message = "an interactive agent has a terminal, which a tool has not";
        return Err(wrong(front, message.to_owned(), "Remove `expose: tool`, or what makes it interactive."));
    }
    let description =
        front.get("description").and_then(Value::as_text).filter(|text| !text.trim().is_empty());
    Ok(Published {
        name: String::new(),
        tool: String::new(),
        exposed,
        description: description.map(str::to_owned),
        command: agent.choice.command.clone(),
        parameters: parameters::parameters(agent)?,
        reads_stdin: parameters::reads_stdin(agent),
        path: path.to_owned(),
    })
}

impl Published {
    /// Inputs for everything in this list, and for names that only imported files read.
    pub fn parameters_and<'a>(&self, reads: impl IntoIterator<Item = &'a String>) -> Vec<Input> {
        let mut all = self.parameters.clone();
        for name in reads {
            if name != "_stdin" && all.iter().all(|input| input.name != *name) {
                all.push(parameters::untyped(name.clone(), &Value::Null, Need::Optional));
            }
        }
        all
    }
}

fn exposed(front: &Front) -> Result<Exposed, FlowError> {
    match front.get("expose") {
        None | Some(Value::Null) => Ok(Exposed::Prompt),
        Some(Value::Text(word)) if word == "prompt" => Ok(Exposed::Prompt),
        Some(Value::Text(word)) if word == "tool" => Ok(Exposed::Tool),
        Some(other) => {
            let message = format!("`expose` is `{other}`, not `tool` or `prompt`");
            Err(wrong(front, message, "Write `expose: tool`, or leave it out."))
        }
    }
}

fn wrong(front: &Front, message: String, hint: &str) -> FlowError {
    let error = FlowError::new(Code::FlowBadFrontMatter, message).hint(hint);
    error.at(front.mark_of("expose").cloned())
}

/// A file as whoever uses it knows it: by its name.
fn shown(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
