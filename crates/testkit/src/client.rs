//! A minimal MCP client for benchmarks: lines out, lines in, and nothing that costs time in between.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A connection to an MCP server of its own.
#[derive(Debug)]
pub struct McpClient {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl McpClient {
    /// Starts a server and waits for its answer to `initialize`.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a server");
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        let mut client = Self { child, stdin, stdout, next: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}
        });
        client.send("initialize", &hello);
        client.answer();
        client
    }

    /// Sends `notifications/initialized`.
    #[must_use]
    pub fn ready(mut self) -> Self {
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        self
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn write(&mut self, message: &Value) {
        let line = message.to_string() + "\n";
        self.stdin.as_mut().expect("open").write_all(line.as_bytes()).expect("the server listens");
    }

    fn send(&mut self, method: &str, params: &Value) {
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
    }

    /// Asks for something and waits for the answer.
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(method, params);
        self.answer()
    }

    /// Calls a tool and does not wait.
    pub fn send_call(&mut self, tool: &str, arguments: &Value) {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}));
    }

    /// The next answer, whichever call it belongs to. A call that did not go well is the end of the benchmark.
    pub fn answer(&mut self) -> Value {
        self.next_answer().1
    }

    /// The same, with the number of its call.
    fn next_answer(&mut self) -> (Value, Value) {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.stdout.read_line(&mut line).expect("text") > 0, "the server is gone");
            let mut message: Value = serde_json::from_str(&line).expect("lines of JSON");
            if message.get("id").is_some() {
                let result = message["result"].take();
                assert!(!result.is_null() && result["isError"] != true, "{line}");
                return (message["id"].take(), result);
            }
        }
    }

    /// Calls a tool and waits for its answer.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.send_call(tool, arguments);
        self.answer()
    }

    /// Calls a tool many times, so many of them in flight.
    pub fn keep_in_flight(&mut self, flights: usize, times: usize, tool: &str, arguments: &Value) {
        self.times_in_flight(flights, times, tool, arguments);
    }

    /// The same, and how long each took until it was answered.
    pub fn times_in_flight(
        &mut self,
        flights: usize,
        times: usize,
        tool: &str,
        arguments: &Value,
    ) -> Vec<Duration> {
        let mut begun = HashMap::new();
        let mut begin = |client: &mut Self| {
            begun.insert(client.next + 1, Instant::now());
            client.send_call(tool, arguments);
        };
        (0..flights.min(times)).for_each(|_| begin(self));
        let mut ended = Vec::with_capacity(times);
        for done in 1..=times {
            let (id, _) = self.next_answer();
            ended.push((id.as_u64().expect("our own number"), Instant::now()));
            if done + flights <= times {
                begin(self);
            }
        }
        ended.into_iter().map(|(id, at)| at - begun[&id]).collect()
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        self.stdin = None;
        // Its standard input is closed, and it ends by itself.
        let _ = self.child.wait();
    }
}
