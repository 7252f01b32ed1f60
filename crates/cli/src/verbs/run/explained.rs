//! `runward explain run FILE …`: the draft of an agent's command, and where everything in it came from.
//!
//! A rehearsal: hooks, steps, inline commands and fences are named, not run. May not show the values of environment
//! variables or passwords.

use super::asked::RunRequest;
use super::{caller, program};
use crate::args::RunArgs;
use crate::output::draft::{DraftView, row};
use crate::output::{OutputFormat, VerbFailure, emit, print, tell};
use crate::setup::Setup;
use runward::core::render::one_line;
use runward::{Engine, Request};
use runward_flow::front::Value;
use runward_flow::inputs::InputKind;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{Agent, AgentInProgress, Along, BuiltAgent, Outside, ReadyGround, SettledFile};
use runward_flow::words::VariableFrom;
use serde::Serialize;
use serde_json::Value as Json;
use std::sync::Arc;

/// The draft, and where it came from.
#[derive(Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    draft: DraftView<'a>,
    flow: Origins,
}

/// Where everything in an agent's command came from.
#[derive(Serialize)]
struct Origins {
    file: String,
    command: String,
    command_from: &'static str,
    values: Vec<ExplainedKey>,
    variables: Vec<Worth>,
    imports: Vec<ExplainedImport>,
    env_files: Vec<String>,
    estimated_tokens: usize,
    notes: Vec<String>,
}

/// One key in force.
#[derive(Serialize)]
struct ExplainedKey {
    key: String,
    value: Json,
    from: String,
    instead_of: Vec<Worth>,
}

/// A value, and its origin.
#[derive(Serialize)]
struct Worth {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    value: Json,
    from: String,
}

#[derive(Serialize)]
struct ExplainedImport {
    what: String,
    from: String,
    characters: usize,
}

/// How the draft is printed.
pub(in crate::verbs) fn format(args: &RunArgs) -> OutputFormat {
    RunRequest::read(args).map_or_else(|(_, way)| way.format(), |asked| asked.way.format())
}

/// Explains what `run` would do.
pub(in crate::verbs) fn explain(args: &RunArgs, engine: &Engine, setup: &Setup) -> Result<i32, VerbFailure> {
    let asked = RunRequest::read(args).map_err(|(error, _)| error)?;
    let runtime = crate::threads::runtime()?;
    let done = runtime.block_on(shown(&asked, engine, setup));
    runtime.shutdown_background();
    done.map(|()| 0)
}

async fn shown(asked: &RunRequest, engine: &Engine, setup: &Setup) -> Result<(), VerbFailure> {
    let program = program::program(&asked.name, &asked.ours, setup).await?;
    let variable = program::command_variable(&setup.facts);
    let agent = match Agent::settle(program, &asked.ours, variable, &setup.settings)? {
        SettledFile::Agent(agent) => agent,
        SettledFile::Document(_) => {
            tell(&format!("`{}` is a document: it would be printed, and nothing run", one_line(&asked.name)));
            return Ok(());
        }
    };
    let (ready, flow) = rehearsed(*agent, asked, setup).await?;
    let draft = engine.explain(Request::by(caller(), ready.spec()))?;
    let explained = Explained { draft: DraftView::of(&draft, &setup.settings), flow };
    match asked.way.format() {
        OutputFormat::Plain => {
            print(format!("{}{}", explained.flow.text(), explained.draft.text()).trim_end())
        }
        structured => emit(&explained, structured),
    }
}

/// The command as it would be, with nothing run to build it.
async fn rehearsed(
    agent: Agent,
    asked: &RunRequest,
    setup: &Setup,
) -> Result<(BuiltAgent, Origins), VerbFailure> {
    let facts = &setup.facts;
    let (home, hosts) = (facts.home.clone(), agent.hosts.clone());
    let surroundings = Arc::new(Surroundings { home, hosts, ..Surroundings::new(&facts.cwd, None::<Along>) });
    let outside = Outside { words: asked.words.clone(), stdin: None };
    let draft = AgentInProgress::of(agent, outside, Arc::clone(&surroundings)).await?;
    let mut origins = Origins::of(&draft);
    let ready = draft.ready(&ReadyGround { facts, surroundings, record: None }).await?;
    origins.take(&ready);
    Ok((ready, origins))
}

