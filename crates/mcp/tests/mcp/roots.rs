//! The client's roots: they narrow the workspace of `exec_command`, and never widen it.

use crate::client::{Called, Client};
use crate::http::{Server, TOKEN, request};
use crate::place::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A client with roots, which it tells whenever it is asked.
struct Rooted {
    client: Client,
    roots: Vec<String>,
    /// How often it was asked.
    asked: usize,
}

fn uri(folder: &Path) -> String {
    format!("file://{}", folder.display())
}

fn place() -> Place {
    let place = Place::open();
    for folder in ["a/in", "b", "with space ü"] {
        std::fs::create_dir_all(place.work().join(folder)).unwrap();
    }
    place
}

fn hello(capabilities: &Value) -> Value {
    json!({
        "protocolVersion": "2025-11-25", "capabilities": capabilities,
        "clientInfo": {"name": "rooted", "version": "1"}
    })
}

impl Rooted {
    fn connect(place: &Place, roots: &[String]) -> Self {
        let mut client = Client::silent(place, &["--profile", "all"]);
        client.ask("initialize", &hello(&json!({"roots": {"listChanged": true}})));
        client.line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        let mut rooted = Self { client, roots: roots.to_vec(), asked: 0 };
        rooted.tell();
        rooted
    }

    /// Waits for the question and answers it.
    fn tell(&mut self) {
        loop {
            let message = self.client.next().expect("the server is there");
            if self.answers(&message) {
                return;
            }
            self.client.heard.push(message);
        }
    }

    /// Answers a message, if it is the question.
    fn answers(&mut self, message: &Value) -> bool {
        if message["method"] != "roots/list" {
            return false;
        }
        self.asked += 1;
        let roots: Vec<Value> = self.roots.iter().map(|uri| json!({"uri": uri})).collect();
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}});
        self.client.line(&answer.to_string());
        true
    }

    /// Has other roots from now on, and waits until the server has asked for them.
    fn change(&mut self, roots: &[String]) {
        self.roots = roots.to_vec();
        self.client
            .line(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}).to_string());
        self.tell();
    }

    fn pwd(&mut self, cwd: &Path) -> Called {
        let id = self.client.send_call("exec_command", &json!({"cwd": cwd, "command": ["pwd"]}));
        loop {
            let message = self.client.next().expect("the server is there");
            if message["id"] == id && message.get("method").is_none() {
                self.client.heard.push(message);
                return self.client.called(id);
            }
            if !self.answers(&message) {
                self.client.heard.push(message);
            }
        }
    }

    fn runs_in(&mut self, cwd: &Path) {
        let called = self.pwd(cwd);
        assert_eq!(called.fields["stdout"], format!("{}\n", cwd.display()), "{called:?}");
    }

    fn is_refused_in(&mut self, cwd: &Path) -> String {
        let called = self.pwd(cwd);
        assert!(called.is_error, "{called:?}");
        assert_eq!(called.fields["error"]["code"], "SANDBOX_VIOLATION", "{called:?}");
        called.text
    }
}

fn folders(place: &Place) -> [PathBuf; 3] {
    ["a", "a/in", "b"].map(|folder| place.work().join(folder))
}

#[test]
fn roots_in_the_workspace_narrow_it() {
    let place = place();
    let [a, inner, b] = folders(&place);
    let mut client = Rooted::connect(&place, &[uri(&a)]);
    client.runs_in(&a);
    let asked = client.asked;
    client.runs_in(&inner);
    let text = client.is_refused_in(&b);
    assert_eq!(
        text,
        format!(
            "cwd is outside the workspace: {}. Name a directory inside `{}`: the roots narrow the workspace.",
            b.display(),
            a.display()
        )
    );
    client.is_refused_in(&place.work());
    assert_eq!(client.asked, asked, "a list that is known is not asked for again");
}

