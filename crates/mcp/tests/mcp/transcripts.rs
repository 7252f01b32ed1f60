//! Conversations over stdio, message by message: what is sent, what comes back, one snapshot for each tool.
//!
//! May not hide anything but what differs from run to run: see [`redact`].

use crate::client::Client;
use crate::flows;
use crate::place::Place;
use regex::Regex;
use serde_json::{Value, json};
use std::path::Path;

/// Fields that hold a number which differs from run to run.
const NUMBERS: &[&str] = &["pid", "age_ms", "duration_ms", "durationMs"];

/// Words that differ from run to run or from host to host, and what stands in their place.
const WORDS: &[(&str, &str)] = &[
    ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "[id]"),
    ("^[0-9a-f]{64}$", "[digest]"),
    ("^/.*/bash$", "[bash]"),
    (r"\bafter [0-9.]+m?s\b", "after [time]"),
    (r#"\b(pid|age_ms|duration_ms)("?: ?)\d+"#, "$1$2[$1]"),
];

/// A client and everything that was said.
struct Transcript {
    client: Client,
    said: Vec<Value>,
    /// Where servers ran.
    places: Vec<String>,
}

impl Transcript {
    /// Connects to a server of every tool and says nothing.
    fn silent(place: &Place) -> Self {
        Self::with(place, &["--profile", "all"])
    }

    /// Connects to a server with these arguments and says nothing.
    fn with(place: &Place, args: &[&str]) -> Self {
        let client = Client::silent(place, args);
        Self { client, said: Vec::new(), places: vec![place.work().display().to_string()] }
    }

    /// Connects and shakes hands, off the record.
    fn of(place: &Place) -> Self {
        let mut transcript = Self::silent(place);
        transcript.greet();
        transcript.said.clear();
        transcript
    }

    /// What was said here, then what was said there.
    fn then(mut self, mut other: Self) -> Self {
        self.said.append(&mut other.said);
        self.places.append(&mut other.places);
        self
    }

    fn greet(&mut self) {
        let who = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who});
        self.ask("initialize", &hello);
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.client.line(&ready.to_string());
        self.said.push(json!({"sent": ready}));
    }

    /// Sends a request and keeps it, the answer, and what was heard in between.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.client.send(method, params);
        let sent = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.said.push(json!({"sent": sent}));
        let answer = self.client.answer(id);
        self.said.extend(self.client.heard.drain(..).map(|message| json!({"received": message})));
        self.said.push(json!({"received": answer}));
        answer
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"]["structuredContent"].clone()
    }

    /// Starts a session, off the record. Gives its name.
    fn session(&mut self, command: &str) -> String {
        let kept = self.said.len();
        let started = self.call("start_command", &json!({"command": command}));
        self.said.truncate(kept);
        started["sessionId"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
    }

    /// Waits until a session has ended, off the record.
    fn ended(&mut self, session: &str) {
        let kept = self.said.len();
        self.call("wait_command", &json!({"sessionId": session, "until": {"exit": true}}));
        self.said.truncate(kept);
    }

    fn keep(mut self, name: &str) {
        self.said.iter_mut().for_each(|message| redact(message, &self.places));
        insta::with_settings!({prepend_module_to_snapshot => false}, {
            insta::assert_json_snapshot!(format!("transcript_{name}"), self.said);
        });
    }
}

/// Replaces what differs from run to run: names, numbers of processes, times, places, our version. And what differs
/// from host to host: where its shell is, and how it holds a tree together.
fn redact(value: &mut Value, places: &[String]) {
    match value {
        Value::String(text) => *text = redacted(text, places),
        Value::Array(values) => values.iter_mut().for_each(|value| redact(value, places)),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| match name.as_str() {
            name if value.is_u64() && NUMBERS.contains(&name) => *value = json!(format!("[{name}]")),
            "containment" => *value = json!("[containment]"),
            "version" if *value == env!("CARGO_PKG_VERSION") => *value = json!("[version]"),
            _ => redact(value, places),
        }),
        _ => {}
    }
}

/// The same, in words: those for a model hold the same fields as YAML or JSON.
fn redacted(text: &str, places: &[String]) -> String {
    let text = places.iter().fold(text.to_owned(), |text, place| text.replace(place, "[work]"));
    let replace = |text: String, (pattern, other): &(&str, &str)| {
        Regex::new(pattern).unwrap().replace_all(&text, *other).into_owned()
    };
    WORDS.iter().fold(text, replace)
}

/// A place where one command may run.
fn narrow() -> Place {
    Place::with("").set("ALLOWED_COMMANDS", Some("ls"))
}

