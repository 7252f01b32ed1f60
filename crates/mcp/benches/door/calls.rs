//! What one call costs, and the first answer.

use crate::house::House;
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
    let mut runward = house.runward();
    let mut rows = vec![
        cold(house, 20 * plan.rounds),
        shell(&mut runward, turns),
        added(&mut runward, turns),
        beside_rmcp(house, &mut runward, turns),
    ];
    rows.extend(terminal(house, &mut runward, turns));
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
fn shell(runward: &mut Client, turns: usize) -> Row {
    let arguments = json!({"command": "true"});
    (0..WARM).for_each(|_| drop(runward.call("execute_command", &arguments)));
    in_turns(
        "execute_command `true`, against posix_spawn `bash -c true`",
        Target::AtMost(1.25),
        turns,
        || bare(Path::new("/bin/bash"), &["-c", "true"]),
        || calling(runward, "execute_command", &arguments),
    )
}

fn direct(program: &Path) -> Value {
    json!({"cwd": ".", "command": [program], "shell_mode": "direct"})
}

/// What the door adds to the library's own run. May be as much as starting the program takes at the least.
fn added(runward: &mut Client, turns: usize) -> Row {
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
        calling(runward, "exec_command", &arguments);
    }
    let (mut floors, mut libraries, mut doors) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns {
        floors.push(bare(&still, &[]));
        libraries.push(library());
        doors.push(calling(runward, "exec_command", &arguments));
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
fn beside_rmcp(house: &House, runward: &mut Client, turns: usize) -> Row {
    let mut least = house.serve("bare-rmcp", &[]);
    let (run, exec) = (json!({"argv": ["/bin/true"]}), direct(Path::new("/bin/true")));
    for _ in 0..WARM {
        calling(&mut least, "run", &run);
        calling(runward, "exec_command", &exec);
    }
    in_turns(
        "exec_command `/bin/true`, against a bare rmcp server",
        Target::AtMost(1.2),
        turns,
        || calling(&mut least, "run", &run),
        || calling(runward, "exec_command", &exec),
    )
}

/// A line typed and answered on a terminal. The bare servers are asked in two calls as well: the first types, the second
/// waits for the answer; then, to know, in one. What the SDK takes of it, a bare server on it shows.
fn terminal(house: &House, runward: &mut Client, turns: usize) -> [Row; 3] {
    let (mut least, mut on_sdk) = (house.serve("bare-server", &[]), house.serve("bare-rmcp", &[]));
    let parrot = json!({"command": "stty -echo; echo ready; exec cat", "pty": true, "timeout": 10_000});
    let started = runward.call("start_command", &parrot);
    let id = started["structuredContent"]["sessionId"].as_str().expect("a session").to_owned();
    let mut count = 0;
    let mut ours = || {
        count += 1;
        let line = format!("line {count}");
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
    let (mut two, mut one, mut sdk, mut all) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns + WARM {
        two.push(in_two(&mut least));
        one.push(calling(&mut least, "echo", &line));
        sdk.push(in_two(&mut on_sdk));
        all.push(ours());
    }
    let pairs =
        |bare: &[Duration]| -> Vec<_> { bare.iter().copied().zip(all.iter().copied()).skip(WARM).collect() };
    [
        row("a line to a terminal, its answer back (two calls)", Target::AtMost(2.0), &pairs(&two)),
        row("  against a bare server on the SDK, in two calls", Target::ToKnow, &pairs(&sdk)),
        row("  against one bare call that does both", Target::ToKnow, &pairs(&one)),
    ]
}
