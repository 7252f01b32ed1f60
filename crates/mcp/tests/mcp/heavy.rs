//! Many calls at once, and many one after the other.

use crate::client::Client;
use crate::place::Place;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use testkit::until;

/// Waits at the gate, which is open for reading before it says so, and then sleeps.
const WAITS: &str = "exec 3< gate; echo here; read x <&3; sleep 1";

#[test]
fn a_hundred_sleep_a_second_at_once_and_all_are_back_half_a_second_later() {
    let place = Place::open();
    let gate = OpenOptions::new().read(true).write(true).open(place.gate()).unwrap();
    let mut client = Client::connect(&place);
    let sent = Instant::now();
    let ids: Vec<u64> = (0..100).map(|token| send(&mut client, token)).collect();
    let mut here = 0;
    while here < ids.len() {
        let message = client.next().unwrap();
        assert_eq!(message["method"], "notifications/progress", "{message}");
        here += usize::from(message["params"]["message"] == "here");
    }
    let begun = Instant::now();
    drop(gate);
    for id in ids {
        assert_eq!(client.called(id).fields["exit_code"], 0);
    }
    let took = begun.elapsed();
    println!("100 started in {:?} and took {took:?}", begun - sent);
    assert!(took >= Duration::from_secs(1), "they did not sleep: {took:?}");
    assert!(took <= Duration::from_millis(1500), "{took:?}");
}

fn send(client: &mut Client, token: u64) -> u64 {
    let meta = json!({"progressToken": token});
    client.send(
        "tools/call",
        &json!({"name": "execute_command", "arguments": {"command": WAITS}, "_meta": meta}),
    )
}

#[test]
fn a_thousand_in_a_row_leave_neither_memory_nor_descriptors_behind() {
    let mut client = Client::open(&[]);
    echo(&mut client, 500);
    let (open, resident) = (descriptors(&client), resident(&client));
    let begun = Instant::now();
    echo(&mut client, 1000);
    let (took, grown) = (begun.elapsed(), self::resident(&client).saturating_sub(resident));
    println!("1000 calls took {took:?}; {resident} KiB resident grew by {grown}; {open:?}");
    assert_eq!(descriptors(&client), open);
    assert!(grown <= 1024, "{resident} KiB resident grew by {grown}");
}

fn echo(client: &mut Client, calls: usize) {
    for _ in 0..calls {
        let called = client.call("execute_command", &json!({"command": "echo more"}));
        assert_eq!(called.fields["stdout"], Value::from("more\n"));
    }
}

#[test]
fn terminals_that_have_ended_hold_nothing_open() {
    let mut client = Client::open(&[]);
    ended(&mut client, true, 2);
    let open = descriptors(&client);
    ended(&mut client, true, 40);
    until("all of them are closed", || descriptors(&client) <= open);
    ended(&mut client, false, 40);
    until("and so are pipes", || descriptors(&client) <= open);
}

/// Sessions that have ended, and are kept for reading.
fn ended(client: &mut Client, pty: bool, count: usize) {
    for number in 0..count {
        let command = format!("echo session {number}");
        let started = client.call("start_command", &json!({"command": command, "pty": pty}));
        let id = started.fields["sessionId"].clone();
        let met = client.call("wait_command", &json!({"sessionId": id, "until": "exit"}));
        assert_eq!(met.fields["exit_code"], 0, "{}", met.text);
    }
}

/// 64 MiB of lines, with the time of their end behind them.
const LONG: &str =
    "yes 'compiling something that takes a while, step after step' | head -c 67108864; date +%s%N >&2";

#[test]
fn a_long_output_is_answered_soon_and_takes_little_memory() {
    let mut client = Client::open(&[]);
    // The first long one maps code that was not run before.
    client.call("execute_command", &json!({"command": "seq 1 200000"}));
    let before = resident(&client);
    let answer = client.call("execute_command", &json!({"command": LONG, "timeout_ms": 120_000}));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let ended: u64 = answer.fields["stderr"].as_str().unwrap().trim().parse().unwrap();
    let late = now.saturating_sub(Duration::from_nanos(ended));
    let grown = resident(&client).saturating_sub(before);
    println!("answered {late:?} after the end; {before} KiB resident grew by {grown}");
    assert!(answer.text.chars().count() <= 24_400);
    assert!(answer.fields["stdout"].as_str().unwrap().contains("read_output"));
    assert!(grown <= 8 * 1024, "{before} KiB resident grew by {grown}");
    // Not optimised it takes many times as long; `cargo xtask bench answers` measures what is shipped.
    let most = if cfg!(debug_assertions) { 10_000 } else { 50 };
    assert!(late <= Duration::from_millis(most), "{late:?}");
}

/// How many files the server has open, but for its journal.
fn descriptors(client: &Client) -> usize {
    let open = fs::read_dir(format!("/proc/{}/fd", client.pid())).unwrap();
    let leads = |entry: io::Result<fs::DirEntry>| fs::read_link(entry.unwrap().path()).unwrap_or_default();
    // The journal's database is opened when its first records have waited for a while.
    open.map(leads).filter(|path| !path.components().any(|part| part.as_os_str() == "journal")).count()
}

/// Resident memory of the server, in KiB.
fn resident(client: &Client) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
