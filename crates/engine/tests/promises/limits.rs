//! Limits end a command, and are named.

use crate::ground::{engine, ms, part, run, script, start_on, stdout};
use runward_engine::core::facts::Keeper;
use runward_engine::{CommandSpec, EndedBy, SessionEvent, Signal, StdinSpec, StopCause, Wish};

/// promise: P07
#[tokio::test]
async fn the_wall_clock_ends_it() {
    let receipt = run(CommandSpec::shell("sleep 300").timeout(ms(200))).await;
    assert_eq!(receipt.end.stopped, Some(StopCause::Timeout));
    assert!(receipt.duration >= ms(200));
}

/// promise: P07
#[tokio::test]
async fn silence_ends_it_and_output_resets_the_clock() {
    let mut spec = script("for i in 1 2 3; do read x; echo $i; done; read x");
    spec.stdin = StdinSpec::Open;
    spec.limits.idle = Wish::At(ms(1500));
    let mut session = start_on(&engine(), spec).await;
    let input = session.input();
    for _ in 0..3 {
        input.write(*b"\n").await.unwrap();
        assert!(matches!(session.next_event().await, Some(SessionEvent::Output { .. })));
    }
    let receipt = session.wait().await.unwrap();
    assert_eq!(receipt.end.stopped, Some(StopCause::Idle));
    assert_eq!(stdout(&receipt), "1\n2\n3\n");
}

/// promise: P07
#[tokio::test]
async fn too_much_output_ends_it() {
    let mut spec = script("yes");
    spec.limits.output = Wish::At(100_000);
    let receipt = run(spec).await;
    assert_eq!(receipt.end.stopped, Some(StopCause::Output));
    assert!(receipt.stdout.kept.total > 100_000);
}

/// promise: P07
#[tokio::test]
async fn a_command_that_ignores_being_asked_is_killed_after_the_grace() {
    let receipt = run(part(["trapper"]).timeout(ms(200))).await;
    assert_eq!(receipt.end.how, EndedBy::Signaled(Signal::KILL));
    assert!(receipt.duration >= ms(700), "the grace was not given: {:?}", receipt.duration);
}

/// promise: P11
#[tokio::test]
async fn memory_open_files_and_file_size_are_kept_by_resource_limits() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = script("ulimit -n; ulimit -f; ulimit -v; head -c 100000 /dev/zero > big").cwd(dir.path());
    spec.limits.open_files = Wish::At(64);
    spec.limits.file_size = Wish::At(10 * 1024);
    spec.limits.memory = Wish::At(512 * 1024 * 1024);
    let receipt = run(spec).await;
    let memory = receipt.limits.iter().find(|limit| limit.name == "memory_bytes").unwrap();
    let shown = stdout(&receipt);
    assert!(shown.starts_with("64\n10\n"), "{shown}");
    if memory.by == Keeper::Rlimit {
        assert!(shown.ends_with("\n524288\n"), "{shown}");
    }
    assert_eq!(std::fs::metadata(dir.path().join("big")).unwrap().len(), 10 * 1024);
}

/// promise: P11
#[tokio::test]
async fn processor_time_is_kept_by_a_resource_limit() {
    let mut spec = script("exec sh -c 'while :; do :; done'");
    spec.limits.cpu = Wish::At(ms(1000));
    let receipt = run(spec).await;
    assert_eq!(receipt.end.how, EndedBy::Signaled(Signal(24)), "SIGXCPU");
}

/// promise: P11
#[tokio::test]
async fn a_command_that_wants_more_memory_than_it_may_have_fails_alone() {
    let mut spec = part(["eat", "2000000000"]);
    spec.limits.memory = Wish::At(256 * 1024 * 1024);
    let receipt = run(spec).await;
    assert_ne!(receipt.end.exit_code(), 0);
    assert_eq!(stdout(&receipt), "");
}

/// promise: P11
#[tokio::test]
async fn a_limit_that_nobody_can_keep_is_an_error_and_not_a_silence() {
    let facts = runward_engine::host::probe().unwrap();
    let mut without = facts.clone();
    without.abilities.processes = None;
    let engine = crate::ground::builder().facts(without).build().unwrap();
    let mut spec = script("true");
    spec.limits.processes = Wish::At(10);
    let error = engine.run(spec).await.unwrap_err();
    assert_eq!(error.to_string(), "this host cannot keep the limit `processes`");
    assert_eq!(runward_engine::Coded::code(&error).name(), "sandbox.unavailable");
}
