//! Many calls: beside one another, and one after the other.

use crate::servers::MeasuredServers;
use crate::sessions::settled;
use serde_json::json;
use testkit::McpClient;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, in_turns, tail, time};
use testkit::process::{anonymous, resident};

const IN_FLIGHT: usize = 8;
const CALLS: usize = 200;
const MIB: i64 = 1024 * 1024;

pub(crate) fn rows(servers: &MeasuredServers, plan: &Plan) -> Vec<ResultRow> {
    let turns = 10 * plan.rounds;
    let mut rows = vec![
        rate(servers, "8 in flight `true` (rate), against a bare loop", "1", turns),
        rate(servers, "the same, against 8 bare loops", "8", turns).to_know(),
        slowest(servers, turns),
        sleepers(servers, 3 * plan.rounds),
    ];
    rows.extend(memory(servers, 3 * plan.rounds));
    rows
}

/// Calls per second, as the time for the same number of calls.
fn rate(servers: &MeasuredServers, what: &str, threads: &str, turns: usize) -> ResultRow {
    let (mut least, mut ours) = (servers.serve("bare-server", &[threads]), servers.runward());
    let (run, execute) = (json!({"argv": ["/bin/bash", "-c", "true"]}), json!({"command": "true"}));
    least.keep_in_flight(IN_FLIGHT, CALLS, "run", &run);
    ours.keep_in_flight(IN_FLIGHT, CALLS, "execute_command", &execute);
    in_turns(
        what,
        TargetSide::AtLeast(0.85),
        turns,
        || time(|| least.keep_in_flight(IN_FLIGHT, CALLS, "run", &run)),
        || time(|| ours.keep_in_flight(IN_FLIGHT, CALLS, "execute_command", &execute)),
    )
}

/// The slowest of many that are in flight, beside the usual one.
fn slowest(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let mut ours = servers.runward();
    let execute = json!({"command": "true"});
    ours.keep_in_flight(IN_FLIGHT, CALLS, "execute_command", &execute);
    let times: Vec<_> = (0..turns)
        .flat_map(|_| ours.times_in_flight(IN_FLIGHT, CALLS, "execute_command", &execute))
        .collect();
    tail("8 in flight `true`, what 99 of 100 do not exceed", TargetSide::AtMost(3.0), &times)
}

fn sleepers(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let mut ours = servers.runward();
    let sleep = json!({"command": "sleep 1"});
    let mut took: Vec<Amount> = (0..turns)
        .map(|_| Amount::Time(time(|| ours.keep_in_flight(100, 100, "execute_command", &sleep))))
        .collect();
    let most = Amount::Time(std::time::Duration::from_millis(1200));
    ResultRow::alone("100 concurrent `sleep 1`", TargetSide::Within(most), &mut took)
}

/// Resident memory of a server that has said hello, and what a thousand and one calls add to it. Its own memory is counted
/// from the start. The first call also runs code for the first time, and then pages of the program's file are resident,
/// which belong to no process alone: with them it is counted from there.
fn memory(servers: &MeasuredServers, turns: usize) -> [ResultRow; 4] {
    let all: Vec<[i64; 4]> = (0..turns).map(|_| grown(servers)).collect();
    let row = |what: &str, most: Option<i64>, at: usize| {
        let target = most.map_or(TargetSide::ToKnow, |most| TargetSide::Within(Amount::Bytes(most)));
        let mut values: Vec<Amount> = all.iter().map(|one| Amount::Bytes(one[at])).collect();
        ResultRow::alone(what, target, &mut values)
    };
    [
        row("resident memory after start", Some(16 * MIB), 0),
        row("  memory of its own added by 1001 calls", Some(MIB), 1),
        row("  resident added by the first, mostly of the program's file", None, 2),
        row("  resident added by the 1000 after it", Some(MIB), 3),
    ]
}

/// Resident after the start; what all calls add to its own; what the first adds to what is resident, and what the others.
fn grown(servers: &MeasuredServers) -> [i64; 4] {
    let mut ours = servers.runward();
    let call = |ours: &mut McpClient| drop(ours.call("execute_command", &json!({"command": "true"})));
    let (start, own) = (resident(ours.pid()), anonymous(ours.pid()));
    call(&mut ours);
    // The journal's database is opened by a thread of its own, after the answer: it belongs to the first call.
    settled(&ours);
    let first = resident(ours.pid());
    (0..1000).for_each(|_| call(&mut ours));
    [start, anonymous(ours.pid()) - own, first - start, resident(ours.pid()) - first]
}
