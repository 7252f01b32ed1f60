//! A command on a terminal (pty) lives the same life.

use crate::ground::{engine, part, script, start_on, stdout};
use runward_engine::{CommandSpec, Session, SessionEvent, StdinSpec, StopCause, Terminal};
use testkit::TreeMark;

fn on_terminal(mut spec: CommandSpec) -> CommandSpec {
    spec.terminal = Terminal::Pty { rows: 30, cols: 100 };
    spec.stdin = StdinSpec::Open;
    spec
}

async fn hear_until(session: &mut Session, wanted: &str) -> String {
    let mut heard = String::new();
    while !heard.contains(wanted) {
        match session.next_event().await {
            Some(SessionEvent::Output { bytes, .. }) => heard.push_str(std::str::from_utf8(&bytes).unwrap()),
            other => panic!("never heard {wanted:?}: {heard:?}, then {other:?}"),
        }
    }
    heard
}

/// promise: P03
#[tokio::test]
async fn its_streams_are_a_terminal_of_the_size_asked_for() {
    let session = start_on(&engine(), on_terminal(part(["tty"]))).await;
    let shown = stdout(&session.wait().await.unwrap());
    assert!(shown.contains("stdin terminal\r\n") && shown.contains("/dev/tty terminal\r\n"), "{shown}");
    assert!(shown.contains("30 rows 100 columns"), "{shown}");
}

/// promise: P09
#[tokio::test]
async fn what_is_typed_is_echoed_and_read() {
    let mut session = start_on(&engine(), on_terminal(script("read line; echo \"got <$line>\""))).await;
    session.input().write(*b"hello\n").await.unwrap();
    hear_until(&mut session, "got <hello>").await;
    let receipt = session.wait().await.unwrap();
    assert_eq!(receipt.end.exit_code(), 0);
}

/// promise: P03
#[tokio::test]
async fn a_new_size_reaches_the_command() {
    let text = "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done";
    let mut session = start_on(&engine(), on_terminal(script(text))).await;
    hear_until(&mut session, "ready").await;
    session.resize(50, 132).unwrap();
    hear_until(&mut session, "50 132").await;
    session.wait().await.unwrap();
}

/// promise: P02
#[tokio::test]
async fn stopping_ends_the_tree_on_a_terminal_too() {
    let mark = TreeMark::new();
    let text = format!("setsid sleep {0} & sleep {0} & echo ready; sleep {0}", mark.text());
    let mut session = start_on(&engine(), on_terminal(script(&text))).await;
    hear_until(&mut session, "ready").await;
    session.stop();
    let receipt = session.wait().await.unwrap();
    assert_eq!(receipt.end.stopped, Some(StopCause::Caller));
    assert_eq!(mark.carriers(), [0; 0]);
}

/// promise: P13
#[tokio::test]
async fn a_session_without_a_terminal_cannot_be_resized() {
    let session = start_on(&engine(), part(["sleeper"])).await;
    let error = session.resize(1, 1).unwrap_err();
    assert_eq!(runward_engine::Coded::code(&error).name(), "session.not-a-terminal");
}
