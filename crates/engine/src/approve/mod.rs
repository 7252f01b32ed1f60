//! Approvals: asking a person about one draft. The port through which a door lends its own way of asking, a queue for
//! answers from elsewhere, and what an answer leads to.
//!
//! An approver reports what a person said. It may not give leave: only the road turns a verdict into a permit, and
//! a permit fits the draft that was shown and no other.
//!
//! ```
//! use runward_engine::approve::{Approver, Exhibit, Matter, PendingVerdict, Verdict};
//! use runward_engine::core::plan::Person;
//! use runward_engine::{CommandSpec, Decision, Engine, Outcome, Policy};
//!
//! /// Says yes to `echo`. A real one shows the exhibit to a person, and waits no longer than `matter.limit`.
//! struct YesToEcho;
//!
//! impl Approver for YesToEcho {
//!     fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
//!         let shown = Exhibit::of(matter);
//!         let person = Person::named("ana");
//!         let yes = shown.command.starts_with("echo ");
//!         Box::pin(async move { if yes { Verdict::Once(person) } else { Verdict::No(person) } })
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let policy = Policy::default().with(Decision::Ask, ["echo", "date"]);
//! let engine = Engine::builder().policy(policy).approver(YesToEcho).build()?;
//! assert!(matches!(engine.run(CommandSpec::exec("echo").arg("hi")).await?, Outcome::Ran(_)));
//! assert!(matches!(engine.run(CommandSpec::exec("date")).await?, Outcome::Refused(_)));
//! # Ok::<(), runward_engine::Error>(())
//! # }).unwrap();
//! ```
//!
//! Where the answer comes from another place, such as a page or a second terminal: [`QuestionQueue`].
//! Read first: [`Approver`], then [`Verdict`].

mod exhibit;
mod lasting;
mod queue;
mod settle;

pub use exhibit::Exhibit;
pub use lasting::{LastingRule, Remember, RuleWritten};
pub use queue::{ApprovalChoice, Attendance, OpenQuestion, QuestionQueue, ROOM};

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
    /// The draft itself.
    pub draft: &'a Draft,
    /// Why a person is asked.
    pub because: &'a str,
    /// What "always" would mean; none where it is not possible.
    pub lasting: Option<&'a LastingRule>,
    /// How long to wait for an answer.
    pub limit: Duration,
}

/// What a person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// This once.
    Once(Person),
    /// This once, and whenever the same command is asked for. Where "always" is not possible, it is this once.
    Always(Person),
    /// No.
    No(Person),
    /// No, and so soon that perhaps no person has seen the question.
    Unseen,
    /// No answer.
    Unanswered(Silence),
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Silence {
    /// There is no person to ask.
    Nobody,
    /// As many questions are open as may be.
    TooMany,
    /// The time for an answer is over.
    Late,
    /// The form was closed without an answer.
    Closed,
}

/// A verdict to come. Dropping it withdraws the question.
pub type PendingVerdict<'a> = Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;

/// A way to ask a person about one draft.
pub trait Approver: Send + Sync {
    /// Shows the draft, asks, and gives what the person said.
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a>;
}

/// No person is there: every question stays without an answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Approver for Nobody {
    fn ask<'a>(&'a self, _: &'a Matter<'a>) -> PendingVerdict<'a> {
        Box::pin(std::future::ready(Verdict::Unanswered(Silence::Nobody)))
    }
}

/// The person with this account, by the name that the environment has for them.
pub fn operator(facts: &HostFacts) -> Person {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| facts.env_var(name)?.to_str());
    Person::named(name.filter(|name| !name.is_empty()).unwrap_or("the operator"))
}
