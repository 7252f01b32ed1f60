//! A run told as events: what the agent prints, line by line of JSON, and how it ended.

use super::telling::{How, Over, failed};
use crate::output::{Failure, tell};
use crate::verbs::exec::{Guard, put, sentences};
use runward::{Event, Receipt, Session};
use runward_flow::Mark;
use runward_flow::events::{self, Events};
use std::time::SystemTime;

/// Attends a running agent to its end, and tells what it prints.
pub(super) async fn attend(
    mut session: Session,
    guard: &mut Guard,
    events: &mut Events,
) -> Result<Over, Failure> {
    let told = guard.unless_insisted(tell_all(&mut session, events)).await;
    if matches!(told, Some(Err(_))) {
        session.stop();
    }
    let receipt = guard.through(session.wait()).await?;
    sentences(&receipt).iter().for_each(|sentence| tell(sentence));
    match (told, guard.exit_code()) {
        (_, Some(code)) => Ok(Over::told(code)),
        (Some(Err(failure)), None) => Err(failure),
        (_, None) => Ok(ended(&receipt)),
    }
}

/// How an agent came to its end, by its receipt.
pub(super) fn ended(receipt: &Receipt) -> Over {
    let why = receipt.end.stopped.and_then(|_| sentences(receipt).into_iter().next());
    Over { code: receipt.end.exit_code(), how: How::Itself(why) }
}

async fn tell_all(session: &mut Session, events: &mut Events) -> Result<(), Failure> {
    let mut out = tokio::io::stdout();
    while let Some(event) = session.next_event().await {
        if let Event::Output { stream, bytes, .. } = event {
            let lines = events.output(stream, &bytes, SystemTime::now());
            put(&mut out, lines.as_bytes()).await.map_err(|error| failed(&error))?;
        }
    }
    Ok(())
}

/// The last lines of a run.
pub(super) fn ending(events: Events, done: &Result<Over, Failure>, command: &str) -> String {
    let now = SystemTime::now();
    match done {
        Ok(Over { code, how: How::Told }) => events.cancelled(signal(*code), *code, now),
        Ok(Over { code: 0, how: How::Itself(None) }) => events.completed(now),
        Ok(Over { code, how: How::Itself(why) }) => {
            let mut failure = events::Failure::exit(command, *code);
            failure.message = why.clone().unwrap_or(failure.message);
            events.failed(&failure, now)
        }
        Err(failure) => events.failed(&failure_of(failure), now),
    }
}

fn failure_of(failure: &Failure) -> events::Failure {
    match failure {
        Failure::Told(view) => events::Failure::coded(view.code, &view.message, view.hint.clone()),
        Failure::Marked(view, mark) => events::Failure {
            place: Some(Mark::place(mark)),
            ..events::Failure::coded(view.code, &view.message, view.hint.clone())
        },
        // Nobody hears this one.
        Failure::ReaderGone | Failure::Left => events::Failure::exit("", failure.exit_code()),
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
