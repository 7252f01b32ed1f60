//! What everything costs before the first command: the server's first answer, a whole `runward exec`, a journal that is new.

use crate::peers;
use crate::servers::{MeasuredServers, calling};
use serde_json::json;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use testkit::binary;
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, row, time};

/// The peer that starts fastest: a program in Rust as ours is.
const PEER: &str = "codex-shell-tool-mcp";

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let servers = MeasuredServers::open();
    let mut rows = peers::started_beside(PEER, plan);
    rows.extend([whole(&servers, 100 * plan.rounds), walled(&servers, 60 * plan.rounds)]);
    rows.extend(first_command(12 * plan.rounds));
    rows
}

/// A program from its start to its end.
fn ran(servers: &MeasuredServers, program: &Path, args: &[&str]) -> Duration {
    time(|| {
        let mut command = servers.command(program, args);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
        assert!(status.expect("it is there").success(), "{} {args:?}", program.display());
    })
}

fn whole(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let least = || ran(servers, Path::new("/bin/true"), &[]);
    let runward = binary("runward");
    let ours = || ran(servers, &runward, &["exec", "--", "/bin/true"]);
    // The journal is there, and what is read from disk is read.
    ours();
    let what = "`runward exec -- /bin/true`, journal on, against `/bin/true`";
    in_turns(what, TargetSide::AtMost(4.5), turns, least, ours)
}

fn walled(servers: &MeasuredServers, turns: usize) -> ResultRow {
    let runward = binary("runward");
    let plain = || ran(servers, &runward, &["exec", "--", "/bin/true"]);
    let walls = ["exec", "--sandbox", "workspace-write", "--network", "off", "--", "/bin/true"];
    let walled = || ran(servers, &runward, &walls);
    walled();
    let what = "the same in a sandbox with all layers, against without";
    in_turns(what, TargetSide::AtMost(1.5), turns, plain, walled)
}

/// A server in a home where no journal is, and its tenth command. The shell itself runs the line, so that little else is
/// new to the first.
fn first_command(turns: usize) -> [ResultRow; 1] {
    const BETWEEN: usize = 8;
    let line = json!({"command": "true"});
    let turn = || {
        let servers = MeasuredServers::open();
        let mut runward = servers.runward();
        let first = calling(&mut runward, "execute_command", &line);
        (0..BETWEEN).for_each(|_| drop(runward.call("execute_command", &line)));
        (calling(&mut runward, "execute_command", &line), first)
    };
    let pairs: Vec<_> = (0..turns).map(|_| turn()).collect();
    let what = "a server's first command with a new journal, against its tenth";
    [row(what, TargetSide::AtMost(2.0), &pairs)]
}
