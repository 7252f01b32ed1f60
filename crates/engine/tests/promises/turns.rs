//! So many commands run at one time, further ones wait for their turn.

use crate::ground::{builder, ms, part, run_on, script, start_on};
use runward_engine::registry::{SessionOwner, SessionRules, Sessions, StartedSession};
use runward_engine::{Caller, Code, Coded, CommandSpec, Door, Engine, Error, Outcome, Request};
use std::time::Instant;

/// A command that runs until its input is closed.
fn held() -> CommandSpec {
    let mut spec = script("read x");
    spec.stdin = runward_engine::StdinSpec::Open;
    spec
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[tokio::test]
async fn no_more_commands_run_at_one_time_than_may_and_none_is_refused() {
    let engine = builder().running(3).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Each says that it is there, counts who else is, and goes.
    let text = "me=$(mktemp $PWD/here.XXXXXX); ls here.* | wc -l; sleep 0.02; rm $me";
    run_on(&engine, script("true")).await;
    let before = descriptors();
    let all = (0..60).map(|_| {
        let (engine, spec) = (engine.clone(), script(text).cwd(folder.path()));
        tokio::spawn(async move { run_on(&engine, spec).await })
    });
    let all: Vec<_> = all.collect();
    let (mut most, mut waited) = (0, 0);
    for one in all {
        let receipt = one.await.unwrap();
        let seen: usize = crate::ground::stdout(&receipt).trim().parse().unwrap();
        most = most.max(seen);
        waited += usize::from(receipt.notes.iter().any(|note| note.contains("for its turn: 3 commands")));
    }
    assert!((1..=3).contains(&most), "{most} at one time");
    assert_eq!(waited, 57);
    // Wardens rest, each with its socket and perhaps its cgroup.
    assert!(descriptors() <= before + 3 * 2 + 4, "{before} then {}", descriptors());
}

#[tokio::test]
async fn beyond_the_line_a_command_is_refused_as_busy_and_may_be_asked_for_again() {
    let engine = builder().running(1).waiting(1).build().unwrap();
    let first = start_on(&engine, held()).await;
    let second = tokio::spawn({
        let engine = engine.clone();
        async move { run_on(&engine, script("true")).await }
    });
    tokio::task::yield_now().await;
    let error = engine.run(script("true")).await.unwrap_err();
    assert_eq!((error.code(), error.code().row().retry), (Code::EngineBusy, true));
    assert_eq!(error.to_string(), "1 commands are running and 1 are waiting, the most allowed");
    assert!(error.hint().unwrap().contains("limits.running"));
    first.input().close().await.unwrap();
    second.await.unwrap();
    run_on(&engine, script("true")).await;
}

#[tokio::test]
async fn a_turn_is_waited_for_no_longer_than_the_command_may_run() {
    let engine = builder().running(1).build().unwrap();
    let first = start_on(&engine, held()).await;
    let begun = Instant::now();
    let error = engine.run(CommandSpec::exec("true").timeout(ms(200))).await.unwrap_err();
    assert!(begun.elapsed() >= ms(200));
    assert!(matches!(&error, Error::TurnLate { within, running: 1 } if within == "200ms"), "{error:?}");
    assert_eq!(error.code(), Code::EngineBusy);
    first.input().close().await.unwrap();
    first.wait().await.unwrap();
}

#[tokio::test]
async fn waiting_does_not_count_toward_the_time_limit() {
    let engine = builder().running(1).build().unwrap();
    let first = start_on(&engine, held()).await;
    let waiting = engine.run(part(["sleep", "300"]).timeout(ms(2000)));
    tokio::pin!(waiting);
    let late = tokio::time::timeout(ms(1800), &mut waiting).await;
    late.unwrap_err();
    first.input().close().await.unwrap();
    let Outcome::Ran(receipt) = waiting.await.unwrap() else { panic!("refused") };
    assert_eq!(receipt.end.stopped, None, "it had its whole time: {receipt:?}");
}

#[tokio::test]
async fn whoever_is_called_off_leaves_the_line() {
    let engine = builder().running(1).waiting(1).build().unwrap();
    let first = start_on(&engine, held()).await;
    for _ in 0..20 {
        let waiting = engine.run(script("true"));
        tokio::time::timeout(ms(5), waiting).await.unwrap_err();
    }
    first.input().close().await.unwrap();
    first.wait().await.unwrap();
    run_on(&engine, script("true")).await;
}

#[tokio::test]
async fn the_end_of_the_engine_empties_the_line() {
    let engine = builder().running(1).build().unwrap();
    let first = start_on(&engine, held()).await;
    let waiting: Vec<_> = (0..5)
        .map(|_| {
            let engine = engine.clone();
            tokio::spawn(async move { engine.run(script("true")).await })
        })
        .collect();
    tokio::task::yield_now().await;
    engine.shutdown().await;
    for one in waiting {
        assert_eq!(one.await.unwrap().unwrap_err().code(), Code::EngineClosing);
    }
    first.wait().await.unwrap();
}

#[tokio::test]
async fn sessions_and_child_servers_take_no_turn_and_wait_for_none() {
    let engine: Engine = builder().running(1).waiting(0).build().unwrap();
    let first = start_on(&engine, held()).await;
    let sessions = Sessions::new(engine.clone(), SessionRules::default());
    let owner = SessionOwner::named("a test");
    for _ in 0..5 {
        let started = sessions.start(&owner, held(), None).await.unwrap();
        assert!(matches!(started, StartedSession::Running(_)));
    }
    let server = Request::by(Caller::file(Door::Gateway), held());
    let Ok(runward_engine::Started::Running(server)) = engine.start(server).await else { panic!("it waits") };
    assert_eq!(engine.run(script("true")).await.unwrap_err().code(), Code::EngineBusy);
    first.input().close().await.unwrap();
    first.wait().await.unwrap();
    run_on(&engine, script("true")).await;
    server.stop();
    engine.shutdown().await;
}

#[tokio::test]
async fn a_command_that_asks_for_another_one_cannot_hold_it_for_ever() {
    let engine = builder().running(1).build().unwrap();
    let outer = start_on(&engine, held()).await;
    // It would end only after the inner one.
    let inner = engine.run(script("true").timeout(ms(100))).await;
    assert_eq!(inner.unwrap_err().code(), Code::EngineBusy);
    outer.input().close().await.unwrap();
    outer.wait().await.unwrap();
}
