//! Asking a person on behalf of one call: through the client, where it can show a form; else, and where the client
//! closes the form without an answer, through the queue that the operator's socket serves.
//!
//! No tool answers a question: the client's own person does, or a person with the operator's account. May not give
//! leave: the road does.
//! Read first: [`CallApprover`].

mod elicit;
mod form;
mod parked;

pub(crate) use parked::{Parked, QuestionRound, not_open};

use form::ElicitationForm;

use crate::client;
use crate::line::CurrentChannel;
use crate::progress::waiting;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use runward_engine::approve::{Approver, Matter, PendingVerdict, QuestionQueue, Silence, Verdict};
use runward_engine::core::plan::Person;
use runward_engine::core::render::one_line;
use tokio::sync::mpsc;

/// How a question of one call reaches a person.
pub(crate) struct CallApprover {
    way: AskingWay,
    line: CurrentChannel,
    /// What the client calls itself.
    client: Option<String>,
    queue: QuestionQueue,
}

/// Where questions come out that need a request of their own.
pub(crate) type Rounds = mpsc::Receiver<QuestionRound>;

/// What the client can do.
enum AskingWay {
    /// It shows a form when it is asked to.
    Form,
    /// It shows a form that it finds in an answer, and calls again.
    Rounds(mpsc::Sender<QuestionRound>),
    /// It shows nothing.
    Elsewhere,
}

impl CallApprover {
    /// How questions of this request reach a person. Those that need a request of their own come out of the receiver.
    pub(crate) fn of(
        context: &RequestContext<RoleServer>,
        client: Option<String>,
        line: CurrentChannel,
        queue: QuestionQueue,
    ) -> (Self, Option<Rounds>) {
        let (way, rounds) = match (shows_forms(context), client::is_stateless(context)) {
            (true, false) => (AskingWay::Form, None),
            (true, true) => {
                let (to, rounds) = mpsc::channel(1);
                (AskingWay::Rounds(to), Some(rounds))
            }
            (false, _) => (AskingWay::Elsewhere, None),
        };
        (Self { way, line, client, queue }, rounds)
    }

    /// Asks through the queue, where a person attends it.
    async fn elsewhere(&self, matter: &Matter<'_>, otherwise: Silence) -> Verdict {
        if !self.queue.is_attended() {
            return Verdict::Unanswered(otherwise);
        }
        let line = self.line.now();
        waiting(&line, self.queue.ask(matter)).await
    }

    fn person(&self) -> Person {
        match &self.client {
            Some(name) => Person::named(format!("the person at `{}`", one_line(name))),
            None => Person::named("the person at the client"),
        }
    }
}

/// Whether the client said that it can show a form.
fn shows_forms(context: &RequestContext<RoleServer>) -> bool {
    let can = context.client_capabilities().and_then(|can| can.elicitation);
    can.is_some_and(|can| can.form.is_some() || can.url.is_none())
}

impl Approver for CallApprover {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        match &self.way {
            AskingWay::Form => {
                let form = ElicitationForm::of(matter, self.person());
                let line = self.line.now();
                Box::pin(async move {
                    match waiting(&line, elicit::ask(&line.peer, form)).await {
                        Some(verdict) => verdict,
                        None => self.elsewhere(matter, Silence::Closed).await,
                    }
                })
            }
            AskingWay::Rounds(to) => {
                let form = ElicitationForm::of(matter, self.person());
                Box::pin(async move {
                    match parked::ask(to, form, matter.limit).await {
                        Some(verdict) => verdict,
                        None => self.elsewhere(matter, Silence::Closed).await,
                    }
                })
            }
            AskingWay::Elsewhere => Box::pin(self.elsewhere(matter, Silence::Nobody)),
        }
    }
}
