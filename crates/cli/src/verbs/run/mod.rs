//! `runward run FILE …`: a markdown agent is read, expanded and run along the road, and its output is ours.
//!
//! Everything before the agent can be interrupted too. May not expand or choose anything itself: `runward-flow` does.
//! Read first: [`asked::Asked`], then [`prepare`].

mod ask;
mod asked;
mod events;
mod explained;
mod interactive;
mod json;
mod plain;
mod prepare;
mod program;
mod rehearsal;
mod stdin;
mod telling;

pub(super) use explained::{explain, format};
pub(super) use program::{Folders, command_variable};

use super::exec::{Guard, next_line};
use crate::args::RunArgs;
use crate::house::{House, Spooling};
use crate::output::{Failure, tell};
use asked::{Asked, Way};
use plain::Run;
use prepare::{Prepared, prepare};
use runward::core::render::word;
use runward::{Caller, Door, Engine, Stream};
use runward_flow::run::Along;
use std::path::Path;
use std::time::SystemTime;
use telling::{Over, Telling};

pub(super) fn run(args: &RunArgs, file: Option<&Path>) -> i32 {
    let asked = match Asked::read(args) {
        Ok(asked) => asked,
        Err((error, way)) => {
            let file = args.words.first().map(|file| word(file)).unwrap_or_default();
            return Telling::of(way, &file).over(Err(error.into()));
        }
    };
    let mut telling = Telling::of(asked.way, &asked.name);
    let done = on_runtime(&asked, file, &mut telling);
    telling.over(done)
}

fn on_runtime(asked: &Asked, file: Option<&Path>, telling: &mut Telling) -> Result<Over, Failure> {
    let house = House::open(file)?.tightened(&asked.sandbox)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::host("no runtime could be started", &error))?;
    let done = if asked.is_rehearsal() {
        runtime.block_on(rehearsal::rehearse(asked, &house, telling))
    } else {
        runtime.block_on(walk(asked, &house, telling))
    };
    // A write or a read that nobody answers must not hold us.
    runtime.shutdown_background();
    done
}

async fn walk(asked: &Asked, house: &House, telling: &mut Telling) -> Result<Over, Failure> {
    let mut guard = Guard::listen()?;
    let engine = house.engine(Spooling::Off)?;
    let road = Along::new(engine.clone(), caller());
    let prepared = match guard.unless_asked(prepare(asked, house, Some(road.clone()), telling)).await {
        Ok(prepared) => prepared?,
        Err(code) => return Ok(stopped(code, &engine, &mut guard).await),
    };
    let ready = match prepared {
        Prepared::Document(text) => return text_alone(text, Vec::new(), asked.way, telling),
        Prepared::Agent(ready) => ready,
    };
    ready.notes.iter().for_each(|note| tell(note));
    let over = match &ready.finished {
        // The steps were all there is to run.
        Some(text) => text_alone(lines(text), json::notes(&ready), asked.way, telling),
        None => {
            let run = Run { engine: &engine, ready: &ready, way: asked.way, house };
            run.to_its_end(&mut guard, telling).await
        }
    };
    if ready.has_after() {
        let code = over.as_ref().map_or_else(Failure::exit_code, |over| over.code);
        match guard.unless_asked(ready.after(code, &road)).await {
            Ok(note) => note.iter().for_each(|note| tell(note)),
            Err(code) => return Ok(stopped(code, &engine, &mut guard).await),
        }
    }
    over
}

/// A person runs the file; nobody typed the commands in it.
fn caller() -> Caller {
    Caller::file(Door::Flow)
}

/// We were told to end: what runs on the way to the agent is asked to end first, unless somebody insists.
async fn stopped(code: i32, engine: &Engine, guard: &mut Guard) -> Over {
    let _ = guard.unless_insisted(engine.shutdown()).await;
    // A question may still stand there, or the key that was pressed.
    next_line();
    Over::told(code)
}

/// What steps came to, as lines.
fn lines(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// A text that no command is run for: a document, or what the steps of a file without a body came to.
fn text_alone(text: String, notes: Vec<&str>, way: Way, telling: &mut Telling) -> Result<Over, Failure> {
    match way {
        Way::Plain => telling::write(&text)?,
        Way::Json => json::text_alone(text, notes)?,
        Way::Events => {
            telling.started(None)?;
            let lines = telling
                .events
                .as_mut()
                .map(|events| events.output(Stream::Stdout, text.as_bytes(), SystemTime::now()));
            telling::write(&lines.unwrap_or_default())?;
        }
    }
    Ok(Over::itself(0))
}
