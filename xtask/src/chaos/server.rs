//! A server on pipes and the client that talks to it: every wait has a bound, and what does not come is told.
//!
//! May not fall over anything that a server says or leaves unsaid.

use super::outcome;
use super::processes;
use super::tally::Tally;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long anything may take that has no limit of its own, on a machine where others work, too.
pub(crate) const GRACE: Duration = Duration::from_secs(10);

/// More than this may block the writer.
const FITS_A_PIPE: usize = 16 << 10;

/// What was heard so far.
#[derive(Default)]
struct HeardSoFar {
    answers: HashMap<u64, Value>,
    words: String,
    /// Nothing is read while this holds.
    deaf: bool,
    over: bool,
    /// Stderr is closed: `words` is all that was said.
    said_all: bool,
}

#[derive(Default)]
struct Ear {
    heard: Mutex<HeardSoFar>,
    bell: Condvar,
}

impl Ear {
    fn heard(&self) -> MutexGuard<'_, HeardSoFar> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A server that is ended with us.
pub(crate) struct PipedServer {
    child: Child,
    stdin: Option<ChildStdin>,
    ear: Arc<Ear>,
    next: u64,
}

impl PipedServer {
    /// Starts a server and does not speak to it.
    pub(crate) fn silent(command: &mut Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("no server: {error}"))?;
        let ear = Arc::new(Ear::default());
        if let Some(stdout) = child.stdout.take() {
            let ear = Arc::clone(&ear);
            std::thread::spawn(move || listen(stdout, &ear));
        }
        if let Some(stderr) = child.stderr.take() {
            let ear = Arc::clone(&ear);
            std::thread::spawn(move || keep_words(stderr, &ear));
        }
        let stdin = child.stdin.take();
        Ok(Self { child, stdin, ear, next: 0 })
    }

