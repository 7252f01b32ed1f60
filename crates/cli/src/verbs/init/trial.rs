//! The try: what was written is started as a client would start it, and asked what it offers; the rules are asked about
//! two lines.
//!
//! The server travels the road like every command, and ends with the try. May not run a line that is asked about.

use crate::clients::RunwardEntry;
use crate::setup::{Setup, SpoolChoice, TypedRules};
use crate::threads;
use runward::core::facts::System;
use runward::core::output::escaped;
use runward::core::render::{one_line, sentence};
use runward::{
    Caller, CommandSpec, Decision, Door, Engine, HostFacts, Request, Session, SessionEvent, Started,
    StdinSpec, Stream, Wish,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the try may take.
const LIMIT: Duration = Duration::from_secs(5);

/// Bytes of its error output that are shown.
const SHOWN: usize = 2000;

/// What the try found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct TrialReport {
    /// How long it took until it had answered.
    pub(super) answered_ms: u64,
    /// How many tools it offers.
    pub(super) tools: usize,
    /// A line that may run, if there is one.
    pub(super) allowed: Option<String>,
    /// A line that may not, if there is one.
    pub(super) refused: Option<String>,
    /// Whether every command that no rule speaks about may run, inside a sandbox.
    pub(super) sandboxed: bool,
}

/// Where the try takes place.
pub(super) struct TrialPlace<'a> {
    pub(super) facts: &'a HostFacts,
    pub(super) config: Option<&'a Path>,
    /// The folder that the server works in.
    pub(super) folder: &'a Path,
    /// Whether a client of a desktop is among those that were written.
    pub(super) desktop: bool,
}

/// Tries an entry; a failure is what to tell a person.
pub(super) fn trial(entry: &RunwardEntry, place: &TrialPlace<'_>) -> Result<TrialReport, String> {
    let setup = Setup::on(place.facts.clone(), place.config, TypedRules::default())
        .map_err(|_| BROKEN.to_owned())?
        .outside();
    let engine = setup.engine(SpoolChoice::Off).map_err(|_| BROKEN.to_owned())?;
    let runtime = threads::runtime().map_err(|_| "no thread could be started for it".to_owned())?;
    let begun = Instant::now();
    let tools = runtime.block_on(talk(&engine, entry, place));
    let answered_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    runtime.shutdown_background();
    let tools = tools?;
    let judged = JudgedLines::of(entry, place);
    let JudgedLines { allowed, refused, sandboxed } = judged;
    Ok(TrialReport { answered_ms, tools, allowed, refused, sandboxed })
}

const BROKEN: &str = "the configuration is broken; see `runward doctor`";

/// Starts it, and counts its tools.
async fn talk(engine: &Engine, entry: &RunwardEntry, place: &TrialPlace<'_>) -> Result<usize, String> {
    let request = Request::by(Caller::person(), spec(entry, place));
    let mut session = match engine.start(request).await.map_err(|error| error.to_string())? {
        Started::Running(session) => session,
        Started::Refused(refusal) => return Err(refusal.view().message),
    };
    let mut heard = Heard::default();
    let answered = tokio::time::timeout(LIMIT, converse(&mut session, &mut heard)).await;
    session.stop_listening();
    session.stop();
    let ended = session.wait().await;
    match answered {
        Ok(Some(tools)) => Ok(tools),
        Ok(None) => {
            let how = ended.map_or_else(|error| error.to_string(), |receipt| sentence(&receipt));
            Err(heard.told(&how))
        }
        Err(_) => Err(heard.told(&format!("it did not answer within {}s", LIMIT.as_secs()))),
    }
}

fn spec(entry: &RunwardEntry, place: &TrialPlace<'_>) -> CommandSpec {
    let mut spec = CommandSpec::exec(&entry.command).args(&entry.args).cwd(place.folder.to_owned());
    if place.desktop && place.facts.system != System::Windows {
        spec = spec.env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
    }
    spec = entry.env.iter().fold(spec, |spec, (name, value)| spec.env(name, value));
    spec.stdin = StdinSpec::Open;
    (spec.limits.wall, spec.limits.spool) = (Wish::At(2 * LIMIT), Wish::Off);
    spec.purpose = Some("a try of what init wrote".to_owned());
    spec
}

