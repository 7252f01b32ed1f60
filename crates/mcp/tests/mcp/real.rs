//! Servers of others, as children of the gateway: from npm, and from PyPI.
//!
//! `cargo xtask install` brings them. What they answer is compared in `everything.py`; roots and files are in
//! `files.py`.

use crate::gateway::{gateway, list, place};
use crate::http::TOKEN;
use crate::place::{Place, command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

/// A node that is new enough for everything here.
pub(crate) fn node() -> PathBuf {
    testkit::python().with_file_name("node")
}

/// Where the packages of node are.
pub(crate) fn packages() -> PathBuf {
    let folder = node().ancestors().nth(3).unwrap().join("node");
    assert!(folder.join("node_modules").is_dir(), "packages are missing: run `cargo xtask install`");
    folder
}

/// The main file of an official server of node.
fn main_file(server: &str) -> String {
    let file = packages().join("node_modules/@modelcontextprotocol").join(server).join("dist/index.js");
    assert!(file.is_file(), "`{server}` is missing: run `cargo xtask install`");
    file.to_str().unwrap().to_owned()
}

/// A server with all there is in the protocol.
pub(crate) fn everything() -> Value {
    json!({"command": node(), "args": [main_file("server-everything")]})
}

/// A server that listens. It is killed when it goes, and its output after it listens is not read.
pub(crate) struct Listening(Child);

impl Listening {
    /// Starts it; nothing if it ends before it listens.
    pub(crate) fn start(mut server: Command) -> Option<(Self, String)> {
        let mut child =
            server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut words = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let word = words.find(|line| line.contains("listening on "));
        let listening = Self(child);
        thread::spawn(move || words.for_each(drop));
        Some((listening, word?))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The same server over HTTP, at this port.
pub(crate) fn everything_at(place: &Place, port: u16) -> Option<Listening> {
    let mut server = place.command(&node(), &[&main_file("server-everything"), "streamableHttp"]);
    server.env("PORT", port.to_string());
    Listening::start(server).map(|(listening, _)| listening)
}

/// A script of the official Python client beside this file says `done`.
fn says(place: &Place, script: &str, args: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp").join(script);
    let mut client = place.command(&testkit::python(), &[&[script.to_str().unwrap()], args].concat());
    let said = client.env("RUNWARD_TOKEN", TOKEN).output().unwrap();
    let (printed, complained) =
        (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
    assert_eq!(printed, "done\n", "{args:?}: {complained}");
}

/// The script with a gateway that it starts, and with one that listens.
fn says_both(place: &Place, script: &str, args: &[&str]) {
    let binary = testkit::binary("runward");
    says(place, script, &[args, &[binary.to_str().unwrap()]].concat());
    let mut server = gateway(place, &["--http", "127.0.0.1:0"]);
    server.env("RUNWARD_TOKEN", TOKEN);
    let (_server, word) = Listening::start(server).unwrap();
    let address = word.split_whitespace().last().unwrap();
    says(place, script, &[args, &[address]].concat());
}

/// A Python that changes nothing in its own environment.
fn plain(servers: &Value) -> Place {
    place(servers).set("LC_ALL", Some("C.UTF-8"))
}

#[test]
fn every_answer_of_a_server_is_the_same_directly_and_through_the_gateway() {
    let place = plain(&json!({"e": everything()}));
    let direct = format!("{}\n{}", node().display(), main_file("server-everything"));
    says_both(&place, "everything.py", &[&direct]);
}

#[test]
fn the_clients_roots_reach_a_server_of_files() {
    let files = json!({"command": node(), "args": [main_file("server-filesystem")]});
    says_both(&plain(&json!({"files": files})), "files.py", &[]);
}

#[test]
fn a_server_of_python_answers() {
    let time = testkit::python().with_file_name("mcp-server-time");
    let place = plain(&json!({"time": {"command": time, "args": ["--local-timezone", "UTC"]}}));
    let mut client = crate::gateway::connect(&place);
    let called = client.call(
        "time__convert_time",
        &json!({"source_timezone": "UTC", "time": "16:30", "target_timezone": "Asia/Tokyo"}),
    );
    assert!(!called.is_error, "{called:?}");
    let answer: Value = serde_json::from_str(&called.text).unwrap();
    assert_eq!(answer["time_difference"], "+9.0h", "{answer}");
    assert!(answer["target"]["datetime"].as_str().unwrap().contains("T01:30:00+09:00"), "{answer}");
}

/// The process of the only child, and how often it was started again.
fn standing(place: &Place) -> (Option<u64>, u64) {
    let out = place.command(&testkit::binary("runward"), &["ps", "--json"]).output().unwrap();
    let listed: Value = serde_json::from_slice(&out.stdout).unwrap();
    (listed[0]["pid"].as_u64(), listed[0]["child"]["restarts"].as_u64().unwrap())
}

#[test]
fn a_server_that_is_killed_comes_back_by_itself() {
    let place = place(&json!({}));
    let npx = json!({"command": "npx", "args": ["--no-install", "mcp-server-everything"], "cwd": packages()});
    for server in [everything(), npx] {
        list(&place, &json!({ "e": &server }));
        let mut client = crate::gateway::connect(&place);
        let echo = json!({"message": "x"});
        assert_eq!(client.call("e__echo", &echo).text, "Echo: x", "{server}");
        let before = standing(&place);
        let pid = before.0.unwrap().to_string();
        assert!(command(Path::new("kill")).args(["-KILL", &pid]).status().unwrap().success());
        testkit::until("it was started again", || standing(&place).1 == 1);
        testkit::until("it answers", || !client.call("e__echo", &echo).is_error);
        assert_ne!(standing(&place).0, before.0);
    }
}
