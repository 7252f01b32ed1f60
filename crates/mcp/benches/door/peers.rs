//! Other servers beside ours: one call at a time, the first answer, and memory, to know.
//!
//! Measured when it is named, of what `cargo xtask bench --peers` has installed. Who they are, and what they are asked, is
//! in `peers.json`. May not pass over one in silence: a peer that is not there is told.

use crate::servers::{MeasuredServers, calling};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, in_turns, time};
use testkit::process::resident;
use testkit::{McpClient, binary};

const TABLE: &str = include_str!("peers.json");

/// Calls before anything counts.
const WARM: usize = 10;

/// A row of the table.
#[derive(Deserialize)]
struct Peer {
    name: String,
    version: String,
    /// Its program and arguments; paths begin where peers are installed.
    run: Vec<String>,
    /// What it needs so that it may run `true`.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Files in its home.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// What it waits to be asked before it runs anything.
    first: Option<Request>,
    /// What runs `true`.
    tool: String,
    arguments: Map<String, Value>,
}

#[derive(Deserialize)]
struct Request {
    method: String,
    params: Value,
}

/// Every peer that is there, beside ours.
pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let peers: Vec<Peer> = serde_json::from_str(TABLE).expect("a table");
    let Some(place) = place() else {
        eprintln!("peers: none is installed: run `cargo xtask bench --peers`");
        return Vec::new();
    };
    peers.iter().flat_map(|peer| beside(peer, &place, plan)).collect()
}

/// The start of one peer beside ours, with targets. Nothing where it is not installed: then the rows are named as not
/// measured.
pub(crate) fn started_beside(name: &str, plan: &Plan) -> Vec<ResultRow> {
    let peers: Vec<Peer> = serde_json::from_str(TABLE).expect("a table");
    let peer = peers.iter().find(|peer| peer.name == name).expect("a peer of the table");
    let Some(place) = place().filter(|place| is_there(peer, place)) else {
        eprintln!("start: {name} is not installed: run `cargo xtask bench start --peers`");
        return Vec::new();
    };
    let (ours, theirs) = (MeasuredServers::open(), Home::open(peer, &place));
    let [their_memory, our_memory] = memory(&theirs, &ours, 5 * plan.rounds);
    let memory: Vec<_> = their_memory.into_iter().zip(our_memory).collect();
    let start = cold("", &theirs, &ours, 40 * plan.rounds);
    vec![
        start.named(&format!("exec to `initialize`, against {name}"), TargetSide::AtMost(1.0)),
        ResultRow::weighed(
            &format!("resident after start, against {name}"),
            TargetSide::AtMost(1.2),
            &memory,
        ),
    ]
}

fn is_there(peer: &Peer, place: &Path) -> bool {
    peer.run.iter().map(|word| place.join(word)).any(|path| path.is_file())
}

/// Where peers are installed.
fn place() -> Option<PathBuf> {
    let bench = std::env::current_exe().expect("a bench knows its own path");
    bench.ancestors().map(|folder| folder.join("peers")).find(|folder| folder.is_dir())
}

/// One that breaks off does not keep the others from being measured.
fn beside(peer: &Peer, place: &Path, plan: &Plan) -> Vec<ResultRow> {
    let Peer { name, version, .. } = peer;
    if !is_there(peer, place) {
        eprintln!("peers: {name} {version} is not installed");
        return Vec::new();
    }
    let measured = catch_unwind(AssertUnwindSafe(|| measure(peer, place, plan)));
    measured.unwrap_or_else(|_| {
        eprintln!("peers: {name} {version} did not answer as it should");
        Vec::new()
    })
}

fn measure(peer: &Peer, place: &Path, plan: &Plan) -> Vec<ResultRow> {
    let ours = MeasuredServers::open();
    let theirs = Home::open(peer, place);
    let named = |what: &str| format!("{} {}: {what}", peer.name, peer.version);
    let [their_memory, our_memory] = memory(&theirs, &ours, 3 * plan.rounds);
    vec![
        calls(&named("one call of `true`"), &theirs, &ours, 100 * plan.rounds),
        cold(&named("exec to `initialize`"), &theirs, &ours, 8 * plan.rounds),
        ResultRow::alone(&named("memory after start"), TargetSide::ToKnow, &mut { their_memory }),
        ResultRow::alone(&named("and ours beside it"), TargetSide::ToKnow, &mut { our_memory }),
    ]
}

