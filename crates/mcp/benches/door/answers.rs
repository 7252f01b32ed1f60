//! What a model is shown, in characters: by real clients, of a whole test run, of the longest output, of all tools; and
//! what a long output costs the server.

use crate::recorded;
use crate::servers::MeasuredServers;
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use testkit::McpClient;
use testkit::agents::{AgentClient, AgentKind, AgentServer};
use testkit::measure::{Amount, Plan, ResultRow, TargetSide};
use testkit::model::ModelScript;
use testkit::process::{anonymous, resident};

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let servers = MeasuredServers::open();
    let mut rows = Vec::new();
    if AgentKind::are_installed() {
        rows.push(greeting(&servers, AgentKind::Claude, "Claude Code", 60));
        rows.push(greeting(&servers, AgentKind::Codex, "Codex", 95));
    } else {
        eprintln!("answers: no client is installed: run `cargo xtask install`");
    }
    rows.extend(one_answer(&servers));
    rows.extend(recorded::shown());
    rows.push(tools(&servers));
    rows.extend(recorded::megabytes(3 * plan.rounds));
    rows.extend(long_output(&servers, 3 * plan.rounds));
    rows
}

/// A number that is the same each time.
fn number(what: &str, most: u32, value: usize) -> ResultRow {
    let value = Amount::Number(f64::from(u32::try_from(value).expect("a small number")));
    ResultRow::alone(what, TargetSide::Within(Amount::Number(f64::from(most))), &mut [value])
}

/// What a real client shows its model for `echo hello`, without words that it adds to every answer of any tool.
fn greeting(servers: &MeasuredServers, kind: AgentKind, name: &str, most: u32) -> ResultRow {
    let command = servers.command(&testkit::binary("runward"), &["mcp"]);
    let env = command.get_envs().filter_map(|(name, value)| {
        Some((name.to_str()?.to_owned(), value.and_then(|value| value.to_str())?.to_owned()))
    });
    let server = AgentServer {
        name: "runward".to_owned(),
        program: testkit::binary("runward"),
        args: vec!["mcp".to_owned()],
        env: env.filter(|(name, _)| name != "HOME").collect(),
    };
    let script = ModelScript::new().call("execute_command", json!({"command": "echo hello"}));
    let report = AgentClient::new(kind).server(server).start(script).finish();
    let shown = report.record.texts().remove(0);
    let own = shown.split("\n\n<system-reminder>").next().unwrap_or_default();
    number(&format!("characters that {name} shows for `echo hello`"), most, own.chars().count())
}

/// One failed test among 8 000, and the longest answer there is.
fn one_answer(servers: &MeasuredServers) -> [ResultRow; 3] {
    let mut client = servers.runward();
    let printed = servers.file("printed", &recorded::one_of_8000_fails());
    // What it prints is known by the name of the program.
    let program = servers.file("cargo", &format!("#!/bin/sh\ncat {printed}\nexit 101\n"));
    fs::set_permissions(program, Permissions::from_mode(0o755)).expect("a file of ours");
    let failed = client.call("execute_command", &json!({"command": "./cargo test"}));
    let shown = text(&failed);
    assert!(shown.contains("mod_0::case_04000") && shown.contains("left: 1"), "{shown}");
    let longest = client.call("execute_command", &json!({"command": "seq 1 180000 | tr 0-9 a-j"}));
    let fields = longest["structuredContent"].to_string();
    [
        number("characters of 8 000 tests, of which one failed", 1_500, shown.chars().count()),
        number("characters of the longest answer: text", 24_400, text(&longest).chars().count()),
        number("characters of the longest answer: fields", 24_400, fields.chars().count()),
    ]
}

fn text(answer: &Value) -> &str {
    answer["content"][0]["text"].as_str().expect("a text")
}

/// What the tools of the profile for terminals say about themselves. One token has about four characters of such text.
fn tools(servers: &MeasuredServers) -> ResultRow {
    let mut client = servers.serve("runward", &["mcp"]);
    let listed = client.ask("tools/list", &json!({}));
    let characters = listed["tools"].to_string().chars().count();
    number("`tools/list` of `terminal`, in characters (1 400 tokens)", 5_600, characters)
}

/// 64 MiB of lines, with the time of their end behind them.
const LONG: &str =
    "yes 'compiling something that takes a while, step after step' | head -c 67108864; date +%s%N >&2";

/// From the end of a long output to the answer about it, and what the server keeps of it.
fn long_output(servers: &MeasuredServers, turns: usize) -> [ResultRow; 2] {
    let (mut late, mut grown) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let mut client = servers.runward();
        client.call("execute_command", &json!({"command": "seq 1 200000"}));
        let before = (resident(client.pid()), anonymous(client.pid()));
        late.push(Amount::Time(after_the_end(&mut client)));
        let more = (resident(client.pid()) - before.0).max(anonymous(client.pid()) - before.1);
        grown.push(Amount::Bytes(more));
    }
    let most = Duration::from_millis(50);
    [
        ResultRow::alone(
            "64 MiB of output: from its end to the answer",
            TargetSide::Within(Amount::Time(most)),
            &mut late,
        ),
        ResultRow::alone(
            "64 MiB of output: memory that the server grows by",
            TargetSide::Within(Amount::Bytes(8 << 20)),
            &mut grown,
        ),
    ]
}

fn after_the_end(client: &mut McpClient) -> Duration {
    let answer = client.call("execute_command", &json!({"command": LONG, "timeout_ms": 120_000}));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
    let ended = answer["structuredContent"]["stderr"].as_str().expect("a time").trim();
    now.saturating_sub(Duration::from_nanos(ended.parse().expect("nanoseconds")))
}
