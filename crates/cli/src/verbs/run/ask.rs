//! Asks a person for the missing inputs of a markdown agent. May not ask where there is no terminal.
//!
//! Drawn on standard error, read from standard input; both have to be a terminal. Read first: [`complete`].

mod form;
mod keys;
mod remembered;
mod terminal;

use crate::output::{VerbFailure, tell};
use crate::places;
use crate::setup::Setup;
use form::{Echo, TerminalForm};
use remembered::RememberedAnswers;
use runward::core::render::one_line;
use runward_flow::front::Value;
use runward_flow::inputs::{Input, InputKind};
use runward_flow::run::{AgentInProgress, MissingValue};
use std::io::{self, IsTerminal};
use terminal::AskTerminal;

/// Whether there is a person to ask.
pub(in crate::verbs) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for everything that is missing. Without a person to ask it stays missing, and [`AgentInProgress::ready`] says so.
pub(in crate::verbs) async fn complete(
    draft: &mut AgentInProgress,
    setup: &Setup,
) -> Result<(), VerbFailure> {
    let missing = draft.missing();
    if missing.is_empty() || !somebody_is_there() {
        return Ok(());
    }
    // A host that cannot hand its terminal over is one where no person can be asked.
    let Ok(mut terminal) = AskTerminal::open() else { return Ok(()) };
    let state = places::state_folder(&setup.facts);
    let mut remembered = RememberedAnswers::of(draft.agent.program.identity(), state.as_deref());
    for one in missing {
        ask(&one, draft, &mut terminal, &mut remembered).await?;
    }
    drop(terminal);
    if let Err(error) = remembered.keep() {
        tell(&format!("the answers could not be remembered: {error}"));
    }
    Ok(())
}

/// Asks until the answer is valid.
async fn ask(
    one: &MissingValue,
    draft: &mut AgentInProgress,
    terminal: &mut AskTerminal,
    remembered: &mut RememberedAnswers,
) -> Result<(), VerbFailure> {
    let (name, input) = match one {
        MissingValue::Input(input) => (input.name.as_str(), Some(input)),
        MissingValue::Name(read) => (read.name.as_str(), None),
    };
    let mut form = form(name, input, remembered.get(name));
    loop {
        let answer = terminal.ask(&mut form).await;
        let answer =
            answer.map_err(|error| VerbFailure::lacking("the terminal could not be used", &error))?;
        let Some(answer) = answer else { return Err(VerbFailure::Left) };
        if answer.is_empty() {
            form.refuse("a value is needed".to_owned());
            continue;
        }
        if let Err(why) = draft.give(name, &Value::text(&answer)) {
            form.refuse(one_line(&why.to_string()));
            continue;
        }
        let line = form.answered(&one_line(&answer), columns());
        terminal
            .close(&line)
            .map_err(|error| VerbFailure::lacking("the terminal could not be used", &error))?;
        if !input.is_some_and(|input| input.kind == InputKind::Password) {
            remembered.set(name, &answer);
        }
        return Ok(());
    }
}

fn columns() -> usize {
    runward::host::terminal_size().map_or(80, |(_, columns)| usize::from(columns))
}

/// The question for an input, or for a name that a template reads.
fn form(name: &str, input: Option<&Input>, last: Option<&str>) -> TerminalForm {
    // The file may come from anywhere: nothing in it may move the cursor.
    let label = one_line(&label(name, input));
    let last = last.map(one_line);
    let at = |words: &[String]| words.iter().position(|word| Some(word) == last.as_ref()).unwrap_or(0);
    match input.map(|input| &input.kind) {
        Some(InputKind::Select { options }) => {
            let at = at(options);
            TerminalForm::choice(label, options.clone(), at)
        }
        Some(InputKind::Confirm) => {
            let words = vec!["yes".to_owned(), "no".to_owned()];
            let at = at(&words);
            TerminalForm::choice(label, words, at)
        }
        Some(InputKind::Password) => TerminalForm::line(label, Echo::Hidden, None),
        // A value that is not allowed any more is not offered.
        Some(InputKind::Number { .. } | InputKind::Text) | None => {
            let allowed = |word: &String| input.is_none_or(|input| input.check(&Value::text(word)).is_ok());
            TerminalForm::line(label, Echo::Shown, last.filter(allowed))
        }
    }
}

fn label(name: &str, input: Option<&Input>) -> String {
    let number = |input: &Input| matches!(input.kind, InputKind::Number { .. }).then(|| input.allowed());
    match input.and_then(|input| input.description.clone().or_else(|| number(input))) {
        Some(words) => format!("{name} ({words})"),
        None => name.to_owned(),
    }
}
