//! Many at once, and many one after the other.

use crate::client::Client;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_hundred_at_once_take_little_longer_than_one() {
    let mut client = Client::open(&[]);
    client.call("execute_command", &json!({"command": "true"}));
    let begun = Instant::now();
    let ids: Vec<u64> =
        (0..100).map(|_| client.send_call("execute_command", &json!({"command": "sleep 1"}))).collect();
    for id in ids {
        assert_eq!(client.called(id).fields["exit_code"], 0);
    }
    let took = begun.elapsed();
    println!("100 concurrent `sleep 1` took {took:?}");
    // Generous, for a busy machine: one after the other they would take a hundred seconds.
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn a_thousand_in_a_row_leave_no_descriptors_behind() {
    let mut client = Client::open(&[]);
    let open = |client: &Client| std::fs::read_dir(format!("/proc/{}/fd", client.pid())).unwrap().count();
    (0..100).for_each(|_| drop(client.call("execute_command", &json!({"command": "echo warm"}))));
    let (before, resident) = (open(&client), resident(&client));
    let begun = Instant::now();
    (0..1000).for_each(|_| drop(client.call("execute_command", &json!({"command": "echo more"}))));
    println!("1000 calls took {:?}", begun.elapsed());
    assert!(open(&client) <= before + 2, "{before} descriptors became {}", open(&client));
    let grown = self::resident(&client).saturating_sub(resident);
    assert!(grown < 8 * 1024, "{grown} KiB more");
}

/// Resident memory of the server, in KiB.
fn resident(client: &Client) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
