//! The least an MCP server can be: reads a line of JSON, starts a process, answers. No features.
//!
//! `bare-server [THREADS]`: one loop, or that many beside one another. Tools: `run` (`argv`); `type` (`line`) and `hear`,
//! which write a line to a terminal and read the answer; `echo` (`line`), which does both in one call. Linux only.

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("bare-server: Linux only");
    std::process::exit(2);
}

#[cfg(target_os = "linux")]
fn main() {
    let threads = std::env::args().nth(1).map_or(1, |count| count.parse().expect("a number of threads"));
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(linux::serve)));
        linux::serve();
    });
}

#[cfg(target_os = "linux")]
mod linux {
    use serde_json::{Value, json};
    use std::io::{Write, stdin, stdout};
    use std::path::Path;
    use std::sync::OnceLock;
    use testkit::bare::{Parrot, captured};

    /// Answers one line after the other until there are no more.
    pub(super) fn serve() {
        let mut line = String::new();
        while stdin().read_line(&mut line).expect("lines of text") > 0 {
            let message: Value = serde_json::from_str(&line).expect("lines of JSON");
            line.clear();
            let Some(id) = message.get("id") else { continue };
            let result = match message["method"].as_str() {
                Some("initialize") => hello(&message["params"]),
                _ => call(&message["params"]),
            };
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string() + "\n";
            let mut out = stdout().lock();
            out.write_all(answer.as_bytes()).and_then(|()| out.flush()).expect("somebody listens");
        }
    }

    fn hello(params: &Value) -> Value {
        json!({
            "protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "bare", "version": "1"},
        })
    }

    fn call(params: &Value) -> Value {
        let arguments = &params["arguments"];
        let line = || arguments["line"].as_str().expect("a line");
        let text = match params["name"].as_str() {
            Some("run") => run(&arguments["argv"]),
            Some("type") => type_line(line()),
            Some("hear") => parrot().hear().expect("it answers"),
            Some("echo") => {
                type_line(line());
                parrot().hear().expect("it answers")
            }
            other => panic!("no such tool: {other:?}"),
        };
        json!({"content": [{"type": "text", "text": text}], "isError": false})
    }

    fn run(argv: &Value) -> String {
        let words: Vec<&str> = argv.as_array().expect("words").iter().filter_map(Value::as_str).collect();
        let done = captured(Path::new(words[0]), &words[1..]).expect("it runs");
        format!("status {}, {} bytes", done.status, done.bytes)
    }

    fn parrot() -> &'static Parrot {
        static PARROT: OnceLock<Parrot> = OnceLock::new();
        PARROT.get_or_init(|| Parrot::start().expect("a terminal"))
    }

    fn type_line(line: &str) -> String {
        parrot().say(line).expect("it listens");
        String::new()
    }
}
