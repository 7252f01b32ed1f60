//! Endings are reported as they are, and the receipt is complete.

use crate::ground::{engine, ms, part, run, script, stdout};
use runward_engine::core::facts::Keeper;
use runward_engine::{CommandSpec, EndedBy, Leftovers, Signal, StopCause};

/// promise: P10
#[tokio::test]
async fn exit_codes_pass_as_they_are() {
    for code in [0, 1, 42, 124, 127, 255] {
        let receipt = run(script(&format!("exit {code}"))).await;
        assert_eq!(receipt.end.how, EndedBy::Exited(code));
        assert_eq!(receipt.end.stopped, None);
        assert_eq!(receipt.end.exit_code(), code);
    }
}

/// promise: P10
#[tokio::test]
async fn a_signal_is_not_an_exit_code() {
    let receipt = run(part(["die", "14"])).await;
    assert_eq!(receipt.end.how, EndedBy::Signaled(Signal(14)));
    let view = serde_json::to_value(receipt.view()).unwrap();
    assert_eq!(view["exit_code"], serde_json::Value::Null);
    assert_eq!(view["signal"], "SIGALRM");
}

/// promise: P10
#[tokio::test]
async fn a_timeout_keeps_what_was_printed_and_how_it_ended() {
    let receipt = run(CommandSpec::shell("echo partial; exec sleep 300").timeout(ms(300))).await;
    assert_eq!(stdout(&receipt), "partial\n");
    assert_eq!(receipt.end.how, EndedBy::Signaled(Signal::TERM));
    assert_eq!(receipt.end.stopped, Some(StopCause::Timeout));
    let view = serde_json::to_value(receipt.view()).unwrap();
    assert_eq!(view["exit_code"], 124);
    assert_eq!(view["timed_out"], true);
    assert_eq!(view["stopped"], "timeout");
}

/// promise: P10
#[tokio::test]
async fn a_command_that_exits_well_when_asked_is_told_as_such() {
    let receipt = run(CommandSpec::shell("trap 'exit 7' TERM; sleep 300 & wait").timeout(ms(300))).await;
    assert_eq!(receipt.end.how, EndedBy::Exited(7));
    assert_eq!(receipt.end.stopped, Some(StopCause::Timeout));
    assert_eq!(receipt.end.exit_code(), 124);
}

/// promise: P11
#[tokio::test]
async fn every_limit_in_force_is_in_the_receipt_with_its_keeper() {
    let mut spec = script("true");
    spec.limits.open_files = runward_engine::Wish::At(64);
    spec.limits.output = runward_engine::Wish::At(1000);
    let receipt = run(spec).await;
    let kept: Vec<_> = receipt.limits.iter().map(|limit| (limit.name, limit.by)).collect();
    assert_eq!(
        kept,
        [("timeout_ms", Keeper::Runward), ("output_bytes", Keeper::Runward), ("open_files", Keeper::Rlimit)]
    );
}

/// promise: P10
#[tokio::test]
async fn the_published_form_has_every_field() {
    let receipt = run(script("echo out; echo err >&2")).await;
    let view = serde_json::to_value(receipt.view()).unwrap();
    for field in [
        "id",
        "command",
        "cwd",
        "exit_code",
        "signal",
        "stdout",
        "stderr",
        "stdout_bytes",
        "stderr_bytes",
        "stdout_truncated",
        "stderr_truncated",
        "stdout_encoding",
        "stderr_encoding",
        "timed_out",
        "stopped",
        "leftovers",
        "duration_ms",
        "sandbox",
        "rule",
    ] {
        assert!(view.get(field).is_some(), "{field} is missing from {view}");
    }
    assert_eq!(view["rule"], "everything");
    assert_eq!(view["leftovers"], 0);
    assert_eq!(receipt.end.leftovers, Leftovers::None);
}

/// promise: P10
#[tokio::test]
async fn two_runs_of_one_command_have_two_names_and_two_plans() {
    let engine = engine();
    let (one, two) = (engine.explain(script("true")).unwrap(), engine.explain(script("true")).unwrap());
    assert_ne!(one.id(), two.id());
    assert_ne!(one.digest(), two.digest());
}
