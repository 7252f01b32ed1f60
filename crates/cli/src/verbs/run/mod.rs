//! `runward run FILE …`: a markdown agent is read, expanded and run along the road; its output is passed through.
//!
//! Everything before the agent can be interrupted too. May not expand or choose anything itself: `runward-flow` does.
//! Read first: [`asked::RunRequest`], then [`prepare`].

mod ask;
mod asked;
mod events;
mod explained;
pub(super) mod interactive;
mod json;
mod plain;
mod prepare;
mod program;
mod rehearsal;
mod stdin;
mod telling;

pub(super) use explained::{explain, format};
pub(super) use program::{AgentFolders, command_variable};

use super::exec::{InterruptGuard, next_line};
use crate::args::RunArgs;
use crate::output::{VerbFailure, tell};
use crate::setup::{Setup, SpoolChoice};
use asked::{RunRequest, RunView};
use plain::Run;
use prepare::{PreparedRun, prepare};
use runward::core::render::word;
use runward::{Caller, Door, Engine, Stream};
use runward_flow::run::Along;
use std::path::Path;
use std::time::SystemTime;
use telling::{RunOver, RunTelling};

pub(super) fn run(args: &RunArgs, file: Option<&Path>) -> i32 {
    let asked = match RunRequest::read(args) {
        Ok(asked) => asked,
        Err((error, way)) => {
            let file = args.words.first().map(|file| word(file)).unwrap_or_default();
            return RunTelling::of(way, &file).over(Err(error.into()));
        }
    };
    let mut telling = RunTelling::of(asked.way, &asked.name);
    let done = on_runtime(&asked, file, &mut telling);
    telling.over(done)
}

fn on_runtime(
    asked: &RunRequest,
    file: Option<&Path>,
    telling: &mut RunTelling,
) -> Result<RunOver, VerbFailure> {
    let setup = Setup::open(file)?.tightened(&asked.sandbox)?;
    let runtime = crate::threads::runtime()?;
    let done = if asked.is_rehearsal() {
        runtime.block_on(rehearsal::rehearse(asked, &setup, telling))
    } else {
        runtime.block_on(walk(asked, &setup, telling))
    };
    // A write or a read that blocks must not hold us.
    runtime.shutdown_background();
    done
}

async fn walk(asked: &RunRequest, setup: &Setup, telling: &mut RunTelling) -> Result<RunOver, VerbFailure> {
    let mut guard = InterruptGuard::listen()?;
    let engine = setup.engine(SpoolChoice::Off)?;
    let road = Along::new(engine.clone(), caller());
    let prepared = match guard.unless_asked(prepare(asked, setup, Some(road.clone()), telling)).await {
        Ok(prepared) => prepared?,
        Err(code) => return Ok(stopped(code, &engine, &mut guard).await),
    };
    let ready = match prepared {
        PreparedRun::Document(text) => return text_alone(text, Vec::new(), asked.way, telling),
        PreparedRun::Agent(ready) => ready,
    };
    ready.account.notes.iter().for_each(|note| tell(note));
    let over = match &ready.finished {
        // The steps were all there is to run.
        Some(text) => text_alone(lines(text), json::notes(&ready), asked.way, telling),
        None => {
            let run = Run { engine: &engine, ready: &ready, asked, setup };
            run.to_its_end(&mut guard, telling).await
        }
    };
    if ready.has_after() {
        let code = over.as_ref().map_or_else(VerbFailure::exit_code, |over| over.code);
        match guard.unless_asked(ready.after(code, &road)).await {
            Ok(note) => note.iter().for_each(|note| tell(note)),
            Err(code) => return Ok(stopped(code, &engine, &mut guard).await),
        }
    }
    over
}

/// A person runs the file; the commands in it were typed by no person.
fn caller() -> Caller {
    Caller::file(Door::Flow)
}

/// We were told to end: commands that run before the agent are stopped first, unless the request is repeated.
async fn stopped(code: i32, engine: &Engine, guard: &mut InterruptGuard) -> RunOver {
    let _ = guard.unless_insisted(engine.shutdown()).await;
    // A question may still be shown, or the key that was pressed.
    next_line();
    RunOver::told(code)
}

/// The results of steps, as lines.
fn lines(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// A text that no command is run for: a document, or the results of the steps of a file without a body.
fn text_alone(
    text: String,
    notes: Vec<&str>,
    way: RunView,
    telling: &mut RunTelling,
) -> Result<RunOver, VerbFailure> {
    match way {
        RunView::Plain => telling::write(&text)?,
        RunView::Json => json::text_alone(text, notes)?,
        RunView::Events => {
            telling.started(None)?;
            let lines = telling
                .events
                .as_mut()
                .map(|events| events.output(Stream::Stdout, text.as_bytes(), SystemTime::now()));
            telling::write(&lines.unwrap_or_default())?;
        }
    }
    Ok(RunOver::itself(0))
}
