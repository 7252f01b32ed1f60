//! What one call costs, and the first answer.

use crate::house::{House, in_lives};
use runward::{CommandSpec, Engine, Policy};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use testkit::bare::captured;
use testkit::measure::{Amount, Plan, Row, Target, in_turns, median, row, time};
use testkit::{Client, binary, still};

/// Calls before anything counts.
const WARM: usize = 50;

pub(crate) fn rows(house: &House, plan: &Plan) -> Vec<Row> {
    let turns = 600 * plan.rounds;
    let mut rows = vec![
        cold(house, 20 * plan.rounds),
        shell(house, turns),
        added(house, turns),
        beside_rmcp(house, turns),
    ];
    rows.extend(terminal(house, turns));
    rows
}

/// From exec to the answer to `initialize`.
fn cold(house: &House, turns: usize) -> Row {
    let node = || {
        time(|| {
            let status = house.command(Path::new("node"), &["-e", "0"]).status();
            assert!(status.expect("node is there").success());
        })
    };
    let runward = binary("runward");
    let ours = || {
        let mut client = None;
        let took = time(|| client = Some(Client::start(&mut house.command(&runward, &["mcp"]))));
        drop(client);
        took
    };
    in_turns("exec to `initialize`, against `node -e 0`", Target::AtMost(0.15), turns, node, ours)
}

fn calling(client: &mut Client, tool: &str, arguments: &Value) -> Duration {
    time(|| drop(client.call(tool, arguments)))
}

fn bare(program: &Path, args: &[&str]) -> Duration {
    time(|| {
        captured(program, args).expect("it runs");
    })
}

/// `execute_command` against the shell itself.
fn shell(house: &House, turns: usize) -> Row {
    let arguments = json!({"command": "true"});
    let pairs = in_lives(|| {
        let mut runward = house.runward();
        (0..WARM).for_each(|_| drop(runward.call("execute_command", &arguments)));
        let bare = || bare(Path::new("/bin/bash"), &["-c", "true"]);
        (0..turns).map(|_| (bare(), calling(&mut runward, "execute_command", &arguments))).collect()
    });
    row("execute_command `true`, against posix_spawn `bash -c true`", Target::AtMost(1.25), &pairs)
}

fn direct(program: &Path) -> Value {
    json!({"cwd": ".", "command": [program], "shell_mode": "direct"})
}

/// What the door adds to the library's own run. May be as much as starting the program takes at the least.
fn added(house: &House, turns: usize) -> Row {
    let mut runward = house.runward();
    let engine =
        Engine::builder().policy(Policy::allow_everything("a benchmark")).build().expect("an engine");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (still, arguments) = (still(), direct(&still()));
    let library = || {
        time(|| {
            runtime.block_on(engine.run(CommandSpec::exec(&still))).expect("it runs");
        })
    };
    for _ in 0..WARM {
        library();
        calling(&mut runward, "exec_command", &arguments);
    }
    let (mut floors, mut libraries, mut doors) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns {
        floors.push(bare(&still, &[]));
        libraries.push(library());
        doors.push(calling(&mut runward, "exec_command", &arguments));
    }
    let (floor, own) = (median(&mut floors), median(&mut libraries));
    let mut more: Vec<Amount> = doors.iter().map(|door| Amount::Time(door.saturating_sub(own))).collect();
    more.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    // The middle half: single calls that something else delayed say nothing about us.
    let middle = &mut more[turns / 4..turns - turns / 4];
    let most = floor.max(Duration::from_micros(150));
    Row::alone(
        "exec_command, static program: added to the library's run",
        Target::Within(Amount::Time(most)),
        middle,
    )
    .beside(own)
}

/// Against the least that a server on the same SDK can cost.
fn beside_rmcp(house: &House, turns: usize) -> Row {
    let (run, exec) = (json!({"argv": ["/bin/true"]}), direct(Path::new("/bin/true")));
    let pairs = in_lives(|| {
        let (mut least, mut runward) = (house.serve("bare-rmcp", &[]), house.runward());
        let mut turn = || (calling(&mut least, "run", &run), calling(&mut runward, "exec_command", &exec));
        (0..WARM + turns).map(|_| turn()).skip(WARM).collect()
    });
    row("exec_command `/bin/true`, against a bare rmcp server", Target::AtMost(1.2), &pairs)
}

/// A line typed and answered on a terminal. The bare servers are asked in two calls as well: the first types, the second
/// waits for the answer; then, to know, in one. What the SDK takes of it, a bare server on it shows.
fn terminal(house: &House, turns: usize) -> [Row; 3] {
    let all = in_lives(|| typed(house, turns));
    let beside = |at: usize| all.iter().map(|[ours, bare @ ..]| (bare[at], *ours)).collect::<Vec<_>>();
    [
        row("a line to a terminal, its answer back (two calls)", Target::AtMost(2.0), &beside(0)),
        row("  against a bare server on the SDK, in two calls", Target::ToKnow, &beside(1)),
        row("  against one bare call that does both", Target::ToKnow, &beside(2)),
    ]
}

/// Lines through all servers in turn: ours, a bare one, one on the SDK, and the bare one in a single call.
fn typed(house: &House, turns: usize) -> Vec<[Duration; 4]> {
    let (mut least, mut on_sdk) = (house.serve("bare-server", &[]), house.serve("bare-rmcp", &[]));
    let mut runward = house.runward();
    let parrot = json!({"command": "stty -echo; echo ready; exec cat", "pty": true, "timeout": 10_000});
    let started = runward.call("start_command", &parrot);
    let id = started["structuredContent"]["sessionId"].as_str().expect("a session").to_owned();
    let mut ours = |line: &str| {
        let typed = json!({"sessionId": id, "input": line, "newline": true});
        let waited = json!({"sessionId": id, "until": {"output": format!("{line}\r")}});
        time(|| {
            runward.call("write_input", &typed);
            assert_eq!(runward.call("wait_command", &waited)["structuredContent"]["met"], "output");
        })
    };
    let line = json!({"line": "line 1"});
    let in_two = |server: &mut Client| {
        time(|| {
            server.call("type", &line);
            server.call("hear", &json!({}));
        })
    };
    let mut turn = |number: usize| {
        let (two, one) = (in_two(&mut least), calling(&mut least, "echo", &line));
        let sdk = in_two(&mut on_sdk);
        // Numbered, so that none is taken for an earlier one.
        [ours(&format!("line {number}")), two, sdk, one]
    };
    (0..WARM + turns).map(&mut turn).skip(WARM).collect()
}
