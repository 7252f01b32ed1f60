//! What the hook of a client's own shell tool costs: the whole process, from the event to the answer, its record left.

use crate::servers::MeasuredServers;
use serde_json::json;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;
use testkit::binary;
use testkit::measure::{Plan, ResultRow, TargetSide, row, row_at, time};

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let servers = MeasuredServers::open();
    let pairs: Vec<_> = (0..5 + 200 * plan.rounds)
        .map(|_| (ran(&servers, &["--version"], ""), ran(&servers, &JUDGE, &event())))
        // What is read from disk is read by then.
        .skip(5)
        .collect();
    vec![
        row("an event judged, against `runward --version`", TargetSide::AtMost(2.0), &pairs),
        row_at(0.95, "  the same, what 95 of 100 do not exceed", TargetSide::AtMost(3.0), &pairs),
    ]
}

const JUDGE: [&str; 3] = ["hook", "--client", "claude-code"];

/// What Claude Code sends before its shell tool runs a command.
fn event() -> String {
    json!({
        "session_id": "8f3c2b1a-5d8e-4a53-9f0f-2f1d4f0a7c11", "transcript_path": "/tmp/t.jsonl", "cwd": "/tmp",
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "git status --short", "description": "a benchmark", "timeout": 120_000},
        "tool_use_id": "toolu_01ABC"
    })
    .to_string()
}

fn ran(servers: &MeasuredServers, args: &[&str], input: &str) -> Duration {
    let runward = binary("runward");
    let mut command = servers.command(&runward, args);
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    time(|| {
        let mut child = command.spawn().expect("it is there");
        // One that reads nothing may be gone by now.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        assert!(child.wait().expect("a child").success(), "{args:?}");
    })
}
