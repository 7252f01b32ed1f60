//! One call in progress: answered in one request, or, where its client has to be asked something, in several.

use super::{ChosenTool, ToolCall, ToolFuture};
use crate::answer::{CallFailure, ToolAnswer};
use crate::asking::{QuestionRound, Rounds};
use crate::line::{ClientChannel, CurrentChannel};
use crate::log::{self, Weight};
use crate::veil::Veil;
use rmcp::model::JsonObject;
use runward_engine::core::redact::Redactor;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// A call in progress. Dropping it stops whatever runs for it.
pub(crate) struct CallInFlight {
    tool: String,
    /// Kept only for a call that may go on in another request.
    arguments: Option<JsonObject>,
    line: CurrentChannel,
    work: ToolFuture,
    rounds: Option<Rounds>,
    redactor: Redactor,
    veil: Veil,
}

/// How far a call has come.
pub(crate) enum CallProgress {
    /// The answer.
    Answer(ToolAnswer),
    /// A question to its client. It goes on when that is settled.
    Question(CallInFlight, QuestionRound),
}

impl CallInFlight {
    /// Begins a call. Questions to its client come out of the receiver.
    pub(crate) fn begin(
        chosen: ChosenTool,
        call: ToolCall,
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
    pub(crate) fn moves_to(&self, line: ClientChannel) {
        self.line.to(line);
    }

    /// Goes on. A client that cancels the request ends whatever runs for it.
    pub(crate) async fn go_on(mut self, cancelled: CancellationToken) -> CallProgress {
        // Dropping the work drops the session in it, which stops the command.
        let done = tokio::select! {
            biased;
            () = cancelled.cancelled() => {
                Err(CallFailure::bad_value("the call was cancelled".to_owned(), "Call again."))
            }
            done = &mut self.work => done,
            Some(round) = next(&mut self.rounds) => return CallProgress::Question(self, round),
        };
        CallProgress::Answer(match done {
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
async fn next(rounds: &mut Option<Rounds>) -> Option<QuestionRound> {
    rounds.as_mut()?.recv().await
}