#[test]
fn a_root_around_the_workspace_means_all_of_it_and_widens_nothing() {
    let place = place();
    let [a, _, b] = folders(&place);
    let outside = place.work().parent().unwrap().to_owned();
    let mut client = Rooted::connect(&place, &[uri(&outside), uri(Path::new("/usr"))]);
    client.runs_in(&a);
    client.runs_in(&b);
    client.is_refused_in(&outside);
    client.is_refused_in(Path::new("/usr"));
}

#[test]
fn without_a_root_in_the_workspace_nothing_may_be_used() {
    let place = place();
    let [a, ..] = folders(&place);
    for roots in [vec![], vec![uri(Path::new("/usr"))], vec!["https://example.com/a".to_owned()]] {
        let mut client = Rooted::connect(&place, &roots);
        let text = client.is_refused_in(&a);
        assert_eq!(
            text,
            format!(
                "nothing of the workspace may be used: no root lies in it: {}. Add a folder of the workspace to the roots.",
                place.work().display()
            )
        );
        let other = client.client.call("execute_command", &json!({"command": "echo other tools"}));
        assert_eq!(other.fields["stdout"], "other tools\n", "roots are for the workspace-bound tool alone");
    }
}

#[test]
fn what_names_no_folder_is_ignored_and_told() {
    let place = place();
    let spaced = place.work().join("with space ü");
    let encoded = uri(&place.work().join("with%20space%20%C3%BC"));
    let mut client = Rooted::connect(&place, &["https://example.com/x".to_owned(), encoded]);
    client.runs_in(&spaced);
    let told = client.client.heard.iter().find(|message| message["method"] == "notifications/message");
    let fields = &told.expect("the client is told")["params"]["data"];
    assert_eq!(
        *fields,
        json!({"root": "https://example.com/x", "ignored": "only `file://` URIs name folders"})
    );
}

#[test]
fn roots_that_change_are_asked_for_again() {
    let place = place();
    let [a, _, b] = folders(&place);
    let mut client = Rooted::connect(&place, &[uri(&a)]);
    client.is_refused_in(&b);
    client.change(&[uri(&b)]);
    client.runs_in(&b);
    client.is_refused_in(&a);
}

#[test]
fn a_link_in_the_workspace_is_judged_by_where_it_leads() {
    let place = place();
    let [a, inner, b] = folders(&place);
    std::os::unix::fs::symlink(&b, a.join("link")).unwrap();
    std::os::unix::fs::symlink(&inner, place.work().join("root")).unwrap();
    let mut client = Rooted::connect(&place, &[uri(&a)]);
    client.is_refused_in(&a.join("link"));
    client.change(&[uri(&place.work().join("root"))]);
    client.runs_in(&inner);
    client.is_refused_in(&a);
}

#[test]
fn a_workspace_that_is_swapped_for_a_link_does_not_move() {
    let place = place();
    let ([a, _, b], workspace) = (folders(&place), place.work().join("workspace"));
    std::fs::rename(&a, &workspace).unwrap();
    let mut client = Client::connect_with(&place, &["--profile", "toolkit", "--workspace", "workspace"]);
    let pwd = |client: &mut Client| client.call("exec_command", &json!({"cwd": ".", "command": ["pwd"]}));
    assert!(!pwd(&mut client).is_error);
    std::fs::rename(&workspace, &a).unwrap();
    std::os::unix::fs::symlink(&b, &workspace).unwrap();
    let called = pwd(&mut client);
    assert_eq!(called.fields["error"]["code"], "SANDBOX_VIOLATION", "{called:?}");
}

