//! Every condition that can be waited for.

use crate::{on_terminal, piped, sessions, start};
use runward_engine::registry::{OutputPattern, ReadAsk, Until};
use std::time::Duration;

fn pattern(text: &str) -> Until {
    Until::Output(OutputPattern::new(text).unwrap())
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
    // Another process's port is not ours.
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = stranger.local_addr().unwrap().port();
    assert_eq!(live.wait(&Until::Port(other), Duration::from_millis(120)).await.what, "timeout");
}

#[tokio::test]
async fn time() {
    let live = start(&sessions(), piped("sleep 300")).await;
    assert_eq!(live.wait(&Until::Exit, Duration::from_millis(50)).await.what, "timeout");
}

/// More than is looked at in one go, so that the borders between pieces count. Twice this is still kept whole.
const MUCH: usize = 500_000;

/// More than is kept: the middle is nowhere.
const TOO_MUCH: usize = 3_000_000;

#[tokio::test]
async fn a_pattern_is_found_anywhere_in_much_output() {
    let text = format!("yes abcdefg | head -c {MUCH}; echo; echo the end; yes abcdefg | head -c {MUCH}");
    let live = start(&sessions(), piped(&text)).await;
    live.ended().await;
    assert_eq!(live.wait(&pattern("(?m)^the end$"), testkit::LIMIT).await.what, "output");
}

#[tokio::test]
async fn the_end_of_a_piece_is_not_the_end_of_the_output() {
    // Were a piece's border taken for the end, one of these would be found there.
    let live = start(&sessions(), piped(&format!("yes abcdefg | head -c {MUCH}; echo '!'"))).await;
    live.ended().await;
    assert_eq!(
        live.wait(&pattern(r"[a-g\n]\z"), testkit::LIMIT).await.what,
        "output",
        "the last line's own end"
    );
    let live = start(&sessions(), piped(&format!("yes abcdefg | head -c {MUCH}; printf '!'"))).await;
    live.ended().await;
    assert_eq!(live.wait(&pattern(r"[a-g\n]\z"), testkit::LIMIT).await.what, "exit");
    let live = start(&sessions(), piped(&format!("yes abcdefg | head -c {MUCH}"))).await;
    live.ended().await;
    assert_eq!(live.wait(&pattern(r"\Ab"), testkit::LIMIT).await.what, "exit");
}

#[tokio::test]
async fn what_comes_after_a_gap_is_looked_at_too() {
    let text = format!("yes abcdefg | head -c {TOO_MUCH}; echo; echo the end");
    let live = start(&sessions(), piped(&text)).await;
    live.ended().await;
    assert_eq!(live.wait(&pattern(r"(?m)^the end$"), testkit::LIMIT).await.what, "output");
    let live = start(&sessions(), piped(&text)).await;
    live.ended().await;
    assert_eq!(live.wait(&pattern(r"abc\z"), testkit::LIMIT).await.what, "exit");
}

#[tokio::test]
async fn what_was_read_does_not_count_any_more() {
    let live = start(&sessions(), piped("printf 'rea'; read x; printf 'dy'")).await;
    let ask = ReadAsk { timeout: testkit::LIMIT, ..ReadAsk::default() };
    assert_eq!(live.read(&ask).await.stdout.unwrap().text, "rea");
    live.write(b"\n".to_vec()).await.unwrap();
    assert_eq!(live.wait(&pattern("ready"), testkit::LIMIT).await.what, "exit");
}

#[tokio::test]
async fn a_match_that_comes_in_two_halves_is_found() {
    let live = start(&sessions(), piped("printf 'rea'; read x; printf 'dy'; sleep 300")).await;
    let waiter = live.clone();
    let found = tokio::spawn(async move { waiter.wait(&pattern("ready"), testkit::LIMIT).await.what });
    while live.standing().stdout < 3 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    live.write(b"\n".to_vec()).await.unwrap();
    assert_eq!(found.await.unwrap(), "output");
}
