//! A draft made ready: the hook before has run, the prompt is whole, the command is built.
//!
//! Without a road nothing runs: that is a rehearsal, and what would have run is named in its place.

use super::commands::CommandPlace;
use super::environment::{self, Beside};
use super::gather::{Imported, Surroundings};
use super::hooks::{self, Hooks};
use super::in_progress::AgentInProgress;
use super::own_prompt;
use super::road::Road;
use super::steps;
use super::timeout;
use crate::FlowError;
use crate::adapters::{Adapter, LARGEST_ARGUMENT, passing};
use crate::build::{self, BuiltCommand, Placing, Prepared, Prompt};
use crate::front::{Front, Value};
use crate::imports::tokens::{self, CONTEXT_WINDOW};
use crate::words::Variable;
use runward_engine::{CommandSpec, HostFacts, StdinSpec, Wish};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::sync::Semaphore;

/// A markdown agent whose command is built, ready to run.
#[derive(Debug)]
pub struct BuiltAgent {
    /// The command, the prompt in its place.
    pub command: BuiltCommand,
    /// The final prompt.
    pub prompt: FinalPrompt,
    /// Whether the program gets the terminal.
    pub interactive: bool,
    /// The output, where there is no command to run: of a file without a body, what its steps printed at the end.
    pub finished: Option<String>,
    /// How it came about.
    pub account: AgentAccount,
    /// Held until the program has read it.
    own_prompt: Option<NamedTempFile>,
    after: Option<String>,
    wall: Wish<Duration>,
}

/// The prompt that a program is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalPrompt {
    /// All of it.
    pub text: String,
    /// How it reaches the program.
    pub way: Prompt,
}

impl FinalPrompt {
    /// About how many tokens it takes.
    pub fn estimated_tokens(&self) -> usize {
        tokens::estimate(self.text.chars().count())
    }
}

/// What went into an agent, and what people should be told about it.
#[derive(Debug, Default)]
pub struct AgentAccount {
    /// Files of variables that were read, the strongest last.
    pub env_files: Vec<PathBuf>,
    /// Every import.
    pub imports: Vec<Imported>,
    /// Every variable, with where it came from.
    pub variables: Vec<Variable>,
    /// What people should be told.
    pub notes: Vec<String>,
    /// What they should be told about keys that do nothing here: [`AgentInProgress::remarks`], for doors that tell all at the end.
    pub remarks: Vec<String>,
}

/// What making ready stands on.
#[derive(Debug)]
pub struct ReadyGround<'a, R> {
    /// The facts of the host.
    pub facts: &'a HostFacts,
    /// Where imports are read, and the road.
    pub surroundings: Arc<Surroundings<R>>,
    /// Where finished steps are remembered, and whether those of the last run count.
    pub record: Option<steps::Record>,
}

impl AgentInProgress {
    /// Makes the command ready. Everything must have a value.
    pub async fn ready<R: Road>(mut self, ground: &ReadyGround<'_, R>) -> Result<BuiltAgent, FlowError> {
        self.check_complete()?;
        if let Some(road) = &ground.surroundings.road {
            self.passwords().for_each(|password| road.hush(password));
        }
        let own_prompt = match ground.surroundings.road {
            Some(_) => own_prompt::write(&mut self.agent)?,
            None => None,
        };
        let front = self.front();
        let prepared = build::prepare(&front, "", &self.reads)?;
        let (place, Beside { mut notes, files: env_files, .. }) =
            self.place(&front, &prepared, ground.facts)?;
        let hooks = Hooks::of(&front)?;
        let road = ground.surroundings.road.as_ref();
        let before = match (&hooks.before, road) {
            (Some(text), Some(road)) => {
                let printed = hooks::before(text, &place, road).await;
                printed.map_err(|error| hooks::at_before(error, &front))?
            }
            (Some(_), None) => "[the hook before is not run by --dry-run]\n".to_owned(),
            (None, _) => String::new(),
        };
        let mut scope = self.scope();
        let mut finished = None;
        if let Some(done) = steps::run(&self, &scope, &place, ground).await? {
            notes.extend(done.notes);
            scope.set("steps", done.value);
            // Without a body there is nothing left to ask.
            finished = self.agent.program.flow.body.trim().is_empty().then_some(done.result);
        }
        let body = self.body.fill(&scope, &place, road).await?;
        notes.splice(0..0, std::mem::take(&mut self.body.notes));
        let prompt = join(self.stdin.as_deref(), &before, &body);
        let imports = std::mem::take(&mut self.body.imports);
        notes.extend(fits(&front, &prompt, &imports)?);
        let prepared = prepared.with_prompt(&prompt);
        let way = self.way(&front, prepared.prompt.as_deref())?;
        let interactive = self.agent.interactive;
        let command = self.build(&prepared, way, &place);
        let prompt = FinalPrompt { text: prepared.prompt.unwrap_or_default(), way };
        let (variables, remarks) = (self.given.variables, self.remarks);
        let account = AgentAccount { env_files, imports, variables, notes, remarks };
        let (after, wall) = (hooks.after, place.wall);
        Ok(BuiltAgent { command, prompt, interactive, finished, account, own_prompt, after, wall })
    }

