//! Nothing runs without leave.

use crate::ground::{builder, script};
use runward_engine::approve::{Approver, Matter, PendingVerdict, Verdict};
use runward_engine::core::plan::Person;
use runward_engine::{Caller, CommandSpec, Decision, Engine, Outcome, Policy, Request};

fn marker(dir: &tempfile::TempDir) -> (CommandSpec, std::path::PathBuf) {
    let file = dir.path().join("ran");
    (CommandSpec::exec("touch").arg(&file), file)
}

async fn refused(engine: &Engine, request: impl Into<Request>) -> String {
    match engine.run(request).await.unwrap() {
        Outcome::Refused(refusal) => refusal.view().code.name().to_owned(),
        Outcome::Ran(receipt) => panic!("ran: {receipt:?}"),
    }
}

/// promise: P01
#[tokio::test]
async fn without_a_rule_nothing_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (spec, file) = marker(&dir);
    let engine = Engine::builder().build().unwrap();
    assert_eq!(refused(&engine, spec).await, "policy.denied");
    assert!(!file.exists());
}

/// promise: P01
#[tokio::test]
async fn what_a_person_types_is_their_own_leave() {
    let dir = tempfile::tempdir().unwrap();
    let (spec, file) = marker(&dir);
    let engine = Engine::builder().build().unwrap();
    assert!(matches!(engine.run(Request::by(Caller::person(), spec)).await, Ok(Outcome::Ran(_))));
    assert!(file.exists());
}

/// promise: P01
#[tokio::test]
async fn explaining_starts_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (spec, file) = marker(&dir);
    let draft = builder().build().unwrap().explain(spec).unwrap();
    assert!(draft.command().program().ends_with("touch"));
    assert!(!file.exists());
}

/// promise: P01
#[tokio::test]
async fn a_question_that_nobody_hears_is_a_refusal() {
    let dir = tempfile::tempdir().unwrap();
    let (spec, file) = marker(&dir);
    let engine =
        Engine::builder().policy(Policy { typed: Decision::Ask, ..Policy::default() }).build().unwrap();
    assert_eq!(refused(&engine, Request::by(Caller::person(), spec)).await, "policy.needs-approval");
    assert!(!file.exists());
}

/// Answers every question in one way, and remembers what it was shown.
struct Someone(bool);

impl Approver for Someone {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        assert!(!matter.draft.command().argv().is_empty());
        let person = Person::named("someone");
        Box::pin(std::future::ready(if self.0 { Verdict::Once(person) } else { Verdict::No(person) }))
    }
}

/// promise: P01
#[tokio::test]
async fn a_person_can_agree_or_decline() {
    let ask = Policy { typed: Decision::Ask, ..Policy::default() };
    let yes = Engine::builder().policy(ask.clone()).approver(Someone(true)).build().unwrap();
    let no = Engine::builder().policy(ask).approver(Someone(false)).build().unwrap();
    let request = || Request::by(Caller::person(), script("true"));
    let Outcome::Ran(receipt) = yes.run(request()).await.unwrap() else { panic!("refused") };
    assert_eq!(receipt.permitted_by.name(), "approved by someone");
    assert_eq!(refused(&no, request()).await, "policy.declined");
}
