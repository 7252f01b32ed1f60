//! Many calls: beside one another, and one after the other.

use crate::house::House;
use serde_json::json;
use testkit::Client;
use testkit::measure::{Amount, Plan, Row, Target, in_turns, time};
use testkit::process::resident;

const IN_FLIGHT: usize = 8;
const CALLS: usize = 200;
const MIB: i64 = 1024 * 1024;

pub(crate) fn rows(house: &House, plan: &Plan) -> Vec<Row> {
    let turns = 10 * plan.rounds;
    let mut rows = vec![
        rate(house, "8 in flight `true` (rate), against a bare loop", "1", turns),
        rate(house, "the same, against 8 bare loops", "8", turns).to_know(),
        sleepers(house, 3 * plan.rounds),
    ];
    rows.extend(memory(house, 3 * plan.rounds));
    rows
}

/// Calls per second, as the time for the same number of calls.
fn rate(house: &House, what: &str, threads: &str, turns: usize) -> Row {
    let (mut least, mut ours) = (house.serve("bare-server", &[threads]), house.runward());
    let (run, execute) = (json!({"argv": ["/bin/bash", "-c", "true"]}), json!({"command": "true"}));
    least.keep_in_flight(IN_FLIGHT, CALLS, "run", &run);
    ours.keep_in_flight(IN_FLIGHT, CALLS, "execute_command", &execute);
    in_turns(
        what,
        Target::AtLeast(0.85),
        turns,
        || time(|| least.keep_in_flight(IN_FLIGHT, CALLS, "run", &run)),
        || time(|| ours.keep_in_flight(IN_FLIGHT, CALLS, "execute_command", &execute)),
    )
}

fn sleepers(house: &House, turns: usize) -> Row {
    let mut ours = house.runward();
    let sleep = json!({"command": "sleep 1"});
    let mut took: Vec<Amount> = (0..turns)
        .map(|_| Amount::Time(time(|| ours.keep_in_flight(100, 100, "execute_command", &sleep))))
        .collect();
    let most = Amount::Time(std::time::Duration::from_millis(1200));
    Row::alone("100 concurrent `sleep 1`", Target::Within(most), &mut took)
}

/// Resident memory of a server that has said hello, and what a thousand calls add to it. Its first call touches code that
/// was not touched before, which is no growth: the thousand are counted from there.
fn memory(house: &House, turns: usize) -> [Row; 3] {
    let (mut first, mut warmed, mut grown) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns {
        let mut ours = house.runward();
        let call = |ours: &mut Client| drop(ours.call("execute_command", &json!({"command": "true"})));
        let start = resident(ours.pid());
        first.push(Amount::Bytes(start));
        call(&mut ours);
        let before = resident(ours.pid());
        warmed.push(Amount::Bytes(before - start));
        (0..1000).for_each(|_| call(&mut ours));
        grown.push(Amount::Bytes(resident(ours.pid()) - before));
    }
    [
        Row::alone("resident memory after start", Target::Within(Amount::Bytes(16 * MIB)), &mut first),
        Row::alone("  added by the first call", Target::ToKnow, &mut warmed),
        Row::alone("  added by 1000 more", Target::Within(Amount::Bytes(MIB)), &mut grown),
    ]
}
