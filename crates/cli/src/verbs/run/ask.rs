//! A person is asked for what a markdown agent still needs to know. May not ask where there is no terminal.
//!
//! Drawn on standard error, read from standard input; both have to be a terminal. Read first: [`complete`].

mod desk;
mod form;
mod keys;
mod remembered;

use crate::house::House;
use crate::output::{Failure, tell};
use crate::places;
use desk::Desk;
use form::{Echo, Form};
use remembered::Remembered;
use runward::core::render::one_line;
use runward_flow::front::Value;
use runward_flow::inputs::{Input, Kind};
use runward_flow::run::{Draft, Missing};
use std::io::{self, IsTerminal};

/// Whether there is somebody to ask.
pub(in crate::verbs) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for everything that is missing. Where nobody can be asked, it stays missing, and [`Draft::ready`] says so.
pub(in crate::verbs) async fn complete(draft: &mut Draft, house: &House) -> Result<(), Failure> {
    let missing = draft.missing();
    if missing.is_empty() || !somebody_is_there() {
        return Ok(());
    }
    // A host that cannot hand its terminal over is one where nobody can be asked.
    let Ok(mut desk) = Desk::open() else { return Ok(()) };
    let state = places::state_folder(&house.facts);
    let mut remembered = Remembered::of(draft.agent.program.identity(), state.as_deref());
    for one in missing {
        ask(&one, draft, &mut desk, &mut remembered).await?;
    }
    drop(desk);
    if let Err(error) = remembered.keep() {
        tell(&format!("the answers could not be remembered: {error}"));
    }
    Ok(())
}

/// Asks until the answer will do.
async fn ask(
    one: &Missing,
    draft: &mut Draft,
    desk: &mut Desk,
    remembered: &mut Remembered,
) -> Result<(), Failure> {
    let (name, input) = match one {
        Missing::Input(input) => (input.name.as_str(), Some(input)),
        Missing::Name(read) => (read.name.as_str(), None),
    };
    let mut form = form(name, input, remembered.get(name));
    loop {
        let answer = desk.ask(&mut form).await;
        let answer = answer.map_err(|error| Failure::host("the terminal could not be used", &error))?;
        let Some(answer) = answer else { return Err(Failure::Left) };
        if answer.is_empty() {
            form.refuse("a value is needed".to_owned());
            continue;
        }
        if let Err(why) = draft.give(name, &Value::text(&answer)) {
            form.refuse(one_line(&why.to_string()));
            continue;
        }
        let line = form.answered(&one_line(&answer), columns());
        desk.close(&line).map_err(|error| Failure::host("the terminal could not be used", &error))?;
        if !input.is_some_and(|input| input.kind == Kind::Password) {
            remembered.set(name, &answer);
        }
        return Ok(());
    }
}

fn columns() -> usize {
    runward::host::terminal_size().map_or(80, |(_, columns)| usize::from(columns))
}

/// The question for an input, or for a name that a template reads.
fn form(name: &str, input: Option<&Input>, last: Option<&str>) -> Form {
    // The file may come from anywhere: nothing in it may move the cursor.
    let label = one_line(&label(name, input));
    let last = last.map(one_line);
    let at = |words: &[String]| words.iter().position(|word| Some(word) == last.as_ref()).unwrap_or(0);
    match input.map(|input| &input.kind) {
        Some(Kind::Select { options }) => {
            let at = at(options);
            Form::choice(label, options.clone(), at)
        }
        Some(Kind::Confirm) => {
            let words = vec!["yes".to_owned(), "no".to_owned()];
            let at = at(&words);
            Form::choice(label, words, at)
        }
        Some(Kind::Password) => Form::line(label, Echo::Hidden, None),
        // A value that is not allowed any more is not offered.
        Some(Kind::Number { .. } | Kind::Text) | None => {
            let allowed = |word: &String| input.is_none_or(|input| input.check(&Value::text(word)).is_ok());
            Form::line(label, Echo::Shown, last.filter(allowed))
        }
    }
}

fn label(name: &str, input: Option<&Input>) -> String {
    let number = |input: &Input| matches!(input.kind, Kind::Number { .. }).then(|| input.allowed());
    match input.and_then(|input| input.description.clone().or_else(|| number(input))) {
        Some(words) => format!("{name} ({words})"),
        None => name.to_owned(),
    }
}
