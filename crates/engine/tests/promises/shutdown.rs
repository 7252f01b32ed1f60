//! Shutdown: an engine that is told to end starts nothing more, and knows of everything it has begun to start.

use crate::ground::{engine, part};
use runward_engine::{Coded, CommandSpec, Engine, Error, Session, Started, StopCause};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use testkit::{TreeMark, until};

type Starting = Pin<Box<dyn Future<Output = Result<Started, Error>>>>;

/// A start at its most delicate: the command runs, and the engine has not heard of it yet.
///
/// The runtime has this one thread. While it waits here nothing is heard, so the order of events is always this one.
async fn half_way(engine: &Engine, mark: &TreeMark) -> Starting {
    let (engine, spec) = (engine.clone(), part(["trapper", mark.text()]));
    let mut start: Starting = Box::pin(async move { engine.start(spec).await });
    poll_once(&mut start).await;
    // Lets the runtime find that the warden's socket can be written to.
    tokio::task::yield_now().await;
    poll_once(&mut start).await;
    until("the command runs", || !mark.carriers().is_empty());
    start
}

async fn poll_once(start: &mut Starting) {
    let polled = poll_fn(|cx| Poll::Ready(start.as_mut().poll(cx))).await;
    assert!(polled.is_pending(), "it was heard of: {polled:?}");
}

fn session(started: Result<Started, Error>) -> Session {
    match started {
        Ok(Started::Running(session)) => session,
        other => panic!("did not start: {other:?}"),
    }
}

/// promise: P02
#[tokio::test]
async fn shutdown_waits_for_a_command_that_is_being_started() {
    let (engine, mark) = (engine(), TreeMark::new());
    let start = half_way(&engine, &mark).await;
    let end = async {
        engine.shutdown().await;
        mark.carriers()
    };
    let (left, started) = tokio::join!(end, start);
    assert_eq!(left, [0; 0]);
    assert_eq!(session(started).wait().await.unwrap().end.stopped, Some(StopCause::Shutdown));
}

/// promise: P02
#[tokio::test]
async fn a_start_that_nobody_waits_for_any_more_is_ended_and_waited_for() {
    let (engine, mark) = (engine(), TreeMark::new());
    drop(half_way(&engine, &mark).await);
    engine.shutdown().await;
    assert_eq!(mark.carriers(), [0; 0]);
}

/// promise: P02
#[tokio::test]
async fn nothing_is_started_once_an_engine_was_shut_down() {
    let (engine, mark) = (engine(), TreeMark::new());
    engine.shutdown().await;
    let error = engine.start(part(["sleeper", mark.text()])).await.unwrap_err();
    assert_eq!(error.code().name(), "engine.closing");
    let error = engine.run(CommandSpec::exec("true")).await.unwrap_err();
    assert_eq!(error.to_string(), "Runward is shutting down and starts no new command");
    assert_eq!(mark.carriers(), [0; 0]);
}
