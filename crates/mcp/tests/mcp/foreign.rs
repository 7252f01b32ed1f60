//! Official clients in other languages: how each is started, and what is asked of all.
//!
//! The conversations themselves stand in scripts, one for each language, with the same parts.

use crate::http::{Server, TOKEN};
use crate::place::Place;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::{TreeMark, until};

/// With a handshake, and without one.
const MODES: [&str; 2] = ["legacy", "auto"];

/// A language: what runs its script, and where it looks for its packages.
pub(crate) struct Speaker {
    pub(crate) program: PathBuf,
    pub(crate) script: &'static str,
    pub(crate) packages: PathBuf,
}

impl Speaker {
    /// Parts of the conversation with a binary to start, or with a server that runs.
    fn client(&self, place: &Place, target: &str, words: &[&str]) -> Command {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp").join(self.script);
        let script = script.to_str().unwrap();
        let words = [&[script], &words[..2], &[target], &words[2..]].concat();
        let mut command = place.command(&self.program, &words);
        command.env("PACKAGES", &self.packages).env("RUNWARD_TOKEN", TOKEN);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn says(&self, place: &Place, target: &str, words: &[&str]) {
        let said = self.client(place, target, words).output().unwrap();
        let (printed, complained) =
            (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
        assert_eq!(printed, "done\n", "{target} {words:?}: {complained}");
    }
}

/// Parts of the conversation, in every mode, over stdio and over HTTP.
pub(crate) fn converse(speaker: &Speaker, parts: &str, place: fn() -> Place) {
    let (own, modes) = (place(), MODES.join(","));
    own.gate();
    speaker.says(&own, &binary(), &[parts, &modes]);
    let server = serving(place());
    server.place.gate();
    speaker.says(&server.place, &address(&server), &[parts, &modes]);
}

/// A call that is cancelled ends its tree, and the connection lives on.
pub(crate) fn cancel(speaker: &Speaker, part: &str, place: fn() -> Place) {
    cancel_at(speaker, part, &place(), &binary());
    let server = serving(place());
    cancel_at(speaker, part, &server.place, &address(&server));
}

/// A server of every tool, and of the agents that lie there.
fn serving(place: Place) -> Server {
    let agents: &[&str] = if place.work().join("agents").is_dir() { &["--flows", "agents"] } else { &[] };
    Server::start_in(place, Some(TOKEN), &[&["--profile", "all"], agents].concat())
}

fn cancel_at(speaker: &Speaker, part: &str, place: &Place, target: &str) {
    let mark = TreeMark::new();
    let words = [part, &MODES.join(","), mark.text()];
    let mut child = speaker.client(place, target, &words).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut words = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    for mode in MODES {
        until("the command runs", || sleepers(&mark) >= 2);
        stdin.write_all(b"cancel\n").unwrap();
        assert_eq!(words.next().as_deref(), Some("cancelled"), "{target} {mode}");
        until("nothing of it is left", || sleepers(&mark) == 0);
        stdin.write_all(b"go on\n").unwrap();
    }
    assert_eq!(words.next().as_deref(), Some("done"), "{target}");
    child.wait().unwrap();
}

/// A client that is killed leaves nothing within a second.
pub(crate) fn killed(speaker: &Speaker) {
    for mode in MODES {
        let (place, mark) = (Place::open(), TreeMark::new());
        let mut child = speaker.client(&place, &binary(), &["hold", mode, mark.text()]).spawn().unwrap();
        // Two shells, and three that sleep for each.
        until("both trees are there", || sleepers(&mark) >= 8);
        child.kill().unwrap();
        child.wait().unwrap();
        let begun = Instant::now();
        until("nothing is left", || mark.carriers().is_empty());
        let took = begun.elapsed();
        println!("{mode}: gone after {took:?}");
        assert!(took < Duration::from_secs(1), "{mode}: {took:?}");
    }
}

/// A place where two commands may run and nothing else.
pub(crate) fn narrow() -> Place {
    Place::with("").set("ALLOWED_COMMANDS", Some("ls,pwd"))
}

fn binary() -> String {
    testkit::binary("runward").to_str().unwrap().to_owned()
}

fn address(server: &Server) -> String {
    format!("http://{}/mcp", server.address)
}

/// Processes with the mark, other than the client, which has it too.
fn sleepers(mark: &TreeMark) -> usize {
    mark.carriers().len().saturating_sub(1)
}
