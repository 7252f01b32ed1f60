//! What idle sessions cost.

use crate::servers::MeasuredServers;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::McpClient;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide};
use testkit::process::{own, resident, switches, wardens};

/// As many as a server takes.
const SESSIONS: u8 = 60;

const KIB: i64 = 1024;

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let servers = MeasuredServers::open();
    let pipes = json!({"command": "exec cat"});
    let terminals = json!({"command": "exec cat", "pty": true});
    let turns = 5 * plan.rounds;
    let mut rows = Vec::new();
    rows.extend(memory(&servers, "pipe", &pipes, 48 * KIB, turns));
    rows.extend(memory(&servers, "terminal", &terminals, 96 * KIB, turns));
    rows.extend(idle(&servers, [&pipes, &terminals], turns));
    rows
}

/// A server that has started and ended a session before.
fn warm(servers: &MeasuredServers, command: &Value) -> McpClient {
    let mut client = servers.runward();
    let started = client.call("start_command", command);
    let id = &started["structuredContent"]["sessionId"];
    client.call("stop_command", &json!({ "sessionId": id }));
    client
}

fn memory(servers: &MeasuredServers, kind: &str, command: &Value, most: i64, turns: usize) -> [ResultRow; 2] {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let mut client = warm(servers, command);
        // What the first command leaves to threads of the journal is no part of the others.
        settled(&client);
        let before = resident(client.pid());
        (0..SESSIONS).for_each(|_| drop(client.call("start_command", command)));
        settled(&client);
        ours.push(Amount::Bytes((resident(client.pid()) - before) / i64::from(SESSIONS)));
        let wardens = wardens(client.pid());
        let taken: i64 = wardens.iter().map(|pid| own(*pid)).sum();
        theirs.push(Amount::Bytes(taken / i64::from(SESSIONS)));
    }
    [
        ResultRow::alone(
            &format!("memory of one idle {kind} session"),
            TargetSide::Within(Amount::Bytes(most)),
            &mut ours,
        ),
        ResultRow::alone(&format!("  and of its warden ({kind})"), TargetSide::ToKnow, &mut theirs),
    ]
}

/// How often anything of ours wakes up while nothing happens.
fn idle(servers: &MeasuredServers, commands: [&Value; 2], turns: usize) -> [ResultRow; 2] {
    let mut client = servers.runward();
    for count in 0..SESSIONS {
        client.call("start_command", commands[usize::from(count % 2)]);
    }
    settled(&client);
    let wardens = wardens(client.pid());
    assert!(wardens.len() > usize::from(SESSIONS), "a steward, and a warden for each session");
    let count = || (switches(client.pid()), wardens.iter().map(|pid| switches(*pid)).sum::<u64>());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let before = count();
        std::thread::sleep(WINDOW);
        let after = count();
        ours.push(often(after.0 - before.0));
        theirs.push(often(after.1 - before.1));
    }
    let never = TargetSide::Within(Amount::PerSecond(0.0));
    [
        ResultRow::alone("60 idle sessions: the server wakes up", never, &mut ours),
        ResultRow::alone("60 idle sessions: steward and wardens wake up", never, &mut theirs),
    ]
}

const WINDOW: Duration = Duration::from_secs(2);

fn often(times: u64) -> Amount {
    Amount::PerSecond(f64::from(u32::try_from(times).unwrap_or(u32::MAX)) / WINDOW.as_secs_f64())
}
/// Waits until the commands have started and read their input: no thread is switched any more for a while.
pub(crate) fn settled(client: &McpClient) {
    let mut last = switches(client.pid());
    testkit::until("the server rests", || {
        std::thread::sleep(Duration::from_millis(300));
        let now = switches(client.pid());
        let rests = now == last;
        last = now;
        rests
    });
}
