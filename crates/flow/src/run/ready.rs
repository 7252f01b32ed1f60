//! A draft made ready: the hook before has run, the prompt is whole, the command is built.
//!
//! Without a road nothing runs: that is a rehearsal, and what would have run is named in its place.

use super::draft::Draft;
use super::environment::{self, Beside};
use super::errands::Place;
use super::gather::{Imported, Surroundings};
use super::hooks::{self, Hooks};
use super::own_prompt::OwnPrompt;
use super::road::Road;
use super::steps;
use super::timeout;
use crate::FlowError;
use crate::adapters::{Adapter, LARGEST_ARGUMENT, passing};
use crate::build::{self, Placing, Prompt};
use crate::front::{Front, Value};
use crate::imports::tokens::{self, CONTEXT_WINDOW};
use crate::words::Variable;
use runward::{Code, CommandSpec, HostFacts, StdinSpec, Wish};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// A markdown agent, ready to run.
#[derive(Debug)]
pub struct Ready {
    /// The command.
    pub command: String,
    /// Its arguments, the prompt in its place.
    pub args: Vec<String>,
    /// Variables that are set for it.
    pub env: Vec<(String, String)>,
    /// Where it runs.
    pub cwd: PathBuf,
    /// The final prompt.
    pub prompt: String,
    /// Whether the prompt goes to standard input instead of an argument.
    pub prompt_on_stdin: bool,
    /// Whether the program gets the terminal.
    pub interactive: bool,
    /// About how many tokens the prompt takes.
    pub estimated_tokens: usize,
    /// Files of variables that were read, the strongest last.
    pub env_files: Vec<PathBuf>,
    /// Every import.
    pub imports: Vec<Imported>,
    /// Every variable, with where it came from.
    pub variables: Vec<Variable>,
    /// What people should be told.
    pub notes: Vec<String>,
    /// What they should be told about keys that do nothing here: [`Draft::remarks`], for whoever tells all at the end.
    pub remarks: Vec<String>,
    /// The output, where there is no command to run: of a file without a body, what its steps printed at the end.
    pub finished: Option<String>,
    /// Held until the program has read it.
    own_prompt: Option<OwnPrompt>,
    after: Option<String>,
    wall: Wish<Duration>,
}

/// What making ready stands on.
#[derive(Debug)]
pub struct Ground<'a, R> {
    /// The facts of the host.
    pub facts: &'a HostFacts,
    /// Where imports are read, and the road.
    pub surroundings: Arc<Surroundings<R>>,
    /// Where finished steps are remembered, and whether those of the last run count.
    pub record: Option<steps::Record>,
}

impl Draft {
    /// Makes the command ready. Everything must have a value.
    pub async fn ready<R: Road>(mut self, ground: &Ground<'_, R>) -> Result<Ready, FlowError> {
        self.check_complete()?;
        if let Some(road) = &ground.surroundings.road {
            self.passwords().for_each(|password| road.hush(password));
        }
        let own_prompt = match ground.surroundings.road {
            Some(_) => OwnPrompt::write(&mut self.agent)?,
            None => None,
        };
        let (place, Beside { mut notes, files: env_files, .. }) = self.place(ground.facts)?;
        let front = self.front();
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
        notes.splice(0..0, std::mem::take(&mut self.body.gathered.notes));
        let prompt = join(self.stdin.as_deref(), &before, &body);
        let imports = std::mem::take(&mut self.body.gathered.imports);
        notes.extend(fits(&front, &prompt, &imports)?);
        self.built(&front, &prompt, hooks.after, place).map(|ready| Ready {
            imports,
            notes,
            finished,
            env_files,
            own_prompt,
            ..ready
        })
    }