    /// Starts a server and initializes it. The error says what became of it.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let mut server = Self::silent(command)?;
        if server.greet(GRACE) { Ok(server) } else { Err(server.fate()) }
    }

    /// Sends `initialize`. Whether it was answered in time.
    pub(crate) fn greet(&mut self, limit: Duration) -> bool {
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "chaos", "version": "1"}
        });
        let answered = self.ask("initialize", &hello, limit).is_some_and(|answer| answer.is_result());
        if answered {
            self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        answered
    }

    /// It answers `initialize`, or it ends with 125 and a message. True if it serves.
    pub(crate) fn serves_or_says(&mut self, when: &str, tally: &mut Tally) -> bool {
        if self.greet(GRACE) {
            return true;
        }
        let fate = self.fate();
        match self.ends(Duration::from_millis(100)) {
            None => tally.hung(format!("{when}: {fate}")),
            Some(status) => {
                // Where not even the loader has room, it speaks, and not we.
                let good = status.code() == Some(125) && !self.words().trim().is_empty();
                tally.hold(good || fate.contains("shared librar"), || format!("{when}: {fate}"));
            }
        }
        false
    }

    /// A ping and a command are answered in time, whatever the answer is.
    pub(crate) fn answers(&mut self, when: &str, tally: &mut Tally) {
        if !self.pings(GRACE) {
            tally.hung(format!("{when}: a ping is not answered: {}", self.fate()));
        } else if self.text("true", GRACE).is_none() {
            tally.hung(format!("{when}: a call is not answered: {}", self.fate()));
        }
    }

    /// It ends with its input, in time and without a panic on the way.
    pub(crate) fn ends_with_input(&mut self, when: &str, tally: &mut Tally) {
        if self.close(GRACE).is_none() {
            tally.hung(format!("{when}: the server does not end: {}", self.words()));
        }
        tally.hold(!outcome::is_panic(&self.words()), || format!("{when}: {}", self.words()));
    }

    /// What became of a server that did not answer.
    pub(crate) fn fate(&mut self) -> String {
        let ended = outcome::ends(&mut self.child, Duration::from_secs(1));
        let how = ended.map_or_else(|| "hangs".to_owned(), |status| status.to_string());
        if ended.is_some() {
            // Its last words may still be in the pipe.
            processes::comes(Duration::from_secs(1), || self.ear.heard().said_all);
        }
        format!("the server {how}: {}", self.words())
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        if line.len() > FITS_A_PIPE {
            self.write_aside(line);
        } else if let Some(stdin) = &mut self.stdin {
            // A server that is gone is noticed when its answer is waited for.
            let _ = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
        }
    }

    /// A server that does not read keeps a thread, and not us. Its input is lost then.
    fn write_aside(&mut self, line: String) {
        let Some(mut stdin) = self.stdin.take() else { return };
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _ = stdin.write_all(line.as_bytes());
            let _ = sender.send(stdin);
        });
        self.stdin = receiver.recv_timeout(GRACE * 3).ok();
    }

    /// Asks for something, and gives the number of the question.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// Calls a tool, and gives the number of the call.
    pub(crate) fn send_call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Runs shell text, and gives the number of the call.
    pub(crate) fn send_text(&mut self, text: &str) -> u64 {
        self.send_call("execute_command", &json!({"command": text}))
    }

    /// The answer to a question, if it comes in time.
    pub(crate) fn answer(&self, id: u64, limit: Duration) -> Option<ServerAnswer> {
        let begun = Instant::now();
        let mut heard = self.ear.heard();
        loop {
            if let Some(answer) = heard.answers.remove(&id) {
                return Some(ServerAnswer(answer));
            }
            let left = limit.checked_sub(begun.elapsed())?;
            if heard.over {
                return None;
            }
            let waited = self.ear.bell.wait_timeout(heard, left);
            heard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Asks and waits.
    pub(crate) fn ask(&mut self, method: &str, params: &Value, limit: Duration) -> Option<ServerAnswer> {
        let id = self.send(method, params);
        self.answer(id, limit)
    }

    /// Runs shell text and waits.
    pub(crate) fn text(&mut self, text: &str, limit: Duration) -> Option<ServerAnswer> {
        let id = self.send_text(text);
        self.answer(id, limit)
    }

    /// Whether a ping is answered in time.
    pub(crate) fn pings(&mut self, limit: Duration) -> bool {
        self.ask("ping", &json!({}), limit).is_some()
    }

    /// Nothing is read any more, or again.
    pub(crate) fn deaf(&self, deaf: bool) {
        self.ear.heard().deaf = deaf;
        self.ear.bell.notify_all();
    }

    /// How many answers wait to be taken.
    pub(crate) fn waiting(&self) -> usize {
        self.ear.heard().answers.len()
    }

    /// Its standard input, for a thread that writes more than a pipe holds.
    pub(crate) fn take_input(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// Takes its standard input back.
    pub(crate) fn give_input(&mut self, input: Option<ChildStdin>) {
        self.stdin = input;
    }

    /// The ids up to this one are used by another thread.
    pub(crate) fn skip_to(&mut self, number: u64) {
        self.next = number;
    }

    /// Ends its input, and waits for its end.
    pub(crate) fn close(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.stdin = None;
        self.ends(limit)
    }

    /// Waits for the end of its output: it has closed its standard streams, or it is gone. The kernel may keep a
    /// process that has ended for as long as a disk hangs. Its last words have been read then.
    pub(crate) fn is_heard_to_end(&mut self, limit: Duration) -> bool {
        let ended =
            processes::comes(limit, || self.ear.heard().over || matches!(self.child.try_wait(), Ok(Some(_))));
        // Both streams are closed at once, but each has a reader of its own.
        ended && processes::comes(limit, || self.ear.heard().said_all)
    }

    /// Waits for its end.
    pub(crate) fn ends(&mut self, limit: Duration) -> Option<ExitStatus> {
        outcome::ends(&mut self.child, limit)
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) {
        processes::signal(name, &self.pid().to_string());
    }

    /// What it said on stderr so far.
    pub(crate) fn words(&self) -> String {
        self.ear.heard().words.clone()
    }
}

impl Drop for PipedServer {
    fn drop(&mut self) {
        self.deaf(false);
        // One that has ended already needs no ending. The wait is bounded: a disk may hold it.
        let _ = self.child.kill();
        let _ = outcome::ends(&mut self.child, Duration::from_secs(5));
    }
}

fn listen(stdout: impl Read, ear: &Ear) {
    let mut lines = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        let heard = ear.bell.wait_while(ear.heard(), |heard| heard.deaf);
        drop(heard);
        line.clear();
        if !matches!(lines.read_until(b'\n', &mut line), Ok(1..)) {
            break;
        }
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        if let Some(id) = message["id"].as_u64() {
            ear.heard().answers.insert(id, message);
            ear.bell.notify_all();
        }
    }
    ear.heard().over = true;
    ear.bell.notify_all();
}

fn keep_words(stderr: impl Read, ear: &Ear) {
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    while matches!(lines.read_until(b'\n', &mut line), Ok(1..)) {
        let mut heard = ear.heard();
        if heard.words.len() < 1 << 20 {
            heard.words.push_str(&outcome::text(&line));
        }
        line.clear();
    }
    ear.heard().said_all = true;
}

/// One answer as it came.
#[derive(Debug)]
pub(crate) struct ServerAnswer(Value);

impl ServerAnswer {
    /// Whether it is a result, good or bad, and no error of the protocol.
    pub(crate) fn is_result(&self) -> bool {
        !self.0["result"].is_null()
    }

    /// Whether a command ran and ended with 0.
    pub(crate) fn is_fine(&self) -> bool {
        self.is_result() && self.0["result"]["isError"] != true && self.exit_code() == Some(0)
    }

    /// The exit code of what ran, from the fields or from the text.
    pub(crate) fn exit_code(&self) -> Option<i64> {
        let result = &self.0["result"];
        let field = result["structuredContent"]["exit_code"].as_i64();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let line = || text.lines().find_map(|line| line.strip_prefix("exit_code: ")?.trim().parse().ok());
        field.or_else(line)
    }

    /// Everything as text.
    pub(crate) fn words(&self) -> String {
        self.0.to_string()
    }

    /// The result itself.
    pub(crate) fn result(&self) -> &Value {
        &self.0["result"]
    }
}
