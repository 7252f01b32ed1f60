//! The client goes away, or cancels a request: no process of what ran is left.

use crate::client::Client;
use crate::place::{Place, command};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use testkit::{TreeMark, until};

/// A tree that does not want to die.
const TREE: &str = r#"setsid sleep MARK & (sleep MARK &) ; nohup sleep MARK >/dev/null 2>&1 & trap "" TERM; sleep MARK; sleep MARK"#;

fn start(client: &mut Client, mark: &TreeMark) -> u64 {
    let text = TREE.replace("MARK", mark.text());
    let id = client.send_call("execute_command", &json!({"command": text}));
    // The shell, and four that sleep.
    until("the whole tree is there", || mark.carriers().len() >= 5);
    id
}

/// How long it takes until nothing is left.
fn gone_after(mark: &TreeMark) -> Duration {
    let begun = Instant::now();
    until("nothing is left", || mark.carriers().is_empty());
    begun.elapsed()
}

#[test]
fn the_end_of_input_ends_everything_within_a_second() {
    let (place, mark) = (Place::open(), TreeMark::new());
    let mut client = Client::connect(&place);
    start(&mut client, &mark);
    let begun = Instant::now();
    assert_eq!(client.close(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(mark.carriers(), [0_u32; 0]);
}

#[test]
fn sessions_end_with_their_client() {
    let (place, mark) = (Place::open(), TreeMark::new());
    let mut client = Client::connect(&place);
    let text = TREE.replace("MARK", mark.text());
    client.call("start_command", &json!({"command": text, "pty": true}));
    client.call("start_command", &json!({"command": text}));
    until("both trees are there", || mark.carriers().len() >= 10);
    let begun = Instant::now();
    assert_eq!(client.close(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(mark.carriers(), [0_u32; 0]);
}

#[test]
fn a_cancelled_call_ends_its_tree_and_no_other() {
    let (place, mark, other) = (Place::open(), TreeMark::new(), TreeMark::new());
    let mut client = Client::connect(&place);
    let id = start(&mut client, &mark);
    client.send_call("execute_command", &json!({"command": format!("sleep {}", other.text())}));
    until("the other is there", || !other.carriers().is_empty());
    client.cancel(id);
    assert!(gone_after(&mark) < Duration::from_secs(2));
    assert!(!other.carriers().is_empty());
    let called = client.call("execute_command", &json!({"command": "echo alive"}));
    assert_eq!(called.fields["stdout"], "alive\n", "{}", called.fields);
}

#[test]
fn being_told_to_end_ends_everything() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let (place, mark) = (Place::open(), TreeMark::new());
        let mut client = Client::connect(&place);
        start(&mut client, &mark);
        let pid = client.pid().to_string();
        assert!(command(Path::new("/bin/kill")).args([signal, &pid]).status().unwrap().success());
        assert_eq!(client.wait(), Some(code));
        assert_eq!(mark.carriers(), [0_u32; 0]);
    }
}

#[test]
fn a_server_that_is_killed_leaves_nothing() {
    let (place, mark) = (Place::open(), TreeMark::new());
    let mut client = Client::connect(&place);
    start(&mut client, &mark);
    let pid = client.pid().to_string();
    assert!(command(Path::new("/bin/kill")).args(["-9", &pid]).status().unwrap().success());
    assert!(gone_after(&mark) < Duration::from_secs(2));
    assert_eq!(client.wait(), None);
}
