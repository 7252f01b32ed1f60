//! A minimal MCP client: one line out, one line in, nothing hidden.

use crate::place::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A connection to a server of its own.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
    /// Where it runs, if that is its own. It goes when the client goes.
    place: Option<Place>,
    /// Messages that were not waited for, in the order of arrival.
    pub(crate) heard: Vec<Value>,
}

/// What a tool call came to.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) is_error: bool,
    pub(crate) text: String,
    pub(crate) fields: Value,
    pub(crate) meta: Value,
}

impl Called {
    /// The id of the run, from its receipt.
    pub(crate) fn id(&self) -> String {
        self.meta["runward/receipt"]["id"].as_str().unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

impl Client {
    /// Connects to a server in a place of its own, where everything may run.
    pub(crate) fn open(args: &[&str]) -> Self {
        let place = Place::open();
        let mut client = Self::connect_with(&place, args);
        client.place = Some(place);
        client
    }

    /// Connects to a server in this place, which goes with the client.
    pub(crate) fn within(place: Place) -> Self {
        let mut client = Self::connect(&place);
        client.place = Some(place);
        client
    }

    /// Connects and shakes hands.
    pub(crate) fn connect(place: &Place) -> Self {
        Self::connect_with(place, &[])
    }

    /// Connects to a server with these arguments and shakes hands.
    pub(crate) fn connect_with(place: &Place, args: &[&str]) -> Self {
        let mut client = Self::silent(place, args);
        client.greet();
        client
    }

    /// Shakes hands.
    pub(crate) fn greet(&mut self) {
        self.greet_as(&json!({}));
    }

    /// Shakes hands as a client that can do these things.
    pub(crate) fn greet_as(&mut self, capabilities: &Value) {
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}
        });
        let answer = self.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "runward", "{answer}");
        self.line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    }

    /// Connects and says nothing.
    pub(crate) fn silent(place: &Place, args: &[&str]) -> Self {
        Self::of(place.server(args))
    }

    /// Connects to a server that is started like this, and says nothing.
    pub(crate) fn of(mut server: Command) -> Self {
        let mut child = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, stdin, stdout, next: 1, place: None, heard: Vec::new() }
    }

    /// The server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends one line, whatever it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes, whatever they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Sends a request and does not wait.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    /// Sends a tool call and does not wait.
    pub(crate) fn send_call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Says that an answer is no longer wanted.
    pub(crate) fn cancel(&mut self, id: u64) {
        let params = json!({"requestId": id, "reason": "a test"});
        self.line(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string(),
        );
    }

    /// The next message.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.stdout.read_line(&mut line).unwrap() {
            0 => None,
            _ => Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))),
        }
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        if let Some(at) =
            self.heard.iter().position(|message| message["id"] == id && message.get("method").is_none())
        {
            return self.heard.remove(at);
        }
        loop {
            let message = self.next().expect("the server is there");
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Waits for a message of the server with this method.
    pub(crate) fn hears(&mut self, method: &str) -> Value {
        if let Some(at) = self.heard.iter().position(|message| message["method"] == method) {
            return self.heard.remove(at);
        }
        loop {
            let message = self.next().expect("the server is there");
            if message["method"] == method {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Answers a request of the server.
    pub(crate) fn reply(&mut self, request: &Value, result: &Value) {
        self.line(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string());
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Calls a tool and waits for its answer.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Called {
        let id = self.send_call(tool, arguments);
        self.called(id)
    }

    /// The result of a tool call that was sent.
    pub(crate) fn called(&mut self, id: u64) -> Called {
        let answer = self.answer(id);
        let result = answer.get("result").unwrap_or_else(|| panic!("no result: {answer}"));
        Called {
            is_error: result["isError"].as_bool().unwrap_or(false),
            text: result["content"][0]["text"].as_str().unwrap().to_owned(),
            fields: result["structuredContent"].clone(),
            meta: result["_meta"].clone(),
        }
    }

    /// Closes our end and waits until the server is gone. Gives what it exited with.
    pub(crate) fn close(mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().unwrap().code()
    }

    /// Waits until the server is gone by itself.
    pub(crate) fn wait(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.wait();
        self.place = None;
    }
}

/// An answer's YAML, read back.
pub(crate) fn yaml(called: &Called) -> Value {
    serde_saphyr::from_str(&called.text).unwrap_or_else(|error| panic!("{error}: {}", called.text))
}
