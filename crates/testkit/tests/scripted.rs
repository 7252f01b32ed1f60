//! The scripted child does what tests of the gateway rely on.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A conversation with a server of its own.
struct Talk {
    child: Child,
    lines: BufReader<ChildStdout>,
    next: u64,
}

impl Talk {
    fn start(words: &[&str]) -> Self {
        let mut command = Command::new(testkit::binary("scripted-child"));
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines, next: 0 }
    }

    fn write(&mut self, message: &Value) {
        self.child.stdin.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn raw(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        self.lines.read_until(b'\n', &mut line).unwrap();
        line
    }

    fn read(&mut self) -> Value {
        serde_json::from_slice(&self.raw()).unwrap()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    fn text(&mut self, tool: &str, arguments: &Value) -> String {
        text(&self.call(tool, arguments))
    }
}

fn text(answer: &Value) -> String {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

#[test]
fn it_greets_with_the_revision_it_was_asked_for_if_it_knows_it() {
    for (asked, answered) in [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
        let hello = Talk::start(&["--name", "n"]).ask("initialize", &json!({"protocolVersion": asked}));
        assert_eq!(hello["result"]["protocolVersion"], answered);
        assert_eq!(hello["result"]["serverInfo"]["name"], "n");
        assert_eq!(hello["result"]["capabilities"]["resources"]["subscribe"], true);
    }
    let refused = Talk::start(&["--refuse-initialize"]).ask("initialize", &json!({}));
    assert_eq!(refused["error"]["code"], -32600);
}

#[test]
fn plain_tools_say_what_they_are_asked() {
    let mut talk = Talk::start(&["--tool", "my tool"]);
    let echo = talk.call("echo", &json!({"text": "hé"}));
    assert_eq!(echo["result"]["structuredContent"], json!({"text": "hé"}));
    assert_eq!(echo["result"]["x-unknown"]["kept"][3], "é");
    assert_eq!(talk.text("pid", &json!({})), talk.child.id().to_string());
    assert_eq!(talk.text("sum", &json!({"a": 2, "b": 3.5})), "5.5");
    assert_eq!(talk.text("my tool", &json!({})), "my tool");
    assert_eq!(talk.text("big", &json!({"bytes": 70_000})).len(), 70_000);
    assert_eq!(talk.text("env", &json!({"name": "NOT_SET_ANYWHERE"})), "(not set)");
    assert_eq!(talk.call("fail", &json!({"text": "x"}))["result"]["isError"], true);
    assert_eq!(talk.call("rpc_error", &json!({"word": "w"}))["error"]["data"]["word"], "w");
    assert_eq!(talk.call("nothing", &json!({}))["error"]["code"], -32602);
    assert_eq!(talk.ask("no/method", &json!({}))["error"]["code"], -32601);
}

#[test]
fn lists_come_in_pages() {
    let mut talk = Talk::start(&["--page", "10"]);
    let (mut names, mut params) = (Vec::new(), json!({}));
    loop {
        let page = talk.ask("tools/list", &params)["result"].take();
        names.extend(page["tools"].as_array().unwrap().iter().map(|tool| tool["name"].to_string()));
        let Some(next) = page.get("nextCursor") else { break };
        params = json!({"cursor": next});
    }
    assert!(names.len() > 20 && names[0] == "\"echo\"", "{names:?}");
    assert_eq!(talk.ask("tools/list", &json!({"cursor": "x"}))["error"]["code"], -32602);
}

#[test]
fn what_it_lacks_it_neither_tells_nor_does() {
    let mut talk = Talk::start(&["--no-tools", "--no-logging"]);
    let hello = talk.ask("initialize", &json!({}));
    assert_eq!(hello["result"]["capabilities"].as_object().unwrap().len(), 3);
    assert_eq!(talk.call("echo", &json!({}))["error"]["code"], -32601);
    assert_eq!(talk.ask("logging/setLevel", &json!({"level": "info"}))["error"]["code"], -32601);
    assert!(talk.ask("prompts/list", &json!({}))["result"]["prompts"].is_array());
}

#[test]
fn progress_is_told_before_the_answer() {
    let mut talk = Talk::start(&[]);
    let params = json!({"name": "progress", "arguments": {"steps": 2}, "_meta": {"progressToken": "t"}});
    talk.send("tools/call", &params);
    for step in 1..=2 {
        let told = talk.read();
        assert_eq!(
            (&told["params"]["progressToken"], &told["params"]["progress"]),
            (&json!("t"), &json!(step))
        );
    }
    assert_eq!(text(&talk.read()), "2 steps");
}

#[test]
fn a_waiting_call_ends_with_its_file_or_is_cancelled_without_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (until, log) = (folder.path().join("until"), folder.path().join("log"));
    let noted = |line: &str| std::fs::read_to_string(&log).is_ok_and(|text| text.contains(line));
    let mut talk = Talk::start(&[]);
    let arguments = json!({"until": &until, "log": &log});
    let cancelled = talk.send("tools/call", &json!({"name": "wait", "arguments": arguments}));
    let waited = talk.send("tools/call", &json!({"name": "wait", "arguments": {"until": &until}}));
    testkit::until("it waits", || noted("waiting 1\n"));
    let params = json!({"requestId": cancelled});
    talk.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    testkit::until("it was cancelled", || noted("cancelled 1\n"));
    std::fs::write(&until, "").unwrap();
    assert_eq!(talk.read()["id"], waited);
    assert_eq!(talk.ask("ping", &json!({}))["result"], json!({}));
}

#[test]
fn it_asks_the_client_and_says_what_it_was_told() {
    let mut talk = Talk::start(&[]);
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "t"}});
    talk.ask("initialize", &hello);
    let heard = talk.call("ask_capabilities", &json!({}));
    assert_eq!(heard["result"]["structuredContent"], hello);
    for (tool, method) in
        [("sample", "sampling/createMessage"), ("elicit", "elicitation/create"), ("roots", "roots/list")]
    {
        talk.send("tools/call", &json!({"name": tool, "arguments": {}}));
        let asked = talk.read();
        assert_eq!(asked["method"], method);
        talk.write(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"said": tool}}));
        assert_eq!(text(&talk.read()), json!({"said": tool}).to_string());
    }
}

