//! Streamable HTTP: which requests are accepted, and what is kept apart.

use crate::place::{Place, command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use testkit::{TreeMark, until};

pub(crate) const TOKEN: &str = "a-token-for-a-test";

/// A server that listens.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    token: String,
    pub(crate) place: Place,
    /// What it says on stderr from now on, line by line.
    pub(crate) words: Box<dyn Iterator<Item = String>>,
}

/// An HTTP answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    body: String,
}

impl Server {
    pub(crate) fn start(token: Option<&str>) -> Self {
        Self::start_in(Place::open(), token, &[])
    }

    /// A server in this place, with further arguments.
    pub(crate) fn start_in(place: Place, token: Option<&str>, args: &[&str]) -> Self {
        let command = place.command(&testkit::binary("runward"), &[]);
        Self::start_as(command, place, token, args)
    }

    /// A server in this place that is started like this, with further arguments.
    pub(crate) fn start_as(mut command: Command, place: Place, token: Option<&str>, args: &[&str]) -> Self {
        command.args(["mcp", "--http", "127.0.0.1:0"]).args(args);
        command.envs(token.map(|token| ("RUNWARD_TOKEN", token)));
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut words = Box::new(BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap));
        let mut made = None;
        let mut line = words.next().unwrap();
        if let Some(token) = line.strip_prefix("runward: bearer token: ") {
            made = Some(token.to_owned());
            line = words.next().unwrap();
        }
        assert_eq!(made.is_none(), token.is_some(), "a token is made only if none is given");
        let address = line
            .strip_prefix("runward: listening on http://")
            .unwrap()
            .strip_suffix("/mcp")
            .unwrap()
            .to_owned();
        Self { child, address, token: made.unwrap_or_else(|| TOKEN.to_owned()), place, words }
    }

    pub(crate) fn post(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send("POST", headers, body)
    }

    fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.begin(method, headers, body);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8(text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Sends a request; the answer can be read as it comes.
    pub(crate) fn begin(&self, method: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head =
            format!("{method} /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        head.push_str(
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\r\n",
        );
        stream.write_all(head.as_bytes()).unwrap();
        // A server that has seen enough closes its end.
        let _ = stream.write_all(body.as_bytes());
        stream
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Shakes hands and gives the connection's name.
    pub(crate) fn hello(&self) -> String {
        self.hello_as(&hello())
    }

    /// Shakes hands with these words and gives the connection's name.
    pub(crate) fn hello_as(&self, words: &str) -> String {
        let answer = self.post(&[("Authorization", &self.bearer())], words);
        assert_eq!(answer.status, 200, "{}{}", answer.head, answer.body);
        let line =
            answer.head.lines().find(|line| line.to_lowercase().starts_with("mcp-session-id:")).unwrap();
        let session = line.split_once(": ").unwrap().1.to_owned();
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        assert_eq!(self.post(&self.of(&session), &done).status, 202);
        session
    }

    pub(crate) fn of<'a>(&self, session: &'a str) -> [(&'static str, &'a str); 2] {
        [("Authorization", Box::leak(self.bearer().into_boxed_str())), ("Mcp-Session-Id", session)]
    }

    pub(crate) fn call(&self, session: &str, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.post(&self.of(session), &request("tools/call", &params));
        let data = answer.body.lines().filter_map(|line| line.strip_prefix("data: "));
        let messages = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        messages.into_iter().find(|message| message["id"] == 1).unwrap()["result"].clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        let _ = command(Path::new("/bin/kill")).args(["-TERM", &pid]).status();
        let mut printed = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(143));
        assert_eq!(printed, "", "stdout is not ours");
    }
}

