//! A run reported as events: the agent's output, line by line of JSON, and how it ended.

use super::telling::{RunEndedBy, RunOver};
use crate::output::{Outflow, VerbFailure, tell, unwritten};
use crate::verbs::exec::{InterruptGuard, sentences};
use runward::{Receipt, Session, SessionEvent, Stream};
use runward_flow::Mark;
use runward_flow::events::{self, Events};
use std::time::SystemTime;

/// Drives a running agent to its end, and reports its output.
pub(super) async fn attend(
    mut session: Session,
    guard: &mut InterruptGuard,
    events: &mut Events,
) -> Result<RunOver, VerbFailure> {
    let told = guard.unless_insisted(tell_all(&mut session, events)).await;
    if matches!(told, Some(Err(_))) {
        session.stop();
    }
    let receipt = guard.through(session.wait()).await?;
    sentences(&receipt).iter().for_each(|sentence| tell(sentence));
    match (told, guard.exit_code()) {
        (_, Some(code)) => Ok(RunOver::told(code)),
        (Some(Err(failure)), None) => Err(failure),
        (_, None) => Ok(ended(&receipt)),
    }
}

/// How an agent ended, by its receipt.
pub(super) fn ended(receipt: &Receipt) -> RunOver {
    let why = receipt.end.stopped.and_then(|_| sentences(receipt).into_iter().next());
    RunOver { code: receipt.end.exit_code(), how: RunEndedBy::Itself(why) }
}

async fn tell_all(session: &mut Session, events: &mut Events) -> Result<(), VerbFailure> {
    let mut out = Outflow::default();
    while let Some(event) = session.next_event().await {
        if let SessionEvent::Output { stream, bytes, .. } = event {
            let lines = events.output(stream, &bytes, SystemTime::now());
            out.put(Stream::Stdout, lines.as_bytes()).await.map_err(|error| unwritten(&error))?;
        }
    }
    Ok(())
}

/// The last lines of a run.
pub(super) fn ending(events: Events, done: &Result<RunOver, VerbFailure>, command: &str) -> String {
    let now = SystemTime::now();
    match done {
        Ok(RunOver { code, how: RunEndedBy::Told }) => events.cancelled(signal(*code), *code, now),
        Ok(RunOver { code: 0, how: RunEndedBy::Itself(None) }) => events.completed(now),
        Ok(RunOver { code, how: RunEndedBy::Itself(why) }) => {
            let mut failure = events::RunFailure::exit(command, *code);
            failure.message = why.clone().unwrap_or(failure.message);
            events.failed(&failure, now)
        }
        Err(failure) => events.failed(&failure_of(failure), now),
    }
}

fn failure_of(failure: &VerbFailure) -> events::RunFailure {
    match failure {
        VerbFailure::Told(view) => events::RunFailure::coded(view.code, &view.message, view.hint.clone()),
        VerbFailure::Marked(view, mark) => events::RunFailure {
            place: Some(Mark::place(mark)),
            ..events::RunFailure::coded(view.code, &view.message, view.hint.clone())
        },
        // This one has no receiver.
        VerbFailure::ReaderGone | VerbFailure::Left => events::RunFailure::exit("", failure.exit_code()),
    }
}

/// The signal that makes us exit with this code.
fn signal(code: i32) -> &'static str {
    match code {
        129 => "SIGHUP",
        143 => "SIGTERM",
        _ => "SIGINT",
    }
}
