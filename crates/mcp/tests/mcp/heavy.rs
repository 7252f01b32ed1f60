//! Many calls at once, and many one after the other.

use crate::client::Client;
use crate::place::Place;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::time::{Duration, Instant};

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

/// How many files the server has open.
fn descriptors(client: &Client) -> usize {
    fs::read_dir(format!("/proc/{}/fd", client.pid())).unwrap().count()
}

/// Resident memory of the server, in KiB.
fn resident(client: &Client) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
