//! Calls that wait for their client to call again with a person's answer, in the revision where the server asks nothing
//! itself.
//!
//! Hazard: what the client sends back is in its own hands. So nothing is read from it but an id that nobody can guess;
//! the call itself, with the very draft that was shown, stays here. It goes on once, for the same client, the same tool
//! and the same arguments, and in time.

use super::Form;
use crate::answer::Failure;
use crate::tools::Errand;
use rmcp::model::{ElicitRequest, ElicitResult, InputRequest, InputRequiredResult, InputResponses};
use runward::approve::{Silence, Verdict};
use runward::{Code, ErrorView};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// The name of the one question in an answer.
const ANSWER: &str = "approval";

/// As many calls of one client may wait at once.
const ROOM: usize = 64;

/// A question that goes out with the answer to a request.
#[derive(Debug)]
pub(crate) struct Round {
    form: Form,
    since: Instant,
    until: Instant,
    reply: oneshot::Sender<Option<Verdict>>,
}

/// Sends a question out and waits for what comes back in a later request; nothing where that is no answer.
pub(super) async fn ask(to: &mpsc::Sender<Round>, form: Form, limit: Duration) -> Option<Verdict> {
    let (reply, verdict) = oneshot::channel();
    let nobody = Some(Verdict::Unanswered(Silence::Nobody));
    let since = Instant::now();
    match to.send(Round { form, since, until: since + limit, reply }).await {
        Ok(()) => verdict.await.unwrap_or(nobody),
        Err(_) => nobody,
    }
}

/// The calls of one client that wait.
#[derive(Default)]
pub(crate) struct Parked(Mutex<Vec<Entry>>);

struct Entry {
    state: String,
    errand: Errand,
    round: Round,
}

impl std::fmt::Debug for Parked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Parked").field(&self.entries().len()).finish()
    }
}

/// Something was sent back for a call that does not wait.
pub(crate) fn not_open() -> Failure {
    Failure(ErrorView {
        code: Code::PolicyNeedsApproval,
        message: "a person must agree to this command, and no question about it is open".to_owned(),
        hint: Some("Call again without `requestState`; a person is asked anew.".to_owned()),
    })
}

impl Parked {
    /// Lets a call wait, and gives what the client is told. Without room it is answered with a refusal.
    pub(crate) fn put(&self, errand: Errand, round: Round) -> Result<InputRequiredResult, Failure> {
        let mut entries = self.entries();
        if entries.len() >= ROOM {
            return Err(Failure(ErrorView {
                code: Code::PolicyNeedsApproval,
                message: format!("a person must agree to this command, and {ROOM} questions wait already"),
                hint: Some("Answer those first.".to_owned()),
            }));
        }
        let state = uuid::Uuid::new_v4().to_string();
        let request = InputRequest::Elicitation(ElicitRequest::new(round.form.params()));
        let requests = [(ANSWER.to_owned(), request)].into();
        entries.push(Entry { state: state.clone(), errand, round });
        Ok(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// The call that waits under this name, if it is this very call.
    pub(crate) fn take(&self, state: &str, is_it: impl FnOnce(&Errand) -> bool) -> Option<(Errand, Round)> {
        let mut entries = self.entries();
        let at = entries.iter().position(|entry| entry.state == state)?;
        if !is_it(&entries[at].errand) {
            return None;
        }
        let Entry { errand, round, .. } = entries.remove(at);
        Some((errand, round))
    }

    /// The client is gone: nobody waits any more.
    pub(crate) fn clear(&self) {
        self.entries().clear();
    }

    /// What still waits: what is too late does not.
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        entries.retain(|entry| entry.round.until > now);
        entries
    }
}

impl Round {
    /// Settles it with what came back. Without an answer it stays open, and comes back.
    pub(crate) fn settle(self, responses: Option<&InputResponses>) -> Option<Self> {
        let answer = responses.and_then(|all| all.get(ANSWER)).cloned();
        match answer.map(serde_json::from_value::<ElicitResult>) {
            Some(Ok(result)) => {
                // Whoever asked cannot be gone: it waits in the same hands.
                let _ = self.reply.send(self.form.verdict(&result, self.since.elapsed()));
                None
            }
            Some(Err(_)) | None => Some(self),
        }
    }
}
