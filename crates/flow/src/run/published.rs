//! The markdown files of some folders, for others to use by name: what each is called, takes and is for.
//!
//! Every file is a prompt, a document too. Files are read anew each time. May not expand or run any of them.

use super::agent::{Agent, SettledFile};
use super::list::{file_name, markdown_in};
use super::naming::{self, Names};
use super::parameters;
use super::program::AgentFile;
use crate::FlowError;
use crate::choose;
use crate::front::{Front, Value};
use crate::inputs::{Input, Need};
use runward_engine::config::Settings;
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

/// How much of a file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// Everything.
    All,
    /// Its tool; it is a prompt all the same.
    Tool,
}

/// A file that cannot be used as it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Where it lies.
    pub path: PathBuf,
    /// How much of it.
    pub lost: Lost,
    /// Why.
    pub error: FlowError,
}

/// As what an agent is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exposed {
    /// As a prompt.
    #[default]
    Prompt,
    /// As a prompt and as a tool.
    Tool,
}

/// An agent that others may use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    /// Its name as a prompt.
    pub name: String,
    /// Its name as a tool, and the one that the road knows: letters, digits, `_` and `-`, at most 64.
    pub tool: String,
    /// As what it is published.
    pub exposed: Exposed,
    /// What it is for, in its own words.
    pub description: Option<String>,
    /// The command; none where nothing is run: a document, or a file that names none.
    pub command: Option<String>,
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
        let all = self.folders.iter().flat_map(|folder| markdown_in(folder));
        for path in all.filter(|path| !file_name(path).starts_with('.')) {
            match self.found(&path).and_then(|found| published(&found, &path)) {
                Ok((published, no_tool)) => {
                    // A file without a command has none in its name: what tells it from others is its end.
                    names.push(Names::of(&file_name(&path), published.command.as_deref().unwrap_or("md")));
                    catalogue.agents.push(published);
                    let broken = no_tool.map(|error| Broken { path, lost: Lost::Tool, error });
                    catalogue.broken.extend(broken);
                }
                Err(error) => catalogue.broken.push(Broken { path, lost: Lost::All, error }),
            }
        }
        let (prompts, tools) = (naming::prompts(&names), naming::tools(&names, &self.reserved));
        for (agent, (name, tool)) in catalogue.agents.iter_mut().zip(prompts.into_iter().zip(tools)) {
            (agent.name, agent.tool) = (name, tool);
        }
        catalogue
    }

    /// Reads a file again, to use it.
    pub fn open(&self, published: &Published) -> Result<SettledFile, FlowError> {
        self.found(&published.path)
    }

    fn found(&self, path: &Path) -> Result<SettledFile, FlowError> {
        let program = AgentFile::load(path, &file_name(path))?;
        Agent::settle_prompt(program, self.variable.as_deref(), &self.settings)
    }
}

/// What a file is published as, and why it is no tool although it asks to be one.
fn published(found: &SettledFile, path: &Path) -> Result<(Published, Option<FlowError>), FlowError> {
    let mut published = Published { path: path.to_owned(), ..Published::default() };
    let SettledFile::Agent(agent) = found else { return Ok((published, None)) };
    let front = &agent.program.flow.front;
    let description =
        front.get("description").and_then(Value::as_text).filter(|text| !text.trim().is_empty());
    published.exposed = exposed(front)?;
    published.description = description.map(str::to_owned);
    published.command = agent.choice.named().map(str::to_owned);
    published.parameters = parameters::parameters(agent)?;
    published.reads_stdin = parameters::reads_stdin(agent);
    let no_tool = no_tool(agent).filter(|_| published.exposed == Exposed::Tool);
    if no_tool.is_some() {
        published.exposed = Exposed::Prompt;
    }
    steps_have_commands(agent)?;
    Ok((published, no_tool))
}

/// Why an agent cannot be a tool.
fn no_tool(agent: &Agent) -> Option<FlowError> {
    let front = &agent.program.flow.front;
    if agent.choice.named().is_none() {
        return Some(choose::no_command().at(front.mark_of("expose").cloned()));
    }
    agent.interactive.then(|| {
        let error = front.wrong("expose", "an interactive agent has a terminal, which a tool has not");
        error.hint("Remove `expose: tool`, or what makes it interactive.")
    })
}

/// Steps run on the way to a prompt: each needs a command, its own or the file's.
fn steps_have_commands(agent: &Agent) -> Result<(), FlowError> {
    if agent.choice.named().is_some() {
        return Ok(());
    }
    let without = super::steps::of(agent)?.into_iter().find(|step| step.command.is_none());
    without.map_or(Ok(()), |step| Err(choose::no_command().at(step.mark)))
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
            Err(front.wrong("expose", message).hint("Write `expose: tool`, or leave it out."))
        }
    }
}
