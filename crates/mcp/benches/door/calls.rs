//! What one call costs, and the first answer.

use crate::servers::{MeasuredServers, WARM, calling, in_lives};
use crate::terminal;
use runward_engine::{CommandSpec, Engine, Policy};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use testkit::bare::captured;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, in_turns, median, row, time};
use testkit::{McpClient, binary, still};

pub(crate) fn rows(servers: &MeasuredServers, plan: &Plan) -> Vec<ResultRow> {
    let turns = 600 * plan.rounds;
    let mut rows = vec![
        cold(servers, 20 * plan.rounds),
        shell(servers, turns),
        added(servers, turns),
        beside_rmcp(servers, turns),
        plainly_read(servers, turns),
    ];
    rows.extend(terminal::rows(servers, turns));
    rows
}

/// From exec to the answer to `initialize`.
fn cold(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let node = || {
        time(|| {
            let status = servers.command(Path::new("node"), &["-e", "0"]).status();
            assert!(status.expect("node is there").success());
        })
    };
    let runward = binary("runward");
    let ours = || {
        let mut client = None;
        let took = time(|| client = Some(McpClient::start(&mut servers.command(&runward, &["mcp"]))));
        drop(client);
        took
    };
    in_turns("exec to `initialize`, against `node -e 0`", TargetSide::AtMost(0.15), turns, node, ours)
}

fn bare(program: &Path, args: &[&str]) -> Duration {
    time(|| {
        captured(program, args).expect("it runs");
    })
}

/// `execute_command` against the shell itself.
fn shell(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let arguments = json!({"command": "true"});
    let pairs = in_lives(|| {
        let mut runward = servers.runward();
        (0..WARM).for_each(|_| drop(runward.call("execute_command", &arguments)));
        let bare = || bare(Path::new("/bin/bash"), &["-c", "true"]);
        (0..turns).map(|_| (bare(), calling(&mut runward, "execute_command", &arguments))).collect()
    });
    row("execute_command `true`, against posix_spawn `bash -c true`", TargetSide::AtMost(1.25), &pairs)
}

fn direct(program: &Path) -> Value {
    json!({"cwd": ".", "command": [program], "shell_mode": "direct"})
}

/// What the door adds to the library's own run. May be as much as starting the program takes at the least.
fn added(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let mut runward = servers.runward();
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
    ResultRow::alone(
        "exec_command, static program: added to the library's run",
        TargetSide::Within(Amount::Time(most)),
        middle,
    )
    .beside(Amount::Time(own))
}

/// Against the least that a server on the same SDK can cost.
fn beside_rmcp(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let (run, exec) = (json!({"argv": ["/bin/true"]}), direct(Path::new("/bin/true")));
    let pairs = in_lives(|| {
        let (mut least, mut runward) = (servers.serve("bare-rmcp", &[]), servers.runward());
        let mut turn = || (calling(&mut least, "run", &run), calling(&mut runward, "exec_command", &exec));
        (0..WARM + turns).map(|_| turn()).skip(WARM).collect()
    });
    row("exec_command `/bin/true`, against a bare rmcp server", TargetSide::AtMost(1.2), &pairs)
}

/// What reading plain calls straight into their type saves (decision 0034): the same call with `_meta` goes to the SDK's
/// own reader.
fn plainly_read(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let plain = json!({"name": "list_commands", "arguments": {}});
    let marked = json!({"name": "list_commands", "arguments": {}, "_meta": {}});
    let pairs = in_lives(|| {
        let mut runward = servers.runward();
        let mut ask = |params: &Value| time(|| drop(runward.ask("tools/call", params)));
        (0..WARM + turns).map(|_| (ask(&marked), ask(&plain))).skip(WARM).collect()
    });
    row("a call that is read straight, against one that the SDK reads", TargetSide::ToKnow, &pairs)
}
