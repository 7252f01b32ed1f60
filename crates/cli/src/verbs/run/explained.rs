//! `runward explain run FILE …`: the draft of an agent's command, and where everything in it came from.
//!
//! A rehearsal: hooks, steps, inline commands and fences are named, not run. May not show the values of environment
//! variables or passwords.

use super::asked::Asked;
use super::{caller, program};
use crate::args::RunArgs;
use crate::house::House;
use crate::output::draft::{DraftView, row};
use crate::output::{Failure, Format, emit, print, tell};
use runward::core::render::one_line;
use runward::{Engine, Request};
use runward_flow::front::Value;
use runward_flow::inputs::Kind;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::{Agent, Along, Draft, Found, Ground, Outside, Ready};
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
    values: Vec<InForce>,
    variables: Vec<Worth>,
    imports: Vec<Import>,
    env_files: Vec<String>,
    estimated_tokens: usize,
    notes: Vec<String>,
}

/// One key in force.
#[derive(Serialize)]
struct InForce {
    key: String,
    value: Json,
    from: String,
    instead_of: Vec<Worth>,
}

/// A value, and who said so.
#[derive(Serialize)]
struct Worth {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    value: Json,
    from: String,
}

#[derive(Serialize)]
struct Import {
    what: String,
    from: String,
    characters: usize,
}

/// How the draft is told.
pub(in crate::verbs) fn format(args: &RunArgs) -> Format {
    Asked::read(args).map_or_else(|(_, way)| way.format(), |asked| asked.way.format())
}

/// Explains what `run` would do.
pub(in crate::verbs) fn explain(args: &RunArgs, engine: &Engine, house: &House) -> Result<i32, Failure> {
    let asked = Asked::read(args).map_err(|(error, _)| error)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::host("no runtime could be started", &error))?;
    let done = runtime.block_on(shown(&asked, engine, house));
    runtime.shutdown_background();
    done.map(|()| 0)
}

async fn shown(asked: &Asked, engine: &Engine, house: &House) -> Result<(), Failure> {
    let program = program::program(&asked.name, &asked.ours, house).await?;
    let variable = program::command_variable(&house.facts);
    let agent = match Agent::settle(program, &asked.ours, variable, &house.settings)? {
        Found::Agent(agent) => agent,
        Found::Document(_) => {
            tell(&format!("`{}` is a document: it would be printed, and nothing run", one_line(&asked.name)));
            return Ok(());
        }
    };
    let (ready, flow) = rehearsed(*agent, asked, house).await?;
    let draft = engine.explain(Request::by(caller(), ready.spec()))?;
    let explained = Explained { draft: DraftView::of(&draft, &house.settings), flow };
    match asked.way.format() {
        Format::Plain => print(format!("{}{}", explained.flow.text(), explained.draft.text()).trim_end()),
        structured => emit(&explained, structured),
    }
}

/// The command as it would be, with nothing run on the way to it.
async fn rehearsed(agent: Agent, asked: &Asked, house: &House) -> Result<(Ready, Origins), Failure> {
    let facts = &house.facts;
    let (home, hosts) = (facts.home.clone(), agent.hosts.clone());
    let surroundings = Arc::new(Surroundings { home, hosts, ..Surroundings::new(&facts.cwd, None::<Along>) });
    let outside = Outside { words: asked.words.clone(), stdin: None };
    let draft = Draft::of(agent, outside, Arc::clone(&surroundings)).await?;
    let mut origins = Origins::of(&draft);
    let ready = draft.ready(&Ground { facts, surroundings, record: None }).await?;
    origins.take(&ready);
    Ok((ready, origins))
}

impl Origins {
    fn of(draft: &Draft) -> Self {
        let agent = &draft.agent;
        let values = agent.cascade.in_force().map(|(value, one)| InForce {
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
        let hidden =
            |name: &str| agent.inputs.iter().any(|input| input.name == name && input.kind == Kind::Password);
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
    fn take(&mut self, ready: &Ready) {
        let import = |one: &runward_flow::run::gather::Imported| Import {
            what: one.what.clone(),
            from: one.from.clone(),
            characters: one.characters,
        };
        self.imports = ready.imports.iter().map(import).collect();
        self.env_files = ready.env_files.iter().map(|file| file.display().to_string()).collect();
        self.estimated_tokens = ready.estimated_tokens;
        self.notes.extend_from_slice(&ready.notes);
    }

    fn text(&self) -> String {
        let mut out = String::new();
        row(&mut out, "file", &one_line(&self.file));
        row(&mut out, "command", &format!("{} ({})", one_line(&self.command), self.command_from));
        rows(&mut out, "values", self.values.iter().map(InForce::words));
        rows(&mut out, "variables", self.variables.iter().map(Worth::words));
        let import = |one: &Import| format!("{} from {}, {} characters", one.what, one.from, one.characters);
        rows(&mut out, "imports", self.imports.iter().map(import));
        rows(&mut out, "env files", self.env_files.iter().cloned());
        row(&mut out, "prompt", &format!("about {} tokens", self.estimated_tokens));
        rows(&mut out, "notes", self.notes.iter().cloned());
        out
    }
}

impl InForce {
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
