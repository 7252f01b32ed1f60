//! Output is read once, in order, at any offset, and after the end.

use crate::{on_terminal, piped, sessions, start};
use runward_engine::Stream;
use runward_engine::registry::{Live, ReadAsk, ReadFrom, Which};
use std::time::Duration;

async fn stdout(live: &Live, ask: ReadAsk) -> String {
    live.read(&ask).await.stdout.unwrap().text
}

fn waiting() -> ReadAsk {
    ReadAsk { timeout: testkit::LIMIT, ..ReadAsk::default() }
}

#[tokio::test]
async fn what_was_read_is_not_read_again() {
    let live = start(&sessions(), piped("echo one; read x; echo two")).await;
    assert_eq!(stdout(&live, waiting()).await, "one\n");
    assert_eq!(stdout(&live, ReadAsk::default()).await, "");
    live.write(b"\n".to_vec()).await.unwrap();
    assert_eq!(stdout(&live, waiting()).await, "two\n");
}

#[tokio::test]
async fn an_end_wakes_a_reader_and_stays_readable() {
    let live = start(&sessions(), piped("read x; exit 3")).await;
    let reader = live.clone();
    let reading = tokio::spawn(async move { reader.read(&waiting()).await });
    live.write(b"\n".to_vec()).await.unwrap();
    let reading = reading.await.unwrap();
    assert_eq!(reading.receipt.unwrap().end.exit_code(), 3);
    assert_eq!(live.read(&waiting()).await.receipt.unwrap().end.exit_code(), 3);
}

#[tokio::test]
async fn offsets_consume_nothing_and_negative_ones_count_from_the_end() {
    let live = start(&sessions(), piped("printf abcdef; printf xyz >&2")).await;
    live.ended().await;
    let at = |offset, stream| ReadAsk {
        begin: ReadFrom::Offset(offset),
        which: Which::One(stream),
        ..ReadAsk::default()
    };
    assert_eq!(stdout(&live, at(2, Stream::Stdout)).await, "cdef");
    assert_eq!(stdout(&live, at(-2, Stream::Stdout)).await, "ef");
    let reading = live.read(&at(0, Stream::Stderr)).await;
    assert_eq!((reading.stdout, reading.stderr.unwrap().text.as_str()), (None, "xyz"));
    assert_eq!(stdout(&live, ReadAsk::default()).await, "abcdef");
}

#[tokio::test]
async fn what_does_not_fit_is_left_for_the_next_time() {
    let live = start(&sessions(), piped("printf 'äöüß'")).await;
    live.ended().await;
    let ask = || ReadAsk { max_chars: 3, ..ReadAsk::default() };
    let first = live.read(&ask()).await.stdout.unwrap();
    assert_eq!((first.text.as_str(), first.left), ("äöü", 2));
    assert_eq!(stdout(&live, ask()).await, "ß");
}

#[tokio::test]
async fn lines_can_be_picked_with_their_offsets() {
    let live = start(&sessions(), piped("printf 'one\\ntwo\\nthree\\n'")).await;
    live.ended().await;
    let ask = ReadAsk { grep: Some(regex::Regex::new("^t").unwrap()), ..ReadAsk::default() };
    let read = live.read(&ask).await.stdout.unwrap();
    assert_eq!(read.text, "two\nthree\n");
    assert_eq!(read.lines.iter().map(|line| line.offset).collect::<Vec<_>>(), [4, 8]);
}

#[tokio::test]
async fn a_screen_shows_what_a_person_would_see() {
    let text = r"printf 'loading 1%%\rloading 50%%\rloading 100%%\n\033[31mred\033[0m\n'";
    let live = start(&sessions(), on_terminal(text)).await;
    live.ended().await;
    assert_eq!(live.screen().await.unwrap().trim_end(), "loading 100%\nred");
    assert_eq!(start(&sessions(), piped("true")).await.screen().await, None);
}

#[tokio::test]
async fn nothing_yet_is_no_error() {
    let live = start(&sessions(), piped("sleep 300")).await;
    let ask = ReadAsk { timeout: Duration::from_millis(50), ..ReadAsk::default() };
    let reading = live.read(&ask).await;
    assert_eq!(reading.stdout.unwrap().text, "");
    assert!(reading.receipt.is_none());
}
