//! Every condition that can be waited for.

use crate::{on_terminal, piped, sessions, start};
use runward::sessions::Until;
use std::time::Duration;

fn pattern(text: &str) -> Until {
    Until::Output(regex::Regex::new(text).unwrap())
}

#[tokio::test]
async fn the_end() {
    let live = start(&sessions(), piped("exit 7")).await;
    let met = live.wait(&Until::Exit, testkit::LIMIT).await;
    assert_eq!(met.what, "exit");
    assert_eq!(met.reading.receipt.unwrap().end.exit_code(), 7);
}

#[tokio::test]
async fn a_pattern_in_the_output() {
    let live = start(&sessions(), piped("echo starting; echo 'ready on 8080' >&2; sleep 300")).await;
    let met = live.wait(&pattern(r"ready on \d+"), testkit::LIMIT).await;
    assert_eq!(met.what, "output");
    assert!(met.reading.stderr.unwrap().text.contains("ready on 8080"));
}

#[tokio::test]
async fn an_end_before_the_condition_is_told_as_the_end() {
    let live = start(&sessions(), piped("echo nothing of the kind")).await;
    let met = live.wait(&pattern("never"), testkit::LIMIT).await;
    assert_eq!(met.what, "exit");
    assert_eq!(met.reading.stdout.unwrap().text, "nothing of the kind\n");
}

#[tokio::test]
async fn silence() {
    let live = start(&sessions(), piped("echo one; sleep 300")).await;
    let met = live.wait(&Until::Idle(Duration::from_millis(100)), testkit::LIMIT).await;
    assert_eq!(met.what, "idle_ms");
}

#[tokio::test]
async fn input() {
    let live = start(&sessions(), on_terminal("printf 'name? '; read name")).await;
    assert_eq!(live.wait(&Until::Input, testkit::LIMIT).await.what, "input");
}

#[tokio::test]
async fn a_port_that_something_in_the_tree_listens_on() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let text = format!("sh -c 'exec python3 -m http.server --bind 127.0.0.1 {port}' & wait");
    let live = start(&sessions(), piped(&text)).await;
    assert_eq!(live.wait(&Until::Port(port), testkit::LIMIT).await.what, "port");
    // Somebody else's port is not ours.
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = stranger.local_addr().unwrap().port();
    assert_eq!(live.wait(&Until::Port(other), Duration::from_millis(120)).await.what, "timeout");
}

#[tokio::test]
async fn time() {
    let live = start(&sessions(), piped("sleep 300")).await;
    assert_eq!(live.wait(&Until::Exit, Duration::from_millis(50)).await.what, "timeout");
}