#[test]
fn the_greeting_and_the_tools_are_told_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::silent(&place);
    transcript.greet();
    let tools = transcript.ask("tools/list", &json!({}));
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let file = format!("tests/mcp/snapshots/transcript_{}.snap", tool["name"].as_str().unwrap());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
        assert!(path.is_file(), "a tool without a transcript: there is no {file}");
    }
    transcript.keep("greeting");
}

#[test]
fn calls_of_execute_command_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    transcript.call("execute_command", &json!({"command": "echo hi; echo oops >&2; exit 3"}));
    let place = narrow();
    let mut refused = Transcript::of(&place);
    refused.call("execute_command", &json!({"command": "rm x"}));
    transcript.then(refused).keep("execute_command");
}

#[test]
fn calls_of_execute_process_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    transcript.call("execute_process", &json!({"file": "echo", "args": ["a b", "$HOME"]}));
    let place = narrow();
    let mut refused = Transcript::of(&place);
    refused.call("execute_process", &json!({"file": "rm", "args": ["x"]}));
    transcript.then(refused).keep("execute_process");
}

#[test]
fn calls_of_start_command_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    transcript.call("start_command", &json!({"command": "sleep 300", "name": "sleeper"}));
    let place = narrow();
    let mut refused = Transcript::of(&place);
    refused.call("start_command", &json!({"command": "rm x"}));
    transcript.then(refused).keep("start_command");
}

#[test]
fn calls_of_read_output_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    let session = transcript.session("echo one; echo two >&2");
    transcript.ended(&session);
    transcript.call("read_output", &json!({"sessionId": session, "offset": 0}));
    transcript.call("read_output", &json!({"sessionId": "nobody"}));
    transcript.keep("read_output");
}

#[test]
fn calls_of_write_input_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    let session = transcript.session("read x; exit 5");
    transcript.call("write_input", &json!({"sessionId": session, "input": "hello", "newline": true}));
    transcript.ended(&session);
    transcript.call("write_input", &json!({"sessionId": session, "input": "more"}));
    transcript.keep("write_input");
}

#[test]
fn calls_of_stop_command_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    let session = transcript.session("sleep 300");
    transcript.call("stop_command", &json!({"sessionId": session, "signal": "SIGTERM"}));
    transcript.call("stop_command", &json!({"sessionId": session, "signal": "SIGNOTHING"}));
    transcript.keep("stop_command");
}

#[test]
fn calls_of_wait_command_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    let session = transcript.session("echo one; exit 4");
    transcript.call("wait_command", &json!({"sessionId": session, "until": {"exit": true}}));
    transcript.call("wait_command", &json!({"sessionId": session, "until": {"output": "("}}));
    transcript.keep("wait_command");
}

#[test]
fn calls_of_list_commands_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    let session = transcript.session("echo one; exit 4");
    transcript.ended(&session);
    transcript.call("list_commands", &json!({}));
    transcript.call("list_commands", &json!({"all": true}));
    transcript.keep("list_commands");
}

#[test]
fn calls_of_exec_command_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    transcript.call("exec_command", &json!({"cwd": ".", "command": ["echo", "a b", "$HOME"]}));
    transcript.call("exec_command", &json!({"cwd": "/", "command": ["echo", "a b"]}));
    transcript.keep("exec_command");
}

#[test]
fn calls_of_exec_are_answered_word_for_word() {
    let place = Place::open();
    let mut transcript = Transcript::of(&place);
    transcript.call("exec", &json!({"lang": "bash", "code": "echo hi; exit 2"}));
    transcript.call("exec", &json!({"lang": "cobol", "code": "x"}));
    transcript.keep("exec");
}

#[test]
fn markdown_agents_are_listed_expanded_and_run_word_for_word() {
    let odd = "---\nexpose: maybe\n---\n";
    let place = flows::with(narrow(), &[("greet.echo.md", flows::WHOLE), ("odd.echo.md", odd)]);
    let place = place.set("ALLOWED_COMMANDS", Some("echo"));
    let mut transcript = Transcript::with(&place, &["--flows", "agents", "--tools", "exec"]);
    transcript.greet();
    // It comes beside the answers, at its own time.
    let told = transcript.client.hears("notifications/message");
    transcript.said.push(json!({"received": told}));
    transcript.ask("prompts/list", &json!({}));
    transcript.ask("prompts/get", &json!({"name": "greet", "arguments": {"who": "you"}}));
    transcript.ask("prompts/get", &json!({"name": "greet", "arguments": {"who": "you", "times": "9"}}));
    transcript.ask("tools/list", &json!({}));
    transcript.call("greet", &json!({"who": "you", "times": 2}));
    transcript.call("greet", &json!({"times": 2}));
    transcript.keep("flows");
}
