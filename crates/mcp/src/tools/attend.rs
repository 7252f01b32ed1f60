//! One command, started and attended to its end for one call: shared by every tool that answers with an ending.
//!
//! Whoever asked for progress is told it, what ran under which rule is logged, and the finished command goes on the
//! client's shelf. May not render: each tool has its own form.

use super::Call;
use crate::log::{self, Weight};
use crate::progress::Teller;
use crate::shelf::Finished;
use runward::{Error, Receipt, Refusal, Request, Session, Started};
use serde_json::json;
use std::sync::Arc;

/// What became of a command that did not fail.
pub(crate) enum Attended {
    /// It ran to its end.
    Ran(Arc<Receipt>),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

/// Walks a request along the road to its end.
pub(crate) async fn attend(request: Request, call: &Call) -> Result<Attended, Error> {
    let session = match call.sessions.engine().start(request).await? {
        Started::Running(session) => session,
        Started::Refused(refusal) => return Ok(Attended::Refused(refusal)),
    };
    let finished = to_the_end(session, call).await?;
    let receipt = Arc::clone(&finished.receipt);
    let line = call.line.now();
    if line.hearing.wants(Weight::Detail) {
        let fields = json!({ "id": receipt.id, "program": receipt.program.display().to_string(), "rule": receipt.permitted_by.name() });
        let redactor = call.sessions.engine().redactor();
        log::tell(&line.peer, line.hearing, redactor, Weight::Detail, fields).await;
    }
    call.client.shelf.put(finished, call.sessions.engine().journal());
    Ok(Attended::Ran(receipt))
}

/// Waits for the end, telling progress to whoever wants it.
async fn to_the_end(mut session: Session, call: &Call) -> Result<Finished, Error> {
    let internal = || Error::Internal { what: "a session that was started has no ledger".to_owned() };
    let ledger = session.ledger().ok_or_else(internal)?;
    match Teller::on(&call.line.now()) {
        Some(teller) => teller.attend(&mut session, call.sessions.engine().redactor()).await,
        None => session.stop_listening(),
    }
    let receipt = session.ended().await?;
    Ok(Finished { receipt, ledger })
}
