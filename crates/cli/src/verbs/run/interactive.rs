//! An agent that has the person's terminal. Where we have one ourselves it gets a pty of the same size, and every
//! key and byte goes through; however it ends, ours is restored.

use crate::output::{Outflow, VerbFailure, unwritten};
use crate::verbs::exec::{InputSource, InterruptGuard, feed};
use crate::verbs::sessions::looks::Looks;
use runward::host::{RawTerminal, Resizes, terminal_size};
use runward::{CommandSpec, Receipt, Session, SessionEvent, StdinSpec, Stream, Terminal};
use std::io::{self, IsTerminal, Write};

/// The command as it is started for a person: on a terminal, where there is one on both sides.
pub(in crate::verbs) fn seated(mut spec: CommandSpec) -> CommandSpec {
    spec.stdin = StdinSpec::Open;
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        // A terminal without a size is a terminal all the same.
        let (rows, cols) = terminal_size().unwrap_or((24, 80));
        spec.terminal = Terminal::Pty { rows, cols };
    }
    spec
}

/// Hands our terminal over to the running agent, to its end.
pub(in crate::verbs) async fn attend(
    mut session: Session,
    guard: &mut InterruptGuard,
) -> Result<Receipt, VerbFailure> {
    // Only now: a question about the command itself is asked on a terminal that works as usual.
    let raw = RawTerminal::enter()
        .map_err(|error| VerbFailure::lacking("the terminal could not be handed over", &error))?;
    let mut looks = Looks::default();
    feed(Some(InputSource::Ours), session.input());
    let shown = guard.unless_insisted(show(&mut session, &mut looks)).await;
    if let Some(Err(_)) = shown {
        session.stop();
    }
    // What a killed program did to the terminal is undone.
    put_back(&looks);
    raw.leave();
    let receipt = guard.through(session.wait()).await?;
    match shown {
        // A terminal that is closed takes its output with it: being told to end is what happened.
        Some(Err(failure)) if guard.exit_code().is_none() => Err(failure),
        _ => Ok(receipt),
    }
}

async fn show(session: &mut Session, looks: &mut Looks) -> Result<(), VerbFailure> {
    let mut out = Outflow::default();
    let mut resizes = Resizes::listen().ok();
    // It may have changed between the question for the size and now.
    follow(session);
    loop {
        tokio::select! {
            biased;
            event = session.next_event() => match event {
                Some(SessionEvent::Output { bytes, .. }) => {
                    looks.pass(&bytes);
                    out.put(Stream::Stdout, &bytes).await.map_err(|error| unwritten(&error))?;
                }
                Some(_) => {}
                None => return Ok(()),
            },
            () = resized(&mut resizes) => follow(session),
        }
    }
}

fn follow(session: &Session) {
    if let Some((rows, cols)) = terminal_size() {
        // A program that has ended cannot be resized.
        let _ = session.resize(rows, cols);
    }
}

async fn resized(resizes: &mut Option<Resizes>) {
    match resizes {
        Some(resizes) => resizes.next().await,
        None => std::future::pending().await,
    }
}

fn put_back(looks: &Looks) {
    let mut out = io::stdout().lock();
    // A terminal that is gone needs no restoring.
    let _ = write!(out, "{}", looks.undo()).and_then(|()| out.flush());
}