impl Origins {
    fn of(draft: &AgentInProgress) -> Self {
        let agent = &draft.agent;
        let values = agent.cascade.in_force().map(|(value, one)| ExplainedKey {
            key: one.key.clone(),
            value: told(&one.key, value),
            from: one.origin.to_string(),
            instead_of: one
                .instead_of
                .iter()
                .map(|(value, origin)| Worth {
                    name: None,
                    value: told(&one.key, value),
                    from: origin.to_string(),
                })
                .collect(),
        });
        let hidden = |name: &str| {
            agent.inputs.iter().any(|input| input.name == name && input.kind == InputKind::Password)
        };
        let variables = draft.given.variables.iter().map(|one| Worth {
            name: Some(one.name.clone()),
            value: if hidden(&one.name) { Json::from("(hidden)") } else { one.value.to_json() },
            from: origin(one.from),
        });
        Self {
            file: agent.program.flow.file.clone(),
            command: agent.choice.command.clone(),
            command_from: agent.choice.by.name(),
            values: values.collect(),
            variables: variables.collect(),
            imports: Vec::new(),
            env_files: Vec::new(),
            estimated_tokens: 0,
            notes: draft.remarks.clone(),
        }
    }

    /// What is known only when everything is ready.
    fn take(&mut self, ready: &BuiltAgent) {
        let import = |one: &runward_flow::run::gather::Imported| ExplainedImport {
            what: one.what.clone(),
            from: one.from.clone(),
            characters: one.characters,
        };
        self.imports = ready.account.imports.iter().map(import).collect();
        self.env_files = ready.account.env_files.iter().map(|file| file.display().to_string()).collect();
        self.estimated_tokens = ready.prompt.estimated_tokens();
        self.notes.extend_from_slice(&ready.account.notes);
    }

    fn text(&self) -> String {
        let mut out = String::new();
        row(&mut out, "file", &one_line(&self.file));
        row(&mut out, "command", &format!("{} ({})", one_line(&self.command), self.command_from));
        rows(&mut out, "values", self.values.iter().map(ExplainedKey::words));
        rows(&mut out, "variables", self.variables.iter().map(Worth::words));
        let import =
            |one: &ExplainedImport| format!("{} from {}, {} characters", one.what, one.from, one.characters);
        rows(&mut out, "imports", self.imports.iter().map(import));
        rows(&mut out, "env files", self.env_files.iter().cloned());
        row(&mut out, "prompt", &format!("about {} tokens", self.estimated_tokens));
        rows(&mut out, "notes", self.notes.iter().cloned());
        out
    }
}

impl ExplainedKey {
    fn words(&self) -> String {
        let before = self.instead_of.iter().map(|one| format!(", instead of {} ({})", one.value, one.from));
        format!("{} = {} ({}){}", self.key, self.value, self.from, before.collect::<String>())
    }
}

impl Worth {
    fn words(&self) -> String {
        format!("{} = {} ({})", self.name.as_deref().unwrap_or_default(), self.value, self.from)
    }
}

fn rows(out: &mut String, label: &str, lines: impl Iterator<Item = String>) {
    for (index, line) in lines.enumerate() {
        row(out, if index == 0 { label } else { "" }, &one_line(&line));
    }
}

/// A value as it may be shown: of variables for the environment, and of inputs, which may be passwords, their names.
fn told(key: &str, value: &Value) -> Json {
    match (key, value) {
        ("env" | "_env" | "_inputs", Value::Map(names)) => names.iter().map(|(name, _)| name).collect(),
        ("env" | "_env" | "_inputs", _) => Json::from("(hidden)"),
        _ => value.to_json(),
    }
}

fn origin(from: VariableFrom) -> String {
    match from {
        VariableFrom::Option => "command line".to_owned(),
        VariableFrom::Place(number) => format!("command line, word {number}"),
        VariableFrom::FrontMatter => "front matter".to_owned(),
        VariableFrom::Input => "default of the input".to_owned(),
        VariableFrom::Asked => "a person who was asked".to_owned(),
    }
}
