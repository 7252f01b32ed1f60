//! Starts one command for one call and drives it to its end: shared by every tool that answers with an ending.
//!
//! Progress is sent if the client asked for it, what ran under which rule is logged, and the finished command is kept
//! for the client. May not render: each tool has its own form.

use super::ToolCall;
use crate::finished::FinishedCommand;
use crate::log::{self, Weight};
use crate::progress::Teller;
use runward_engine::registry::Live;
use runward_engine::{Error, Ledger, Receipt, Refusal, Request, Session, Started};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// How a command that did not fail ended.
pub(crate) enum Attended {
    /// It ran to its end.
    Ran(Arc<Receipt>),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

/// The same where it may last longer than its client waits.
pub(crate) enum AttendedFor {
    /// It ran to its end.
    Ran(Arc<Receipt>),
    /// It still runs, as a session of its client.
    GoesOn(Live),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

/// Runs a request along the road to its end.
pub(crate) async fn attend(request: Request, call: &ToolCall) -> Result<Attended, Error> {
    match call.sessions.engine().start(request).await? {
        Started::Running(session) => {
            let ledger = ledger(&session)?;
            Ok(Attended::Ran(to_the_end(session, ledger, call).await?))
        }
        Started::Refused(refusal) => Ok(Attended::Refused(refusal)),
    }
}

/// The same, but a command that still runs after so long becomes a session of its client.
pub(crate) async fn attend_for(
    request: Request,
    call: &ToolCall,
    patience: Option<Duration>,
) -> Result<AttendedFor, Error> {
    let Some(patience) = patience else {
        return Ok(match attend(request, call).await? {
            Attended::Ran(receipt) => AttendedFor::Ran(receipt),
            Attended::Refused(refusal) => AttendedFor::Refused(refusal),
        });
    };
    let command = request.command_line();
    let mut session = match call.sessions.engine().start(request).await? {
        Started::Running(session) => session,
        Started::Refused(refusal) => return Ok(AttendedFor::Refused(refusal)),
    };
    let ledger = ledger(&session)?;
    let over = tokio::time::timeout(patience, watch(&mut session, &ledger, call)).await;
    let session = match over {
        Ok(()) => session,
        Err(_) => match call.sessions.adopt(&call.client.owner, session, command) {
            Ok(live) => return Ok(AttendedFor::GoesOn(live)),
            // There are as many sessions as there may be: it is waited for.
            Err(session) => session,
        },
    };
    Ok(AttendedFor::Ran(to_the_end(session, ledger, call).await?))
}

fn ledger(session: &Session) -> Result<Arc<Ledger>, Error> {
    let internal = || Error::Internal { what: "a session that was started has no ledger".to_owned() };
    session.ledger().ok_or_else(internal)
}

/// Waits until it is over, sending progress if it is wanted.
async fn watch(session: &mut Session, ledger: &Ledger, call: &ToolCall) {
    tell(session, call).await;
    ledger.until(|standing| standing.receipt.clone()).await;
}

async fn tell(session: &mut Session, call: &ToolCall) {
    match Teller::on(&call.line.now()) {
        Some(teller) => teller.attend(session, call.sessions.engine().redactor()).await,
        None => session.stop_listening(),
    }
}

/// Waits for the end, logs it, and keeps the command for reading.
async fn to_the_end(
    mut session: Session,
    ledger: Arc<Ledger>,
    call: &ToolCall,
) -> Result<Arc<Receipt>, Error> {
    tell(&mut session, call).await;
    let receipt = session.ended().await?;
    let line = call.line.now();
    if line.hearing.wants(Weight::Detail) {
        let fields = json!({ "id": receipt.id, "program": receipt.program.display().to_string(), "rule": receipt.permitted_by.name() });
        let redactor = call.sessions.engine().redactor();
        log::tell(&line.peer, line.hearing, redactor, Weight::Detail, fields).await;
    }
    let finished = FinishedCommand { receipt: Arc::clone(&receipt), ledger };
    call.client.shelf.put(finished, call.sessions.engine().journal());
    Ok(receipt)
}
