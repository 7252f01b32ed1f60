//! What a line typed on a terminal costs until its answer is back.

use crate::servers::{MeasuredServers, WARM, calling, in_lives};
use serde_json::json;
use std::time::Duration;
use testkit::McpClient;
use testkit::measure::{ResultRow, TargetSide, row, time};

/// The bare server is asked in two calls, as ours is: the first types, the second waits for the answer. Then, to know,
/// against a bare one on the SDK, and against one call that does both. Only the two that are compared take turns: a third
/// server between them slows the bare one, and flatters ours.
pub(crate) fn rows(servers: &MeasuredServers, turns: usize) -> [ResultRow; 4] {
    let beside = |bare: &str, asked: fn(&mut McpClient) -> Duration, worked: usize| {
        in_lives(|| {
            let (mut bare, mut ours) = (servers.serve(bare, &[]), Parrot::open(servers, worked));
            let mut turn = || (asked(&mut bare), ours.answers());
            (0..WARM + turns).map(|_| turn()).skip(WARM).collect()
        })
    };
    let (young, worked) = (beside("bare-server", in_two, 0), beside("bare-server", in_two, 600));
    let (on_sdk, at_once) = (beside("bare-rmcp", in_two, 0), beside("bare-server", in_one, 0));
    [
        row("a line to a terminal, its answer back (two calls)", TargetSide::AtMost(2.0), &young),
        row("  the same on servers that have run 600 commands", TargetSide::AtMost(2.0), &worked),
        row("  against a bare server on the SDK, in two calls", TargetSide::ToKnow, &on_sdk),
        row("  against one bare call that does both", TargetSide::ToKnow, &at_once),
    ]
}

fn in_two(bare: &mut McpClient) -> Duration {
    time(|| {
        bare.call("type", &json!({"line": "line 1"}));
        bare.call("hear", &json!({}));
    })
}

fn in_one(bare: &mut McpClient) -> Duration {
    calling(bare, "echo", &json!({"line": "line 1"}))
}

/// A server of ours, and a session of it that says every line again.
struct Parrot {
    server: McpClient,
    session: String,
    said: usize,
}

impl Parrot {
    /// Opens the session after so many commands.
    fn open(servers: &MeasuredServers, worked: usize) -> Self {
        let mut server = servers.runward();
        (0..worked).for_each(|_| drop(server.call("execute_command", &json!({"command": "true"}))));
        let parrot = json!({"command": "stty -echo; echo ready; exec cat", "pty": true, "timeout": 10_000});
        let started = server.call("start_command", &parrot);
        let session = started["structuredContent"]["sessionId"].as_str().expect("a session").to_owned();
        Self { server, session, said: 0 }
    }

    /// One line there and back. It is numbered, so that none is taken for an earlier one.
    fn answers(&mut self) -> Duration {
        self.said += 1;
        let line = format!("line {}", self.said);
        let typed = json!({"sessionId": self.session, "input": line, "newline": true});
        let waited = json!({"sessionId": self.session, "until": {"output": format!("{line}\r")}});
        time(|| {
            self.server.call("write_input", &typed);
            assert_eq!(self.server.call("wait_command", &waited)["structuredContent"]["met"], "output");
        })
    }
}
