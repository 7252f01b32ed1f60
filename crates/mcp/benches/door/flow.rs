//! What a markdown agent costs before anything runs: the whole binary, cold.

use crate::servers::MeasuredServers;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use testkit::binary;
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, time};

/// An agent as people write them: front matter, a variable with a filter, an import.
const AGENT: &str = "---\nmodel: opus\nadd-dir: [./src, ./tests]\n$topic: tests\n---\nReview {{ topic | upcase }}.\n\n@./notes.md\n";

/// Everything about markdown agents.
pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let servers = MeasuredServers::open();
    let agent = servers.file("review.claude.md", AGENT);
    servers.file("notes.md", "Be kind to {{ topic }}.\n");
    let node = || run(&servers, Path::new("node"), &["-e", "0"]);
    let ours = || run(&servers, &binary("runward"), &["run", &agent, "--dry-run"]);
    vec![in_turns(
        "`run FILE --dry-run`, against `node -e 0`",
        TargetSide::AtMost(0.2),
        20 * plan.rounds,
        node,
        ours,
    )]
}

fn run(servers: &MeasuredServers, program: &Path, args: &[&str]) -> Duration {
    time(|| {
        let mut command = servers.command(program, args);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
        assert!(status.expect("it is there").success());
    })
}