/// What the server said.
#[derive(Default)]
struct Heard {
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Heard {
    /// A failure, with what the server said about it.
    fn told(&self, how: &str) -> String {
        let tail = &self.errors[self.errors.len().saturating_sub(SHOWN)..];
        let lines = tail.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let lines: Vec<String> = lines.map(|line| one_line(&escaped(line))).collect();
        if lines.is_empty() { how.to_owned() } else { format!("{how}; it said:\n  {}", lines.join("\n  ")) }
    }

    /// The next answer to this request, if it is whole.
    fn answer(&mut self, id: u64) -> Option<Value> {
        while let Some(end) = self.output.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.output.drain(..=end).collect();
            let message: Option<Value> = serde_json::from_slice(&line).ok();
            if let Some(message) = message.filter(|message| message["id"] == id) {
                return Some(message);
            }
        }
        None
    }
}

/// Greets the server and asks for its tools; none where it ends, or answers with an error.
async fn converse(session: &mut Session, heard: &mut Heard) -> Option<usize> {
    let input = session.input();
    let line = |message: Value| (message.to_string() + "\n").into_bytes();
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "runward init", "version": env!("CARGO_PKG_VERSION")},
        },
    });
    // A server that is gone already has said why.
    let _ = input.write(line(hello)).await;
    answer(session, heard, 1).await?;
    let _ = input.write(line(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))).await;
    let _ = input.write(line(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}))).await;
    let answer = answer(session, heard, 2).await?;
    answer["result"]["tools"].as_array().map(Vec::len)
}

async fn answer(session: &mut Session, heard: &mut Heard, id: u64) -> Option<Value> {
    loop {
        if let Some(message) = heard.answer(id) {
            return Some(message).filter(|message| message.get("result").is_some());
        }
        match session.next_event().await? {
            SessionEvent::Output { stream: Stream::Stdout, bytes, .. } => {
                heard.output.extend_from_slice(&bytes);
            }
            SessionEvent::Output { bytes, .. } => heard.errors.extend_from_slice(&bytes),
            _ => {}
        }
    }
}

/// A line that may run and one that may not, by the rules that the server will have.
struct JudgedLines {
    allowed: Option<String>,
    refused: Option<String>,
    sandboxed: bool,
}

impl JudgedLines {
    fn of(entry: &RunwardEntry, place: &TrialPlace<'_>) -> Self {
        let mut facts = place.facts.clone();
        facts.env.extend(entry.env.iter().map(|(name, value)| (name.into(), value.into())));
        let rules = entry.rules();
        let presets: Vec<String> = rules.presets.into_iter().collect();
        let engine = Setup::on(facts, place.config, TypedRules::presets(&presets)).map(Setup::outside);
        let engine = engine.and_then(|setup| setup.engine(SpoolChoice::Off));
        let sandboxed = rules.sandboxed;
        let Ok(engine) = engine else { return Self { allowed: None, refused: None, sandboxed } };
        let may = |line: &str| {
            let spec = CommandSpec::shell(line).cwd(place.folder.to_owned());
            let request = Request::by(Caller::tool(Door::Mcp, "execute_command"), spec);
            engine.explain(request).is_ok_and(|draft| draft.ruling().decision() == Decision::Allow)
        };
        let listed = rules.allowed.unwrap_or_default();
        let mut lines = ["git status", "ls"].into_iter().chain(listed.split(',').map(str::trim));
        let allowed = lines.find(|line| !line.is_empty() && may(line)).map(str::to_owned);
        let refused = ["rm -rf /", "curl https://example.com"].into_iter().find(|line| !may(line));
        // What the presets do not allow may still run in a sandbox, so nothing can be said of one line alone.
        let refused = refused.filter(|_| !sandboxed).map(str::to_owned);
        Self { allowed, refused, sandboxed }
    }
}