/// A call that runs `true`, theirs and ours in turns.
fn calls(what: &str, theirs: &Home<'_>, ours: &MeasuredServers, turns: usize) -> ResultRow {
    let (mut peer, mut runward) = (theirs.serve(), ours.runward());
    let asked = Value::Object(theirs.peer.arguments.clone());
    let command = json!({"command": "true"});
    let mut their_call = || calling(peer.client(), &theirs.peer.tool, &asked);
    let mut our_call = || calling(&mut runward, "execute_command", &command);
    for _ in 0..WARM {
        their_call();
        our_call();
    }
    in_turns(what, TargetSide::ToKnow, turns, their_call, our_call)
}

/// From exec to the answer to `initialize`.
fn cold(what: &str, theirs: &Home<'_>, ours: &MeasuredServers, turns: usize) -> ResultRow {
    let runward = binary("runward");
    let their_start = || started(|| theirs.start());
    let our_start = || started(|| McpClient::start(&mut ours.command(&runward, &["mcp"])));
    in_turns(what, TargetSide::ToKnow, turns, their_start, our_start)
}

/// How long something takes to start; ending it does not count.
fn started<T>(start: impl FnOnce() -> T) -> Duration {
    let mut server = None;
    let took = time(|| server = Some(start()));
    drop(server);
    took
}

/// Resident memory of the process that has said hello, theirs and ours.
fn memory(theirs: &Home<'_>, ours: &MeasuredServers, turns: usize) -> [Vec<Amount>; 2] {
    let both = (0..turns).map(|_| {
        let (mut peer, runward) = (theirs.serve(), ours.runward());
        (Amount::Bytes(resident(peer.client().pid())), Amount::Bytes(resident(runward.pid())))
    });
    let (theirs, ours) = both.unzip();
    [theirs, ours]
}

/// Where a peer lives: nothing of it, or of this user, is found by the next.
struct Home<'a> {
    peer: &'a Peer,
    place: &'a Path,
    servers: MeasuredServers,
    folder: TempDir,
}

impl<'a> Home<'a> {
    fn open(peer: &'a Peer, place: &'a Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in &peer.files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Self { peer, place, servers: MeasuredServers::open(), folder }
    }

    fn command(&self) -> Command {
        let word = |word: &String| {
            let path = self.place.join(word);
            if path.is_file() { path.display().to_string() } else { word.clone() }
        };
        let words: Vec<String> = self.peer.run.iter().map(word).collect();
        let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let mut command = self.servers.command(Path::new(&words[0]), &args);
        command.envs(&self.peer.env).env("HOME", self.folder.path()).current_dir(self.folder.path());
        command.stderr(Stdio::null());
        command
    }

    /// A server that has said hello.
    fn start(&self) -> Guest {
        Guest(Some(McpClient::start(&mut self.command())))
    }

    /// A server that may be called.
    fn serve(&self) -> Guest {
        let mut client = McpClient::start(&mut self.command()).ready();
        if let Some(Request { method, params }) = &self.peer.first {
            client.ask(method, params);
        }
        Guest(Some(client))
    }
}

/// A server that does not always end when its input does, and is ended.
struct Guest(Option<McpClient>);

impl Guest {
    fn client(&mut self) -> &mut McpClient {
        self.0.as_mut().expect("until it is dropped")
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let pid = self.client().pid().to_string();
        #[expect(clippy::disallowed_methods, reason = "a benchmark stands outside the servers and looks in")]
        let ended = Command::new("kill").args(["-KILL", &pid]).status();
        assert!(ended.is_ok_and(|status| status.success()), "{pid} could not be ended");
        // Waits for it.
        self.0 = None;
    }
}
