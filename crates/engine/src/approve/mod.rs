//! Asking a person about one very draft: the port through which a door lends its own way of asking, a queue for whoever
//! asks elsewhere, and what an answer comes to.
//!
//! An approver says what a person said. It may not give leave itself: only the road turns a verdict into a permit, and
//! a permit fits the draft that was shown and no other.
//! Read first: [`Approver`], then [`Verdict`].

mod exhibit;
mod lasting;
mod queue;
mod settle;

pub use exhibit::Exhibit;
pub use lasting::{Lasting, Remember, Written};
pub use queue::{Attendance, Choice, Open, Queue, ROOM};

pub(crate) use settle::ask;

use runward_core::facts::HostFacts;
use runward_core::plan::{Draft, Person};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// How long a question stays open where nothing else is said.
pub const ASK_LIMIT: Duration = Duration::from_secs(120);

/// What a person is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Matter<'a> {
    /// The very draft.
    pub draft: &'a Draft,
    /// Why a person is asked.
    pub because: &'a str,
    /// What "always" would come to; none where it is not on offer.
    pub lasting: Option<&'a Lasting>,
    /// How long an answer is waited for.
    pub limit: Duration,
}

/// What a person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// This once.
    Once(Person),
    /// This once, and whenever the very same is asked. Where "always" is not on offer, it is this once.
    Always(Person),
    /// No.
    No(Person),
    /// No, and so soon that perhaps no person has seen the question.
    Unseen,
    /// Nothing.
    Unanswered(Silence),
}

/// Why nobody said anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// Nobody is there to ask.
    Nobody,
    /// As many questions are open as may be.
    TooMany,
    /// The time for an answer is over.
    Late,
    /// What was shown was closed without an answer.
    Closed,
}

/// A verdict on its way. Dropping it takes the question back.
pub type Asked<'a> = Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;

/// Someone who can ask a person about one very draft.
pub trait Approver: Send + Sync {
    /// Shows the draft, asks, and tells what the person said.
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> Asked<'a>;
}

/// Nobody is there: every question stays unanswered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: &'a Matter<'a>) -> Asked<'a> {
        Box::pin(std::future::ready(Verdict::Unanswered(Silence::Nobody)))
    }
}

/// Whoever this account belongs to, by the name that the environment has for them.
pub fn operator(facts: &HostFacts) -> Person {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| facts.env_var(name)?.to_str());
    Person::named(name.filter(|name| !name.is_empty()).unwrap_or("the operator"))
}