#[test]
fn changes_are_told_before_the_answer() {
    let mut talk = Talk::start(&[]);
    for (tool, list) in [("add_tool", "tools"), ("add_resource", "resources"), ("add_prompt", "prompts")] {
        talk.send("tools/call", &json!({"name": tool, "arguments": {}}));
        assert_eq!(talk.read()["method"], format!("notifications/{list}/list_changed"));
        talk.read();
    }
    assert_eq!(talk.text("extra", &json!({})), "extra");
    assert_eq!(talk.text("touch", &json!({"uri": "test://a"})), "nobody subscribed");
    talk.ask("resources/subscribe", &json!({"uri": "test://a"}));
    talk.send("tools/call", &json!({"name": "touch", "arguments": {"uri": "test://a"}}));
    assert_eq!(talk.read()["params"]["uri"], "test://a");
    assert_eq!(text(&talk.read()), "told");
    talk.ask("logging/setLevel", &json!({"level": "error"}));
    assert_eq!(talk.text("log", &json!({"level": "info"})), "below the level");
}

#[test]
fn resources_prompts_and_completions_are_there() {
    let mut talk = Talk::start(&[]);
    let read = |talk: &mut Talk, uri: &str| talk.ask("resources/read", &json!({"uri": uri}));
    assert_eq!(read(&mut talk, "test://a")["result"]["contents"][0]["text"], "text of test://a");
    assert_eq!(read(&mut talk, "test://blob")["result"]["contents"][0]["blob"], "AAEC/w==");
    assert_eq!(read(&mut talk, "test://item/7")["result"]["contents"][0]["text"], "item 7");
    assert_eq!(read(&mut talk, "test://none")["error"]["code"], -32002);
    let greeting = talk.ask("prompts/get", &json!({"name": "greet", "arguments": {"name": "Ada"}}));
    assert_eq!(greeting["result"]["messages"][0]["content"]["text"], "Say hello to Ada.");
    let params =
        json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": "A"}});
    assert_eq!(
        talk.ask("completion/complete", &params)["result"]["completion"]["values"],
        json!(["Ada", "Alan"])
    );
    let to = json!({"type": "ref/resource", "uri": "test://item/{id}"});
    let params = json!({"ref": to, "argument": {"name": "id", "value": "1"}});
    assert_eq!(
        talk.ask("completion/complete", &params)["result"]["completion"]["values"],
        json!(["1", "10"])
    );
}

