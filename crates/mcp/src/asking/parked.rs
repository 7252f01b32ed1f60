//! Calls that wait for their client to call again with a person's answer, in the protocol revision where the server
//! sends no requests itself.
//!
//! Hazard: the client can change what it sends back. So nothing is read from it but an id that cannot be guessed;
//! the call itself, with the draft that was shown, stays here. It goes on once, for the same client, the same tool
//! and the same arguments, and in time.

use super::ElicitationForm;
use crate::answer::CallFailure;
use crate::tools::CallInFlight;
use rmcp::model::{ElicitRequest, ElicitResult, InputRequest, InputRequiredResult, InputResponses};
use runward_engine::approve::{Silence, Verdict};
use runward_engine::{Code, ErrorView};
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
pub(crate) struct QuestionRound {
    form: ElicitationForm,
    since: Instant,
    until: Instant,
    reply: oneshot::Sender<Option<Verdict>>,
}

/// Sends a question out and waits for the answer in a later request; nothing where that is no answer.
pub(super) async fn ask(
    to: &mpsc::Sender<QuestionRound>,
    form: ElicitationForm,
    limit: Duration,
) -> Option<Verdict> {
    let (reply, verdict) = oneshot::channel();
    let nobody = Some(Verdict::Unanswered(Silence::Nobody));
    let since = Instant::now();
    match to.send(QuestionRound { form, since, until: since + limit, reply }).await {
        Ok(()) => verdict.await.unwrap_or(nobody),
        Err(_) => nobody,
    }
}

/// The calls of one client that wait.
#[derive(Default)]
pub(crate) struct Parked(Mutex<Vec<ParkedCall>>);

struct ParkedCall {
    state: String,
    in_flight: CallInFlight,
    round: QuestionRound,
}

impl std::fmt::Debug for Parked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Parked").field(&self.entries().len()).finish()
    }
}

/// An answer came for a call that does not wait.
pub(crate) fn not_open() -> CallFailure {
    CallFailure(ErrorView {
        code: Code::PolicyNeedsApproval,
        message: "a person must agree to this command, and no question about it is open".to_owned(),
        hint: Some("Call again without `requestState`; a person is asked anew.".to_owned()),
    })
}

impl Parked {
    /// Lets a call wait, and gives what the client is told. Without room it is answered with a refusal.
    pub(crate) fn put(
        &self,
        in_flight: CallInFlight,
        round: QuestionRound,
    ) -> Result<InputRequiredResult, CallFailure> {
        let mut entries = self.entries();
        if entries.len() >= ROOM {
            return Err(CallFailure(ErrorView {
                code: Code::PolicyNeedsApproval,
                message: format!("a person must agree to this command, and {ROOM} questions wait already"),
                hint: Some("Answer those first.".to_owned()),
            }));
        }
        let state = uuid::Uuid::new_v4().to_string();
        let request = InputRequest::Elicitation(ElicitRequest::new(round.form.params()));
        let requests = [(ANSWER.to_owned(), request)].into();
        entries.push(ParkedCall { state: state.clone(), in_flight, round });
        Ok(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// The call that waits under this id, if the tool and its arguments are the same.
    pub(crate) fn take(
        &self,
        state: &str,
        is_it: impl FnOnce(&CallInFlight) -> bool,
    ) -> Option<(CallInFlight, QuestionRound)> {
        let mut entries = self.entries();
        let at = entries.iter().position(|entry| entry.state == state)?;
        if !is_it(&entries[at].in_flight) {
            return None;
        }
        let ParkedCall { in_flight, round, .. } = entries.remove(at);
        Some((in_flight, round))
    }

    /// The client is gone: its calls end.
    pub(crate) fn clear(&self) {
        self.entries().clear();
    }

    /// Drops calls that have waited too long.
    fn entries(&self) -> MutexGuard<'_, Vec<ParkedCall>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        entries.retain(|entry| entry.round.until > now);
        entries
    }
}

impl QuestionRound {
    /// Settles it with what came back. Without an answer it stays open, and is asked again.
    pub(crate) fn settle(self, responses: Option<&InputResponses>) -> Option<Self> {
        let answer = responses.and_then(|all| all.get(ANSWER)).cloned();
        match answer.map(serde_json::from_value::<ElicitResult>) {
            Some(Ok(result)) => {
                // The call cannot be gone: it is kept in the same place.
                let _ = self.reply.send(self.form.verdict(&result, self.since.elapsed()));
                None
            }
            Some(Err(_)) | None => Some(self),
        }
    }
}
