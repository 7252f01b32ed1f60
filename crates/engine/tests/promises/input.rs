//! Standard input is fed while output is read; that a command stops reading it is no failure.

use crate::ground::{engine, part, run, script, start_on, stdout};
use runward_engine::{CommandSpec, SessionEvent, StdinSpec};

/// promise: P09
#[tokio::test]
async fn without_input_the_end_of_file_comes_at_once() {
    let receipt = run(CommandSpec::exec("cat").timeout(testkit::LIMIT)).await;
    assert!(receipt.stdout.is_empty());
    assert_eq!(receipt.end.exit_code(), 0);
}

/// promise: P09
#[tokio::test]
async fn ten_megabytes_go_in_while_they_come_out() {
    let bytes: Vec<u8> = (0..10_000_000_u32).map(|n| n.to_le_bytes()[1]).collect();
    let mut spec = CommandSpec::exec("cat").stdin(bytes.clone()).timeout(testkit::LIMIT);
    spec.limits.keep = runward_engine::Wish::At(20_000_000);
    let receipt = run(spec).await;
    assert_eq!(receipt.stdout.kept.total, 10_000_000);
    assert!(receipt.stdout.kept.bytes() == bytes, "the bytes differ");
}

/// promise: P09
#[tokio::test]
async fn a_command_that_closes_its_input_early_is_not_an_error() {
    let receipt = run(CommandSpec::exec("head").args(["-c", "1"]).stdin(vec![b'x'; 5_000_000])).await;
    assert_eq!(stdout(&receipt), "x");
    assert_eq!(receipt.end.exit_code(), 0);
    let receipt = run(part(["hang-on-input"]).stdin(vec![7; 5_000_000])).await;
    assert_eq!(stdout(&receipt), "got 7\n");
}

/// promise: P09
#[tokio::test]
async fn an_open_input_can_be_written_until_it_is_closed() {
    let mut spec = script("while read line; do echo \"<$line>\"; done; echo over");
    spec.stdin = StdinSpec::Open;
    let mut session = start_on(&engine(), spec).await;
    let input = session.input();
    input.write(*b"one\n").await.unwrap();
    assert!(
        matches!(session.next_event().await, Some(SessionEvent::Output { bytes, .. }) if &bytes[..] == b"<one>\n")
    );
    input.write(*b"two\n").await.unwrap();
    input.close().await.unwrap();
    let receipt = session.wait().await.unwrap();
    assert_eq!(stdout(&receipt), "<one>\n<two>\nover\n");
}

/// promise: P09
#[tokio::test]
async fn a_writer_waits_for_a_command_that_does_not_read() {
    let mut spec = part(["sleeper"]);
    spec.stdin = StdinSpec::Open;
    let session = start_on(&engine(), spec).await;
    let input = session.input();
    // What fits into pipe and queue goes in; after that the writer waits instead of filling memory.
    let all = async {
        loop {
            input.write(vec![0; 1 << 20]).await.unwrap();
        }
    };
    assert!(tokio::time::timeout(std::time::Duration::from_millis(300), all).await.is_err());
    session.stop();
    session.wait().await.unwrap();
    let error = input.write(*b"x").await.unwrap_err();
    assert_eq!(runward_engine::Coded::code(&error).name(), "session.ended");
}

/// promise: P09
#[tokio::test]
async fn a_writer_is_told_when_a_command_reads_no_more() {
    let mut spec = script("exec 0<&-; echo closed; sleep 300");
    spec.stdin = StdinSpec::Open;
    let mut session = start_on(&engine(), spec).await;
    assert!(session.next_event().await.is_some());
    let input = session.input();
    let told = async { while input.write(vec![0; 1 << 16]).await.is_ok() {} };
    tokio::time::timeout(testkit::LIMIT, told).await.expect("the writer is told");
}