#[test]
fn it_misbehaves_as_asked() {
    let mut talk = Talk::start(&[]);
    talk.send("tools/call", &json!({"name": "twice", "arguments": {}}));
    assert_eq!((text(&talk.read()), text(&talk.read())), ("first".to_owned(), "second".to_owned()));
    let late = talk.send("tools/call", &json!({"name": "late", "arguments": {}}));
    talk.ask("ping", &json!({}));
    assert_eq!(talk.read()["id"], late);
    let junk = talk.send("tools/call", &json!({"name": "junk", "arguments": {}}));
    let (mut wrong, mut no_text) = (0, 0);
    loop {
        let line = talk.raw();
        no_text += usize::from(std::str::from_utf8(&line).is_err());
        match serde_json::from_slice::<Value>(&line) {
            Ok(message) if message["id"] == junk => break,
            Ok(_) => {}
            Err(_) => wrong += 1,
        }
    }
    assert!(wrong >= 4 && no_text == 1, "{wrong} {no_text}");
    talk.send("tools/call", &json!({"name": "die", "arguments": {"code": 7}}));
    assert_eq!(talk.raw(), b"");
    assert_eq!(talk.child.wait().unwrap().code(), Some(7));
}

#[test]
fn one_that_hangs_answers_nothing_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let mut talk = Talk::start(&["--record", record.to_str().unwrap()]);
    talk.send("tools/call", &json!({"name": "hang", "arguments": {}}));
    talk.send("ping", &json!({}));
    drop(talk.child.stdin.take());
    assert_eq!(talk.raw(), b"");
    assert!(std::fs::read_to_string(&record).unwrap().contains("\"ping\""));
}

#[test]
fn it_fails_the_first_starts_and_counts_them() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let words = ["--fail-first", "2", "--count", count.to_str().unwrap()];
    for _ in 0..2 {
        assert_eq!(Talk::start(&words).child.wait().unwrap().code(), Some(1));
    }
    assert_eq!(Talk::start(&words).ask("ping", &json!({}))["result"], json!({}));
    assert_eq!(std::fs::read_to_string(&count).unwrap().lines().count(), 3);
    assert_eq!(Talk::start(&["--wrong"]).child.wait().unwrap().code(), Some(2));
}

#[test]
fn the_greeting_waits_for_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("go");
    let mut talk = Talk::start(&["--start-when", file.to_str().unwrap()]);
    let hello = talk.send("initialize", &json!({}));
    talk.ask("ping", &json!({}));
    std::fs::write(&file, "").unwrap();
    assert_eq!(talk.read()["id"], hello);
}

#[test]
fn stderr_is_flooded_before_the_answer() {
    let mut talk = Talk::start(&["--stderr", "hello"]);
    assert_eq!(talk.text("flood", &json!({"bytes": 12_345})), "flooded");
    drop(talk.child.stdin.take());
    let mut said = String::new();
    talk.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.starts_with("hello\n"));
    assert_eq!(said.len(), "hello\n".len() + 12_345);
}

#[cfg(unix)]
#[test]
fn a_grandchild_outlives_its_server_in_a_session_of_its_own() {
    let mut talk = Talk::start(&[]);
    let pid = talk.text("spawn", &json!({}));
    drop(talk);
    let kill = |signal: &str| Command::new("kill").args([signal, &pid]).status().unwrap().success();
    assert!(kill("-0"), "the grandchild {pid} is gone");
    assert!(kill("-9"));
}
