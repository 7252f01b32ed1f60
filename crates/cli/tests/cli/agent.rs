//! A client of a real server: asks, and remembers everything it is told beside the answers.

use crate::runner::Place;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A server, and its client.
pub(crate) struct Agent {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    asked: u64,
    /// Every message that is no answer, as it came.
    pub(crate) told: String,
    /// What the server says about itself.
    pub(crate) instructions: String,
}

impl Agent {
    /// Starts a server, and this command on a terminal of 80 by 24 as the session `work`.
    #[cfg(target_os = "linux")]
    pub(crate) fn start(place: &Place, command: &str) -> Self {
        let mut agent = Self::serve(place, &["mcp"], &[]);
        let arguments = json!({"command": command, "pty": true, "name": "work"});
        let started = agent.calls("start_command", &arguments);
        assert!(started["sessionId"].is_string(), "{started}");
        agent
    }

    /// Starts a server with these arguments and further variables. What it says on stderr is in the file `stderr` at
    /// home.
    pub(crate) fn serve(place: &Place, args: &[&str], env: &[(&str, &str)]) -> Self {
        let everything = [("ALLOWED_COMMANDS", "*")];
        Self::serve_bare(place, args, &everything.iter().chain(env).copied().collect::<Vec<_>>())
    }

    /// The same, where nothing is allowed by a variable that is not named here.
    pub(crate) fn serve_bare(place: &Place, args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut server = place.command(args);
        server.env("TERM", "xterm").envs(env.iter().copied());
        let stderr = File::options().create(true).append(true).open(place.home().join("stderr")).unwrap();
        let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let (to, from) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let (told, instructions) = (String::new(), String::new());
        let mut agent = Self { server, to, from, asked: 0, told, instructions };
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let answer = agent.asks("initialize", &hello);
        answer["result"]["instructions"].as_str().unwrap_or_default().clone_into(&mut agent.instructions);
        agent.says(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        agent
    }

    fn says(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Asks, and waits for the answer.
    pub(crate) fn asks(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.says(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the server is there");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
            self.told.push_str(&line);
        }
    }

    /// Calls a tool, wants to hear of its progress, and gives what it answers with.
    pub(crate) fn calls(&mut self, tool: &str, arguments: &Value) -> Value {
        let meta = json!({"progressToken": self.asked});
        let answer = self.asks("tools/call", &json!({"name": tool, "arguments": arguments, "_meta": meta}));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"]["structuredContent"].clone()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The end of its input is the end of the server.
        self.to = None;
        let _ = self.server.wait();
    }
}
