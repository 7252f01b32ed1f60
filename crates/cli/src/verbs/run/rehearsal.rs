//! `--dry-run`: what would run, and with which prompt. May not start anything; there is no engine here.

use super::asked::{Asked, Way};
use super::json;
use super::prepare::{Prepared, prepare};
use super::telling::{Over, Telling};
use crate::house::House;
use crate::output::{Failure, Format, emit, print, tell};
use crate::verbs::exec::Guard;
use runward::core::render::{command_line, word};
use runward_flow::imports::tokens;
use runward_flow::run::Ready;
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
    imports: Vec<Import<'a>>,
    variables: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'a str>,
}

#[derive(Serialize)]
struct Import<'a> {
    what: &'a str,
    from: &'a str,
    characters: usize,
}

/// Rehearses a run.
pub(super) async fn rehearse(asked: &Asked, house: &House, telling: &mut Telling) -> Result<Over, Failure> {
    let mut guard = Guard::listen()?;
    let prepared = match guard.unless_asked(prepare(asked, house, None, telling)).await {
        Ok(prepared) => prepared?,
        Err(code) => return Ok(Over::told(code)),
    };
    match &prepared {
        Prepared::Document(text) => document(text, asked.way, house)?,
        Prepared::Agent(ready) => {
            ready.notes.iter().for_each(|note| tell(note));
            match asked.way {
                Way::Json => emit(&of(ready), Format::Json)?,
                Way::Plain | Way::Events => print(&words(ready))?,
            }
        }
    }
    Ok(Over::itself(0))
}

/// A document is printed either way: there is nothing to run.
fn document(text: &str, way: Way, house: &House) -> Result<(), Failure> {
    if way != Way::Json {
        return super::telling::write(text);
    }
    let told = Rehearsal {
        command: None,
        args: &[],
        env: Map::new(),
        cwd: word(house.facts.cwd.as_os_str()),
        prompt: text,
        estimated_tokens: tokens::estimate(text.chars().count()),
        imports: Vec::new(),
        variables: Map::new(),
        notes: Vec::new(),
    };
    emit(&told, Format::Json)
}

fn of(ready: &Ready) -> Rehearsal<'_> {
    let text = |(name, value): &(String, String)| (name.clone(), Value::String(value.clone()));
    let imports = ready.imports.iter();
    let runs = ready.finished.is_none();
    Rehearsal {
        command: runs.then_some(&ready.command),
        args: if runs { &ready.args } else { &[] },
        env: ready.env.iter().map(text).collect(),
        cwd: word(ready.cwd.as_os_str()),
        prompt: &ready.prompt,
        estimated_tokens: ready.estimated_tokens,
        imports: imports
            .map(|one| Import { what: &one.what, from: &one.from, characters: one.characters })
            .collect(),
        variables: ready.variables.iter().map(|one| (one.name.clone(), one.value.to_json())).collect(),
        notes: json::notes(ready),
    }
}

fn words(ready: &Ready) -> String {
    let command = match &ready.finished {
        Some(_) => "none: a file without a body prints what its steps came to".to_owned(),
        None => command_line(std::iter::once(&ready.command).chain(&ready.args)),
    };
    let way = if ready.prompt_on_stdin { ", on its standard input" } else { "" };
    format!(
        "Command:\n{command}\n\nPrompt{way}:\n{}\n\nEstimated tokens: {}",
        ready.prompt.trim_end_matches('\n'),
        ready.estimated_tokens
    )
}