#[test]
fn a_client_that_does_not_list_its_roots_holds_a_call_no_longer_than_stated() {
    let place = place();
    let mut client = Client::silent(&place, &["--profile", "all"]);
    client.ask("initialize", &hello(&json!({"roots": {}})));
    client.line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    let begun = Instant::now();
    let called = client.call("exec_command", &json!({"cwd": ".", "command": ["pwd"]}));
    let took = begun.elapsed();
    assert!(took >= Duration::from_secs(2) && took < Duration::from_secs(6), "{took:?}");
    assert_eq!(called.fields["error"]["code"], "SANDBOX_VIOLATION");
    assert_eq!(
        called.text,
        "nothing of the workspace may be used: the client has roots and did not list them within 2s. Answer \
         `roots/list`, or connect without declaring `roots`."
    );
    // The questions still stand, and an answer to the last of them counts from then on.
    let question = client.heard.iter().rev().find(|message| message["method"] == "roots/list").unwrap();
    let roots = json!({"roots": [{"uri": uri(&place.work())}]});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": roots});
    client.line(&answer.to_string());
    let called = client.call("exec_command", &json!({"cwd": ".", "command": ["pwd"]}));
    assert!(!called.is_error, "{called:?}");
}

#[test]
fn a_client_that_cannot_list_its_roots_is_told_so_at_once() {
    let place = place();
    let mut client = Client::silent(&place, &["--profile", "toolkit"]);
    client.ask("initialize", &hello(&json!({"roots": {}})));
    client.line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    let begun = Instant::now();
    let id = client.send_call("exec_command", &json!({"cwd": ".", "command": ["pwd"]}));
    loop {
        let message = client.next().expect("the server is there");
        if message["method"] == "roots/list" {
            let error = json!({"code": -32601, "message": "no such method"});
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "error": error});
            client.line(&answer.to_string());
        } else if message["id"] == id {
            assert_eq!(message["result"]["structuredContent"]["error"]["code"], "SANDBOX_VIOLATION");
            break;
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[test]
fn where_no_tool_would_use_them_roots_are_not_asked_for() {
    let place = place();
    let mut client = Client::silent(&place, &[]);
    client.ask("initialize", &hello(&json!({"roots": {}})));
    client.line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    client.call("execute_command", &json!({"command": "true"}));
    assert_eq!(client.heard, [Value::Null; 0]);
}

#[test]
fn over_http_the_question_comes_along_with_the_call() {
    let server = Server::start_in(place(), Some(TOKEN), &["--profile", "toolkit"]);
    let [a, _, b] = folders(&server.place);
    // This client never opens a stream of its own for the server's questions.
    let session = server.hello_as(&request("initialize", &hello(&json!({"roots": {}}))));
    let arguments = json!({"cwd": b, "command": ["pwd"]});
    let call = request("tools/call", &json!({"name": "exec_command", "arguments": arguments}));
    let stream = server.begin("POST", &server.of(&session), &call);
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut asked = 0;
    for message in lines.filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok()) {
        if message["method"] == "roots/list" {
            asked += 1;
            let roots = json!({"roots": [{"uri": uri(&a)}]});
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": roots}).to_string();
            assert_eq!(server.post(&server.of(&session), &answer).status, 202);
        } else if message["id"] == 1 {
            let text = message["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains("the roots narrow the workspace"), "{text}");
        }
    }
    assert_eq!(asked, 1);
}

/// The official client, on stdio and over HTTP, with a handshake and without one. Its conversation is in `roots.py`.
#[test]
fn the_official_client_is_asked_for_its_roots() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/roots.py");
    let server = Server::start_in(place(), Some(TOKEN), &["--profile", "toolkit"]);
    let url = format!("http://{}/mcp", server.address);
    let binary = testkit::binary("runward");
    for target in [binary.to_str().unwrap(), &url] {
        for mode in ["legacy", "auto"] {
            let words = [script.to_str().unwrap(), target, mode];
            let mut command = server.place.command(&testkit::python(), &words);
            let said = command.env("RUNWARD_TOKEN", TOKEN).output().unwrap();
            let words = String::from_utf8(said.stderr).unwrap();
            assert_eq!(String::from_utf8(said.stdout).unwrap(), "done\n", "{target} {mode}: {words}");
        }
    }
}
