//! `--dry-run`: what would run, and with which prompt. May not start anything; there is no engine here.

use super::asked::{RunRequest, RunView};
use super::json;
use super::prepare::{PreparedRun, prepare};
use super::telling::{RunOver, RunTelling};
use crate::output::{OutputFormat, VerbFailure, emit, print, tell};
use crate::setup::Setup;
use crate::verbs::exec::InterruptGuard;
use runward::core::render::{command_line, word};
use runward_flow::build::Prompt;
use runward_flow::imports::tokens;
use runward_flow::run::BuiltAgent;
use serde::Serialize;
use serde_json::{Map, Value};

/// What `--dry-run --json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rehearsal<'a> {
    command: Option<&'a str>,
    args: &'a [String],
    env: Map<String, Value>,
    cwd: String,
    prompt: &'a str,
    estimated_tokens: usize,
    imports: Vec<RehearsedImport<'a>>,
    variables: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'a str>,
}

#[derive(Serialize)]
struct RehearsedImport<'a> {
    what: &'a str,
    from: &'a str,
    characters: usize,
}

/// Rehearses a run.
pub(super) async fn rehearse(
    asked: &RunRequest,
    setup: &Setup,
    telling: &mut RunTelling,
) -> Result<RunOver, VerbFailure> {
    let mut guard = InterruptGuard::listen()?;
    let prepared = match guard.unless_asked(prepare(asked, setup, None, telling)).await {
        Ok(prepared) => prepared?,
        Err(code) => return Ok(RunOver::told(code)),
    };
    match &prepared {
        PreparedRun::Document(text) => document(text, asked.way, setup)?,
        PreparedRun::Agent(ready) => {
            ready.account.notes.iter().for_each(|note| tell(note));
            match asked.way {
                RunView::Json => emit(&of(ready), OutputFormat::Json)?,
                RunView::Plain | RunView::Events => print(&words(ready))?,
            }
        }
    }
    Ok(RunOver::itself(0))
}

/// A document is printed either way: there is nothing to run.
fn document(text: &str, way: RunView, setup: &Setup) -> Result<(), VerbFailure> {
    if way != RunView::Json {
        return super::telling::write(text);
    }
    let told = Rehearsal {
        command: None,
        args: &[],
        env: Map::new(),
        cwd: word(setup.facts.cwd.as_os_str()),
        prompt: text,
        estimated_tokens: tokens::estimate(text.chars().count()),
        imports: Vec::new(),
        variables: Map::new(),
        notes: Vec::new(),
    };
    emit(&told, OutputFormat::Json)
}

fn of(ready: &BuiltAgent) -> Rehearsal<'_> {
    let text = |(name, value): &(String, String)| (name.clone(), Value::String(value.clone()));
    let imports = ready.account.imports.iter();
    let runs = ready.finished.is_none();
    Rehearsal {
        command: runs.then_some(&ready.command.executable),
        args: if runs { &ready.command.args } else { &[] },
        env: ready.command.env.iter().map(text).collect(),
        cwd: word(ready.command.cwd.as_os_str()),
        prompt: &ready.prompt.text,
        estimated_tokens: ready.prompt.estimated_tokens(),
        imports: imports
            .map(|one| RehearsedImport { what: &one.what, from: &one.from, characters: one.characters })
            .collect(),
        variables: ready
            .account
            .variables
            .iter()
            .map(|one| (one.name.clone(), one.value.to_json()))
            .collect(),
        notes: json::notes(ready),
    }
}

fn words(ready: &BuiltAgent) -> String {
    let command = match &ready.finished {
        Some(_) => "none: a file without a body prints the results of its steps".to_owned(),
        None => command_line(std::iter::once(&ready.command.executable).chain(&ready.command.args)),
    };
    let way = if ready.prompt.way == Prompt::Stdin { ", on its standard input" } else { "" };
    format!(
        "Command:\n{command}\n\nPrompt{way}:\n{}\n\nEstimated tokens: {}",
        ready.prompt.text.trim_end_matches('\n'),
        ready.prompt.estimated_tokens()
    )
}