pub(crate) fn request(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

fn hello() -> String {
    let client = json!({"name": "t", "version": "1"});
    request("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}))
}

#[test]
fn a_command_runs_for_whoever_has_the_token() {
    for token in [None, Some(TOKEN)] {
        let server = Server::start(token);
        let session = server.hello();
        let result = server.call(&session, "execute_command", &json!({"command": "echo hi; env"}));
        let stdout = result["structuredContent"]["stdout"].as_str().unwrap();
        assert!(stdout.starts_with("hi\n"));
        assert!(!stdout.contains(&server.token), "the token is nobody's business");
    }
}

#[test]
fn nobody_else_is_let_in() {
    let server = Server::start(Some(TOKEN));
    let hello = hello();
    for wrong in [
        &[][..],
        &[("Authorization", "Bearer wrong")],
        &[("Authorization", TOKEN)],
        &[("Authorization", "Basic x")],
    ] {
        assert_eq!(server.post(wrong, &hello).status, 401, "{wrong:?}");
    }
    let bearer = server.bearer();
    for (name, value) in [("Origin", "http://evil.example"), ("Origin", "null"), ("Host", "evil.example")] {
        assert_eq!(
            server.post(&[("Authorization", &bearer), (name, value)], &hello).status,
            403,
            "{name}: {value}"
        );
    }
    let port = server.address.rsplit(':').next().unwrap();
    for host in [
        format!("{}.evil.com", server.address),
        format!("127.0.0.1:{port}@evil.com"),
        format!("evil.com:{port}"),
        format!("127.0.0.1.evil.com:{port}"),
        format!("127.0.0.1:{port}:80"),
        format!("localhost.evil.com:{port}"),
        format!("xlocalhost:{port}"),
        "127.0.0.1:1".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{port}#.evil.com"),
        format!("127.0.0.1:{port}/"),
        String::new(),
    ] {
        let status = server.post(&[("Authorization", &bearer), ("Host", &host)], &hello).status;
        assert!(status == 403 || status == 400, "{host}: {status}");
    }
    for host in [format!("localhost:{port}"), format!("LOCALHOST:{port}"), format!("127.0.0.1:{port}")] {
        assert_eq!(server.post(&[("Authorization", &bearer), ("Host", &host)], &hello).status, 200, "{host}");
    }
    let large = format!("{hello}{}", " ".repeat(17 << 20));
    assert_eq!(server.post(&[("Authorization", &bearer)], &large).status, 413);
    let own = format!("http://{}", server.address);
    assert_eq!(server.post(&[("Authorization", &bearer), ("Origin", &own)], &hello).status, 200);
    assert_eq!(
        server.post(&[("Authorization", &bearer), ("Origin", "http://127.0.0.1:1")], &hello).status,
        403
    );
    assert_eq!(server.post(&[("Authorization", &bearer)], &hello).status, 200);
}

#[test]
fn what_one_client_ran_no_other_can_see() {
    let server = Server::start(Some(TOKEN));
    let (one, two) = (server.hello(), server.hello());
    let ran = server.call(&one, "execute_command", &json!({"command": "echo mine"}));
    let uri = format!("runward://exec/{}/stdout", ran["_meta"]["runward/receipt"]["id"].as_str().unwrap());
    let read = |session: &str| {
        server.post(&server.of(session), &request("resources/read", &json!({"uri": uri}))).body
    };
    assert!(read(&one).contains("mine\\n"), "{}", read(&one));
    assert!(!read(&two).contains("mine") && read(&two).contains("error"), "{}", read(&two));
}

#[test]
fn a_client_that_says_goodbye_takes_its_sessions_along() {
    let (server, mark) = (Server::start(Some(TOKEN)), TreeMark::new());
    let (one, two) = (server.hello(), server.hello());
    let sleep = json!({"command": format!("sleep {}", mark.text())});
    server.call(&one, "start_command", &sleep);
    let kept = TreeMark::new();
    server.call(&two, "start_command", &json!({"command": format!("sleep {}", kept.text())}));
    until("both run", || !mark.carriers().is_empty() && !kept.carriers().is_empty());
    let goodbye = server.send("DELETE", &server.of(&one), "");
    assert!((200..300).contains(&goodbye.status), "{}", goodbye.head);
    until("nothing of the first is left", || mark.carriers().is_empty());
    assert!(!kept.carriers().is_empty());
    drop(server);
    assert!(kept.carriers().is_empty());
}

#[test]
fn an_address_that_others_reach_needs_a_word() {
    let place = Place::open();
    let said = place.server(&["--http", "0.0.0.0:0"]).output().unwrap();
    assert_eq!(said.status.code(), Some(125));
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(
        words.contains("can be reached from other machines") && words.contains("--allow-remote"),
        "{words}"
    );
}
