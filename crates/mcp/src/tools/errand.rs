//! One call under way: answered in one request, or, where its client has to be asked something, in several.

use super::{Call, Chosen, Work};
use crate::answer::{Answer, Failure};
use crate::asking::{Round, Rounds};
use crate::line::{Line, Switch};
use crate::log::{self, Weight};
use crate::veil::Veil;
use rmcp::model::JsonObject;
use runward::core::redact::Redactor;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// A call under way. Dropping it stops whatever runs for it.
pub(crate) struct Errand {
    tool: String,
    /// Kept only for a call that may go on in another request.
    arguments: Option<JsonObject>,
    line: Switch,
    work: Work,
    rounds: Option<Rounds>,
    redactor: Redactor,
    veil: Veil,
}

/// What a call has come to.
pub(crate) enum Came {
    /// The answer.
    Answer(Answer),
    /// A question to its client. It goes on when that is settled.
    Question(Errand, Round),
}

impl Errand {
    /// Begins a call. Questions to its client come out of the receiver.
    pub(crate) fn begin(
        chosen: Chosen,
        call: Call,
        arguments: Option<JsonObject>,
        rounds: Option<Rounds>,
    ) -> Self {
        let line = call.line.clone();
        let tool = chosen.name().to_owned();
        let (redactor, veil) = (call.sessions.engine().redactor().clone(), call.veil.clone());
        let kept = rounds.as_ref().and_then(|_| arguments.clone());
        Self { tool, work: chosen.work(call, arguments), arguments: kept, line, rounds, redactor, veil }
    }

    /// Whether it is this tool with these arguments.
    pub(crate) fn is(&self, tool: &str, arguments: Option<&JsonObject>) -> bool {
        self.tool == tool && self.arguments.as_ref() == arguments
    }

    /// It goes on in another request.
    pub(crate) fn moves_to(&self, line: Line) {
        self.line.to(line);
    }

    /// Goes on. A client that no longer wants the answer ends whatever runs for it.
    pub(crate) async fn go_on(mut self, cancelled: CancellationToken) -> Came {
        // Dropping the work drops the session in it, which stops the command.
        let done = tokio::select! {
            biased;
            () = cancelled.cancelled() => {
                Err(Failure::bad_value("the call was cancelled".to_owned(), "Call again."))
            }
            done = &mut self.work => done,
            Some(round) = next(&mut self.rounds) => return Came::Question(self, round),
        };
        Came::Answer(match done {
            Ok(answer) => answer,
            Err(failure) => {
                let fields = json!({ "tool": self.tool, "error": &failure.0 });
                let line = self.line.now();
                log::tell(&line.peer, line.hearing, &self.redactor, Weight::Trouble, fields).await;
                failure.under(&self.veil).into()
            }
        })
    }
}

/// The next question to the client, if it can be asked in this way at all.
async fn next(rounds: &mut Option<Rounds>) -> Option<Round> {
    rounds.as_mut()?.recv().await
}
