//! Asking a person: the port through which a door lends its own way of asking.

use runward_core::plan::{Draft, Permit, Question, Refusal};
use std::future::Future;
use std::pin::Pin;

/// What came of asking.
pub type Answer = Result<Permit, Refusal>;

/// Someone who can ask a person about one very draft.
pub trait Approver: Send + Sync {
    /// Shows the draft, asks the question, and answers with leave or a refusal.
    fn ask<'a>(
        &'a self,
        draft: &'a Draft,
        question: Question,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
}

/// Nobody is there: every question is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(
        &'a self,
        _: &'a Draft,
        question: Question,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(std::future::ready(Err(question.unanswered())))
    }
}
