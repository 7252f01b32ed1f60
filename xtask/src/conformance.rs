//! `cargo xtask conformance`: the protocol's own suite against `runward mcp --http`, in every revision.
//!
//! May not say what passes: the suite does. What it asks of a server that is made for it stands in
//! `xtask/conformance/left-out.yml`, with the reasons.

use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use crate::{ChoreResult, install, node};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "the protocol's own suite against the MCP server [SCENARIO...]";

const PLACE: &str = "target/conformance";

const LEFT_OUT: &str = "xtask/conformance/left-out.yml";

/// Stands where it finds its packages.
const SHOWS_TOKEN: &str = "target/node/token.mjs";

const TOKEN: &str = "a-token-for-the-suite";

/// The revisions of the protocol that both the suite and the server know.
const REVISIONS: &[&str] = &["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// `cargo xtask conformance`.
pub(crate) fn run(root: &RepositoryRoot, scenarios: &[String]) -> ChoreResult {
    install::python(root)?;
    node::install(root)?;
    ChildTool::new("cargo build --package runward --bins --locked").run(root)?;
    if scenarios.is_empty() {
        return everything(root);
    }
    let server = ConformanceServer::start(root)?;
    scenarios.iter().try_for_each(|scenario| server.suite(&format!("--scenario {scenario}")).run(root))
}

/// Every scenario in every revision. Everything it needs is there.
pub(crate) fn everything(root: &RepositoryRoot) -> ChoreResult {
    let server = ConformanceServer::start(root)?;
    for revision in REVISIONS {
        let flags = format!("--suite all --spec-version {revision} --expected-failures {LEFT_OUT}");
        let said = server.suite(&flags).answer(root)?;
        let words = [said.stdout, said.stderr].map(|bytes| String::from_utf8(bytes).unwrap_or_default());
        if !said.status.success() {
            println!("{}", words.join("\n"));
            return Err(format!("the suite does not pass in revision {revision}"));
        }
        report(revision, &words[0]);
    }
    Ok(())
}

/// One line for each scenario that passes as a whole. The suite has seen to it that the others are the ones we know.
fn report(revision: &str, words: &str) {
    println!("{revision}");
    words.lines().filter(|line| line.starts_with('✓')).for_each(|line| println!("  {line}"));
    let others = words.lines().filter(|line| line.starts_with('✗')).count();
    println!("  {others} ask for another server, as a whole or in part: see {LEFT_OUT}");
}

/// A server that is ended with us.
struct ConformanceServer {
    child: Child,
    url: String,
    /// Kept open, so that it may say more.
    _words: BufReader<ChildStderr>,
}

impl ConformanceServer {
    fn start(root: &RepositoryRoot) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("the server could not be started: {error}");
        let mut child = Self::command(root).map_err(failed)?.spawn().map_err(failed)?;
        let mut words = BufReader::new(child.stderr.take().ok_or("the server has no standard error")?);
        let mut line = String::new();
        words.read_line(&mut line).map_err(failed)?;
        let url = line.trim().split_once("listening on ").map(|(_, url)| url.to_owned());
        let server = Self { child, url: url.unwrap_or_default(), _words: words };
        if server.url.is_empty() { Err(format!("the server said `{line}`")) } else { Ok(server) }
    }

    fn command(root: &RepositoryRoot) -> std::io::Result<Command> {
        let place = root.join(PLACE);
        fs::create_dir_all(&place)?;
        fs::write(place.join("runward.toml"), "")?;
        fs::write(root.join(SHOWS_TOKEN), include_str!("../conformance/token.mjs"))?;
        let mut command = Command::new(root.join("target/debug/runward"));
        command.args(["--config", "target/conformance/runward.toml"]);
        command.args(["mcp", "--profile", "all", "--http", "127.0.0.1:0"]);
        command.env("RUNWARD_TOKEN", TOKEN).env("RUNWARD_STATE_DIR", place.join("state"));
        command.current_dir(root.path()).stdout(Stdio::null()).stderr(Stdio::piped());
        Ok(command)
    }

    /// The suite with these flags, about this server.
    fn suite(&self, flags: &str) -> ChildTool {
        let suite = format!("{}/@modelcontextprotocol/conformance/dist/index.js", node::PACKAGES);
        let node = format!("{} --import ./{SHOWS_TOKEN}", node::PROGRAM);
        let line = format!("{node} {suite} server --url {} {flags}", self.url);
        ChildTool::new(&line).env("RUNWARD_TOKEN", TOKEN)
    }
}

impl Drop for ConformanceServer {
    fn drop(&mut self) {
        // One that has ended already needs no ending.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
