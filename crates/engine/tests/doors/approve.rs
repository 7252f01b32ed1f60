//! Questions to a person: answered once, for one very draft, in time, by an id.

use runward_engine::approve::{
    ApprovalChoice, Exhibit, OpenQuestion, QuestionQueue, ROOM, Remember, RuleWritten,
};
use runward_engine::core::plan::Person;
use runward_engine::core::policy::Rule;
use runward_engine::{
    Caller, Code, Coded, CommandSpec, Door, Engine, EngineBuilder, Outcome, Policy, Request,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinHandle;

/// Remembers in memory, or fails to.
#[derive(Clone, Default)]
struct Notebook {
    rules: Arc<Mutex<Vec<Rule>>>,
    noted: Arc<Mutex<Vec<Rule>>>,
    torn: bool,
}

impl Remember for Notebook {
    fn place(&self, _: &[Rule]) -> Option<String> {
        Some("the notebook".to_owned())
    }

    fn once(&self, rules: &[Rule]) {
        self.noted.lock().unwrap().extend_from_slice(rules);
    }

    fn write(&self, rules: &[Rule]) -> RuleWritten {
        if self.torn {
            return RuleWritten::No;
        }
        self.rules.lock().unwrap().extend_from_slice(rules);
        RuleWritten::Yes
    }
}

/// An engine that asks about `echo` through its own queue.
fn asking(builder: EngineBuilder) -> Engine {
    let policy = Policy::default().with(runward_engine::Decision::Ask, ["echo", "cat"]);
    let engine = builder.policy(policy).build().unwrap();
    let queue = engine.questions().clone();
    engine.asking(queue)
}

fn echo(word: &str) -> Request {
    let caller = Caller { name: Some("agent".to_owned()), ..Caller::tool(Door::Mcp, "execute_command") };
    Request::by(caller, CommandSpec::exec("echo").arg(word))
}

fn begin(engine: &Engine, request: Request) -> JoinHandle<Result<Outcome, runward_engine::Error>> {
    let engine = engine.clone();
    tokio::spawn(async move { engine.run(request).await })
}

/// Waits until that many questions are open.
async fn open(queue: &QuestionQueue, count: usize) -> Vec<OpenQuestion> {
    loop {
        let all = queue.list();
        if all.len() == count {
            return all;
        }
        tokio::task::yield_now().await;
    }
}

async fn one(queue: &QuestionQueue) -> OpenQuestion {
    open(queue, 1).await.remove(0)
}

fn me() -> Person {
    Person::named("me")
}

fn refused(outcome: Outcome) -> runward_engine::ErrorView {
    match outcome {
        Outcome::Refused(refusal) => refusal.view(),
        Outcome::Ran(receipt) => panic!("ran: {receipt:?}"),
    }
}

/// promise: P01
#[tokio::test]
async fn once_is_this_once() {
    let engine = asking(Engine::builder());
    let call = begin(&engine, echo("hi"));
    let question = one(engine.questions()).await;
    let Exhibit { command, door, caller, tool, always, .. } = question.exhibit;
    assert_eq!((command.as_str(), door.as_str(), always), ("echo hi", "mcp", None));
    assert_eq!((caller.as_deref(), tool.as_deref()), (Some("agent"), Some("execute_command")));
    engine.questions().answer(&question.id, ApprovalChoice::Once, me()).unwrap();
    let Outcome::Ran(receipt) = call.await.unwrap().unwrap() else { panic!("refused") };
    assert_eq!(receipt.permitted_by.name(), "approved by me");
    let again = begin(&engine, echo("hi"));
    let next = one(engine.questions()).await;
    assert_ne!(next.id, question.id, "the same command is asked about again");
    engine.questions().answer(&next.id, ApprovalChoice::No, me()).unwrap();
    assert_eq!(refused(again.await.unwrap().unwrap()).code, Code::PolicyDeclined);
}

/// promise: P01
#[tokio::test]
async fn always_is_for_the_very_same_command() {
    let notebook = Notebook::default();
    let engine = asking(Engine::builder().remember(notebook.clone()));
    let call = begin(&engine, echo("hi"));
    let question = one(engine.questions()).await;
    assert_eq!(question.exhibit.always.as_deref(), Some("the notebook"));
    engine.questions().answer(&question.id, ApprovalChoice::Always, me()).unwrap();
    assert!(matches!(call.await.unwrap().unwrap(), Outcome::Ran(_)));
    assert_eq!(notebook.rules.lock().unwrap().len(), 1);
    assert!(matches!(engine.run(echo("hi")).await.unwrap(), Outcome::Ran(_)), "unasked");
    let longer = begin(&engine, echo("hi there"));
    let question = one(engine.questions()).await;
    engine.questions().answer(&question.id, ApprovalChoice::No, me()).unwrap();
    assert_eq!(refused(longer.await.unwrap().unwrap()).code, Code::PolicyDeclined);
}

#[tokio::test]
async fn always_that_cannot_be_written_is_once() {
    let engine = asking(Engine::builder().remember(Notebook { torn: true, ..Notebook::default() }));
    for _ in 0..2 {
        let call = begin(&engine, echo("hi"));
        let question = one(engine.questions()).await;
        engine.questions().answer(&question.id, ApprovalChoice::Always, me()).unwrap();
        assert!(matches!(call.await.unwrap().unwrap(), Outcome::Ran(_)));
    }
}

#[tokio::test]
async fn always_that_is_not_on_offer_leaves_the_question_open() {
    let engine = asking(Engine::builder());
    let call = begin(&engine, echo("hi"));
    let question = one(engine.questions()).await;
    let error = engine.questions().answer(&question.id, ApprovalChoice::Always, me()).unwrap_err();
    assert_eq!(error.code(), Code::SpecBadValue);
    engine.questions().answer(&question.id, ApprovalChoice::Once, me()).unwrap();
    assert!(matches!(call.await.unwrap().unwrap(), Outcome::Ran(_)));
}

/// promise: P01
#[tokio::test]
async fn an_answer_that_does_not_come_in_time_is_a_refusal() {
    let engine = asking(Engine::builder().ask_limit(Duration::from_millis(20)));
    let view = refused(engine.run(echo("hi")).await.unwrap());
    assert_eq!(view.code, Code::PolicyNeedsApproval);
    assert!(view.message.contains("nobody answered within 20ms"), "{view:?}");
    assert!(view.hint.unwrap().contains("`runward approve ID`"));
    assert_eq!(engine.questions().list(), []);
}

#[tokio::test]
async fn a_call_that_is_given_up_takes_its_question_back() {
    let engine = asking(Engine::builder());
    let call = begin(&engine, echo("hi"));
    let question = one(engine.questions()).await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(engine.questions().list(), []);
    let late = engine.questions().answer(&question.id, ApprovalChoice::Once, me()).unwrap_err();
    assert_eq!(late.code(), Code::ApprovalUnknown);
}

#[tokio::test]
async fn one_question_too_many_is_refused() {
    let engine = asking(Engine::builder());
    let calls: Vec<_> = (0..ROOM).map(|at| begin(&engine, echo(&at.to_string()))).collect();
    open(engine.questions(), ROOM).await;
    let view = refused(engine.run(echo("more")).await.unwrap());
    assert_eq!(view.code, Code::PolicyNeedsApproval);
    assert!(view.message.contains("64 questions wait for an answer already"), "{view:?}");
    calls.iter().for_each(JoinHandle::abort);
    open(engine.questions(), 0).await;
}

#[tokio::test]
async fn a_question_is_answered_once_and_by_its_whole_id() {
    let engine = asking(Engine::builder());
    let call = begin(&engine, echo("hi"));
    let question = one(engine.questions()).await;
    let answer = |id: &str, choice| engine.questions().answer(id, choice, me());
    for wrong in ["", "nope", &question.id[..8]] {
        assert_eq!(
            answer(wrong, ApprovalChoice::Once).unwrap_err().code(),
            Code::ApprovalUnknown,
            "{wrong:?}"
        );
    }
    answer(&question.id, ApprovalChoice::No).unwrap();
    assert_eq!(answer(&question.id, ApprovalChoice::Once).unwrap_err().code(), Code::ApprovalUnknown);
    assert_eq!(refused(call.await.unwrap().unwrap()).code, Code::PolicyDeclined);
}

#[tokio::test]
async fn what_is_shown_hides_nothing() {
    let engine = asking(Engine::builder());
    let mut request = CommandSpec::exec("cat").arg("\u{202e}txt\u{200b}").arg("p\u{430}ss");
    request = request.stdin("one\ntwo");
    let caller = Caller { name: Some("a\u{1b}[2Jb\nc".to_owned()), ..Caller::tool(Door::Mcp, "t") };
    let call = begin(&engine, Request::by(caller, request));
    let question = one(engine.questions()).await;
    let shown = &question.exhibit;
    assert_eq!(shown.command, "cat $'\\u202etxt\\u200b' 'p\u{430}ss'");
    assert_eq!(shown.spelled.as_deref(), Some("cat $'\\u202etxt\\u200b' 'p\\u{430}ss'"));
    assert_eq!(shown.input.as_deref(), Some("$'one\\ntwo'"));
    assert_eq!(shown.caller.as_deref(), Some("a\\x1b[2Jb\\nc"));
    let text = shown.text();
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    call.abort();
}

#[tokio::test]
async fn a_line_break_is_not_shown_as_what_could_be_typed() {
    let engine = Engine::builder()
        .policy(Policy::default().with(runward_engine::Decision::Ask, ["echo"]))
        .build()
        .unwrap();
    let engine = engine.asking(engine.questions().clone());
    let shown = async |text: &str| {
        let caller = Caller::tool(Door::Mcp, "execute_command");
        let call = begin(&engine, Request::by(caller, CommandSpec::shell(text)));
        let question = one(engine.questions()).await;
        call.abort();
        open(engine.questions(), 0).await;
        question.exhibit.command
    };
    assert_eq!(shown("echo 'a\\nb'").await, "echo 'a\\nb'");
    assert_eq!(shown("echo 'a\nb'").await, "$'echo \\'a\\nb\\''");
}

#[tokio::test]
async fn somebody_attends_for_as_long_as_they_say() {
    let queue = QuestionQueue::default();
    assert!(!queue.is_attended());
    let attendance = queue.attend();
    assert!(queue.is_attended());
    drop(attendance);
    assert!(!queue.is_attended());
}