    /// Where the agent's commands run, and with which variables.
    fn place(
        &self,
        front: &Front,
        prepared: &Prepared,
        facts: &HostFacts,
    ) -> Result<(CommandPlace, Beside), FlowError> {
        let cwd = self.agent.cwd(&facts.cwd, facts.home.as_deref());
        let mut beside = match self.agent.program.path {
            Some(_) => environment::beside(&self.agent.program.folder, facts)?,
            // A file from elsewhere has nothing beside it, and the secrets of this folder are none of its business.
            None => Beside::default(),
        };
        let mut env = std::mem::take(&mut beside.variables);
        // The front matter counts more than everything before it.
        let own = self.agent.translated.variable(self.agent.adapter);
        for (name, value) in prepared.env.iter().cloned().chain(own) {
            env.retain(|(known, _)| *known != name);
            env.push((name, value));
        }
        let wall = timeout::limit(front, self.agent.wall)?;
        let slots = Arc::new(Semaphore::new(self.agent.at_once));
        Ok((CommandPlace { cwd, env, wall, slots }, beside))
    }

    /// How the prompt reaches the program.
    fn way(&self, front: &Front, prompt: Option<&str>) -> Result<Prompt, FlowError> {
        let adapter = self.agent.adapter;
        alone(adapter, front)?;
        match prompt {
            Some(prompt) if !self.agent.interactive && self.agent.choice.named().is_some() => {
                passing(adapter, front, prompt, LARGEST_ARGUMENT)
            }
            _ => Ok(Prompt::Argument),
        }
    }

    /// The command itself, with all variables that are set for it.
    fn build(&self, prepared: &Prepared, way: Prompt, place: &CommandPlace) -> BuiltCommand {
        let variadic = self.agent.adapter.map_or(&[][..], |adapter| adapter.variadic);
        let placing = Placing { positionals: &self.given.rest, variadic, way, cwd: &place.cwd };
        BuiltCommand { env: place.env.clone(), ..prepared.build(&self.agent.choice.command, &placing) }
    }
}

impl BuiltAgent {
    /// What the engine is asked to run.
    pub fn spec(&self) -> CommandSpec {
        let mut spec = self.place().lower(&self.command);
        if self.prompt.way == Prompt::Stdin {
            spec.stdin = StdinSpec::Bytes(self.prompt.text.clone().into_bytes());
        }
        spec.shown.extend(self.own_prompt.as_ref().map(|file| file.path().to_owned()));
        spec
    }

    /// Runs the hook after the agent, which is told how that ended. What comes back is to be told to people.
    pub async fn after<R: Road>(&self, exit_code: i32, road: &R) -> Option<String> {
        hooks::after(self.after.as_ref()?, exit_code, &self.place(), road).await
    }

    /// Whether there is a hook after the agent.
    pub fn has_after(&self) -> bool {
        self.after.is_some()
    }

    fn place(&self) -> CommandPlace {
        // There is no text left to fill.
        let slots = Arc::new(Semaphore::new(0));
        CommandPlace { cwd: self.command.cwd.clone(), env: self.command.env.clone(), wall: self.wall, slots }
    }
}

/// A flag that takes any number of words must come with its words, or it takes the prompt for one.
fn alone(adapter: Option<&Adapter>, front: &Front) -> Result<(), FlowError> {
    let is_alone = |key: &&&str| front.get(key) == Some(&Value::Bool(true));
    let Some(key) = adapter.and_then(|adapter| adapter.variadic.iter().find(is_alone)) else { return Ok(()) };
    let hint =
        format!("Write `{key}: WORD` or `{key}: [WORD, WORD]`: alone it would take the prompt for a word.");
    Err(front.wrong(key, format!("`{key}` is `true`, and takes words")).hint(hint))
}

/// Standard input, what the hook printed, and the body.
fn join(stdin: Option<&str>, before: &str, body: &str) -> String {
    let mut prompt = String::new();
    if let Some(text) = stdin {
        prompt.push_str(&format!("<stdin>\n{text}\n</stdin>\n\n"));
    }
    prompt.push_str(before);
    if !before.is_empty() && !before.ends_with('\n') {
        prompt.push('\n');
    }
    // Blank lines around the body are the file's layout, not the prompt.
    prompt.push_str(body.trim());
    prompt
}

fn fits(front: &Front, prompt: &str, imports: &[Imported]) -> Result<Option<String>, FlowError> {
    let window = match front.get("context_window") {
        None | Some(Value::Null) => CONTEXT_WINDOW,
        Some(value) => {
            let number = value.as_number().filter(|number| *number >= 1.0 && number.fract() == 0.0);
            let number = number.and_then(|number| format!("{number:.0}").parse().ok());
            number.ok_or_else(|| {
                let what = format!("`context_window` is `{value}`, not a whole number of tokens");
                front.wrong("context_window", what).hint("Write a number such as 200000.")
            })?
        }
    };
    let sizes: Vec<(String, usize)> = imports.iter().map(|one| (one.what.clone(), one.characters)).collect();
    tokens::check(prompt, window, &sizes)
}
