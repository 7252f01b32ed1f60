//! What a gateway adds to a call of its child, and how long several children take to start.

use crate::servers::{MeasuredServers, WARM, calling, in_lives};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, in_turns, median, time};
use testkit::{McpClient, binary};

/// The most that a call may take longer.
const MOST_ADDED: Duration = Duration::from_micros(200);
/// What a slow child waits before it starts: that is what it costs, and no processor time.
const SLOW: &str = "sleep 0.5; exec \"$0\"";

/// Everything about child servers.
pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let measured = MeasuredServers::open();
    let [ours, least] = added(&measured, 600 * plan.rounds);
    vec![ours, least, started(&measured, 5 * plan.rounds)]
}

fn gateway(measured: &MeasuredServers, servers: &Value) -> String {
    measured.file("config/runward/servers.json", &json!({ "mcpServers": servers }).to_string())
}

/// A call through the gateway, against the same call of the child itself; and the same through a process that only copies.
fn added(measured: &MeasuredServers, turns: usize) -> [ResultRow; 2] {
    let child = binary("scripted-child");
    gateway(measured, &json!({"one": {"command": child}}));
    let arguments = json!({"text": "x"});
    let all = in_lives(|| {
        let mut direct = measured.serve("scripted-child", &[]);
        let mut through = measured.serve("runward", &["gateway"]);
        let mut copied = measured.serve("bare-relay", &[child.to_str().expect("text")]);
        let mut turn = || {
            let own = calling(&mut direct, "echo", &arguments);
            let ours = calling(&mut through, "one__echo", &arguments);
            [own, ours, calling(&mut copied, "echo", &arguments)]
        };
        (0..turns + WARM).map(|_| turn()).skip(WARM).collect()
    });
    let own = median(&mut all.iter().map(|[own, ..]| *own).collect::<Vec<_>>());
    let more = |what: &str, target: TargetSide, times: Vec<Duration>| {
        let mut more: Vec<Amount> =
            times.into_iter().map(|time| Amount::Time(time.saturating_sub(own))).collect();
        more.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
        // The middle half: single calls that something else delayed say nothing about us.
        let quarter = more.len() / 4;
        let middle = quarter..more.len() - quarter;
        ResultRow::alone(what, target, &mut more[middle]).beside(Amount::Time(own))
    };
    let (what, least) = (
        "a call through the gateway: added to the child's own answer",
        "  the least: a process that copies, and reads nothing",
    );
    let target = TargetSide::Within(Amount::Time(MOST_ADDED));
    [
        more(what, target, all.iter().map(|[_, ours, _]| *ours).collect()),
        more(least, TargetSide::ToKnow, all.iter().map(|[.., copied]| *copied).collect()),
    ]
}

/// Ten children that are slow to start, until all their tools are listed, against one alone.
fn started(measured: &MeasuredServers, turns: usize) -> ResultRow {
    let child = binary("scripted-child");
    let slow = json!({"command": "/bin/sh", "args": ["-c", SLOW, child]});
    let servers: serde_json::Map<String, Value> = (0..10).map(|n| (format!("s{n}"), slow.clone())).collect();
    gateway(measured, &Value::Object(servers));
    let list = |client: &mut McpClient, least: usize| {
        let tools = client.ask("tools/list", &json!({}));
        assert!(tools["tools"].as_array().expect("tools").len() >= least, "{tools}");
    };
    let one = || {
        let args = ["-c", SLOW, child.to_str().expect("text")];
        time(|| list(&mut McpClient::start(&mut measured.command(Path::new("/bin/sh"), &args)).ready(), 10))
    };
    let ten = || {
        let mut command = measured.command(&binary("runward"), &["gateway"]);
        // Ten of a kind list the same resources, and each is told of.
        command.stderr(Stdio::null());
        time(|| list(&mut McpClient::start(&mut command).ready(), 100))
    };
    in_turns("ten slow children listed, against one by itself", TargetSide::AtMost(1.3), turns, one, ten)
}
