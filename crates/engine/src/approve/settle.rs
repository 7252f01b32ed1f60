//! What a verdict leads to: a permit for the draft that was shown, or a refusal; and for "always" rules that hold
//! from now on.
//!
//! The one place where a person's word becomes leave. May not ask: an approver does.

use super::lasting::{LastingRule, RuleWritten};
use super::{Approver, Matter, Silence, Verdict};
use crate::aside::aside;
use crate::state::EngineState;
use runward_core::plan::{Draft, Permit, Question, Refusal};
use runward_core::render::duration;
use std::sync::Arc;
use std::time::Duration;

/// Asks about a draft and settles the answer. Waits for it no longer than the state says.
pub(crate) async fn ask(
    state: &Arc<EngineState>,
    approver: &dyn Approver,
    draft: &Draft,
    question: Question,
) -> Result<Permit, Refusal> {
    let lasting = state.remember.as_ref().and_then(|remember| LastingRule::of(draft, &**remember));
    let limit = state.ask_limit;
    let matter = Matter { draft, because: question.because(), lasting: lasting.as_ref(), limit };
    let verdict = tokio::time::timeout(limit, approver.ask(&matter)).await;
    match verdict.unwrap_or(Verdict::Unanswered(Silence::Late)) {
        Verdict::Once(person) => {
            if let Some(lasting) = lasting {
                note(state, lasting).await;
            }
            Ok(question.granted_by(&person))
        }
        Verdict::Always(person) => {
            if let Some(lasting) = lasting {
                keep(state, lasting).await;
            }
            Ok(question.granted_by(&person))
        }
        Verdict::No(person) => Err(question.declined_by(&person)),
        Verdict::Unseen => Err(question.declined_unseen(UNSEEN)),
        Verdict::Unanswered(silence) => Err(refusal(question, silence, limit)),
    }
}

/// Writes the rules and puts them in force. Where that fails the command still runs this once.
async fn keep(state: &Arc<EngineState>, lasting: LastingRule) {
    let Some(remember) = state.remember.as_ref().map(Arc::clone) else { return };
    let state = Arc::clone(state);
    let keep = move || {
        if remember.write(&lasting.rules) == RuleWritten::Yes {
            state.policy.add(&lasting.rules, &state.facts);
        }
    };
    // A panic here means that the rule does not hold.
    let _ = aside(keep).await;
}

/// Notes an approval of this once. The command does not wait for it to succeed.
async fn note(state: &EngineState, lasting: LastingRule) {
    if let Some(remember) = state.remember.as_ref().map(Arc::clone) {
        // A note that panics is only missing.
        let _ = aside(move || remember.once(&lasting.rules)).await;
    }
}

const UNSEEN: &str = "Ask the person. If they saw no form, the client shows none: let it not declare `elicitation`, and questions wait in `runward approvals`.";

fn refusal(question: Question, silence: Silence, limit: Duration) -> Refusal {
    const ANSWER: &str = "Ask again, and let a person answer it with `runward approve ID` while it waits; `runward approvals` shows what waits.";
    match silence {
        Silence::Nobody => question.unanswered(),
        Silence::Late => question.unheard(&format!("nobody answered within {}", duration(limit)), ANSWER),
        Silence::Closed => question.unheard("the form for it was closed without an answer", ANSWER),
        Silence::TooMany => {
            let why = format!("{} questions wait for an answer already", super::ROOM);
            question.unheard(&why, ANSWER)
        }
    }
}
