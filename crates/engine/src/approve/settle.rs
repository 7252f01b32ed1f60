//! What a verdict comes to: a permit for the very draft that was shown, or a refusal; and for "always" rules that hold
//! from now on.
//!
//! The one place where a person's word becomes leave. May not ask: an approver does.

use super::lasting::{Lasting, Written};
use super::{Approver, Matter, Silence, Verdict};
use crate::road::House;
use runward_core::plan::{Draft, Permit, Question, Refusal};
use runward_core::render::duration;
use std::sync::Arc;
use std::time::Duration;

/// Asks about a draft and settles what was said. No answer is waited for longer than the house says.
pub(crate) async fn ask(
    house: &House,
    approver: &dyn Approver,
    draft: &Draft,
    question: Question,
) -> Result<Permit, Refusal> {
    let lasting = house.remember.as_ref().and_then(|remember| Lasting::of(draft, &**remember));
    let limit = house.ask_limit;
    let matter = Matter { draft, because: question.because(), lasting: lasting.as_ref(), limit };
    let verdict = tokio::time::timeout(limit, approver.ask(&matter)).await;
    match verdict.unwrap_or(Verdict::Unanswered(Silence::Late)) {
        Verdict::Once(person) => {
            if let Some(lasting) = lasting {
                note(house, lasting).await;
            }
            Ok(question.granted_by(&person))
        }
        Verdict::Always(person) => {
            if let Some(lasting) = lasting {
                keep(house, lasting).await;
            }
            Ok(question.granted_by(&person))
        }
        Verdict::No(person) => Err(question.declined_by(&person)),
        Verdict::Unseen => Err(question.declined_unseen(UNSEEN)),
        Verdict::Unanswered(silence) => Err(refusal(question, silence, limit)),
    }
}

/// Writes the rules down and puts them in force. Where that fails the command still runs this once.
async fn keep(house: &House, lasting: Lasting) {
    let Some(remember) = house.remember.as_ref().map(Arc::clone) else { return };
    let rules = lasting.rules.clone();
    let written = tokio::task::spawn_blocking(move || remember.write(&rules)).await;
    if matches!(written, Ok(Written::Yes)) {
        house.policy.add(&lasting.rules, &house.facts);
    }
}

/// Notes what was agreed to this once. The command does not wait for it to succeed.
async fn note(house: &House, lasting: Lasting) {
    if let Some(remember) = house.remember.as_ref().map(Arc::clone) {
        // A note that panics is a note that is missing.
        let _ = tokio::task::spawn_blocking(move || remember.once(&lasting.rules)).await;
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