    /// Where the agent's commands run, and with which variables.
    fn place(&self, facts: &HostFacts) -> Result<(Place, Beside), FlowError> {
        let cwd = self.agent.cwd(&facts.cwd, facts.home.as_deref());
        let mut beside = match self.agent.program.path {
            Some(_) => environment::beside(&self.agent.program.folder, facts)?,
            // A file from elsewhere has nothing beside it, and the secrets of this folder are none of its business.
            None => Beside::default(),
        };
        let mut env = std::mem::take(&mut beside.variables);
        // The front matter counts more than everything before it.
        let own = self.agent.translated.variable(self.agent.adapter);
        for (name, value) in build::prepare(&self.front(), "", &self.reads)?.env.into_iter().chain(own) {
            env.retain(|(known, _)| *known != name);
            env.push((name, value));
        }
        let wall = timeout::limit(&self.front(), self.agent.wall)?;
        let slots = Arc::new(Semaphore::new(self.agent.at_once));
        Ok((Place { cwd, env, wall, slots }, beside))
    }

    fn built(
        self,
        front: &Front,
        prompt: &str,
        after: Option<String>,
        place: Place,
    ) -> Result<Ready, FlowError> {
        let prepared = build::prepare(front, prompt, &self.reads)?;
        let adapter = self.agent.adapter;
        alone(adapter, front)?;
        let is_passed = !self.agent.interactive && self.agent.choice.named().is_some();
        let way = match (&prepared.prompt, is_passed) {
            (Some(prompt), true) => passing(adapter, front, prompt, LARGEST_ARGUMENT)?,
            _ => Prompt::Argument,
        };
        let spec = prepared.build(
            &self.agent.choice.command,
            &Placing {
                positionals: &self.given.rest,
                variadic: adapter.map_or(&[], |adapter| adapter.variadic),
                way,
                cwd: &place.cwd,
            },
        );
        let prompt = prepared.prompt.unwrap_or_default();
        Ok(Ready {
            command: spec.executable,
            args: spec.args,
            env: place.env,
            cwd: place.cwd,
            estimated_tokens: tokens::estimate(prompt.chars().count()),
            prompt,
            prompt_on_stdin: way == Prompt::Stdin,
            interactive: self.agent.interactive,
            env_files: Vec::new(),
            imports: Vec::new(),
            variables: self.given.variables,
            notes: Vec::new(),
            remarks: self.remarks,
            finished: None,
            own_prompt: None,
            after,
            wall: place.wall,
        })
    }
}

impl Ready {
    /// What the engine is asked to run.
    pub fn spec(&self) -> CommandSpec {
        let mut spec = self.place().set(CommandSpec::exec(&self.command).args(&self.args));
        if self.prompt_on_stdin {
            spec.stdin = StdinSpec::Bytes(self.prompt.clone().into_bytes());
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

    fn place(&self) -> Place {
        // There is no text left to fill.
        let slots = Arc::new(Semaphore::new(0));
        Place { cwd: self.cwd.clone(), env: self.env.clone(), wall: self.wall, slots }
    }
}

/// A flag that takes any number of words must come with its words, or it takes the prompt for one.
fn alone(adapter: Option<&Adapter>, front: &Front) -> Result<(), FlowError> {
    let is_alone = |key: &&&str| front.get(key) == Some(&Value::Bool(true));
    let Some(key) = adapter.and_then(|adapter| adapter.variadic.iter().find(is_alone)) else { return Ok(()) };
    let error = FlowError::new(Code::FlowBadFrontMatter, format!("`{key}` is `true`, and takes words")).hint(
        format!("Write `{key}: WORD` or `{key}: [WORD, WORD]`: alone it would take the prompt for a word."),
    );
    Err(error.at(front.mark_of(key).cloned()))
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
                let error =
                    FlowError::new(Code::FlowBadFrontMatter, what).hint("Write a number such as 200000.");
                error.at(front.mark_of("context_window").cloned())
            })?
        }
    };
    let sizes: Vec<(String, usize)> = imports.iter().map(|one| (one.what.clone(), one.characters)).collect();
    tokens::check(prompt, window, &sizes)
}
