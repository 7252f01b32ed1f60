//! A server with disks that hang, or that may open few files: it answers, keeps limits and ends.

use crate::runner::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use testkit::HangingMount;

/// A server, spoken to by lines. It is not waited for longer than a test may take.
struct Server {
    process: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    next: u64,
}

#[expect(clippy::disallowed_methods, reason = "a shell sets the limit and becomes Runward")]
fn server(place: &Place, files: u32) -> Server {
    let mut command = Command::new("sh");
    let text = format!("ulimit -n {files}; exec \"$0\" mcp");
    command.args(["-c", &text, env!("CARGO_BIN_EXE_runward")]);
    command.current_dir(place.work()).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.env("HOME", place.home()).env("RUNWARD_STATE_DIR", place.state()).env("ALLOWED_COMMANDS", "*");
    command.env("XDG_CONFIG_HOME", place.home().join("config"));
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let (told, from) = channel();
    std::thread::spawn(move || {
        lines.map_while(Result::ok).try_for_each(|line| told.send(serde_json::from_str(&line).unwrap()))
    });
    let to = process.stdin.take();
    let mut server = Server { process, to, from, next: 0 };
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let id = server.send("initialize", &hello);
    server.answer(id);
    server.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    server
}

impl Server {
    fn write(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn call(&mut self, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": "execute_command", "arguments": arguments}))
    }

    /// The answer to one call; others that come before are passed over.
    fn answer(&self, id: u64) -> Value {
        loop {
            let answer = self.from.recv_timeout(testkit::LIMIT).expect("an answer");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    /// It answers at once, whatever else it does.
    fn is_awake(&mut self) {
        let begun = Instant::now();
        let id = self.send("ping", &json!({}));
        self.answer(id);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }

    /// It ends, and its output does. A thread that waits for a disk may be beyond any signal until that answers: the
    /// kernel keeps what is left of the process then, and nothing of it runs.
    fn ends(&mut self) {
        let mut heard = std::iter::from_fn(|| Some(self.from.recv_timeout(SOON)));
        assert_eq!(heard.find(Result::is_err), Some(Err(RecvTimeoutError::Disconnected)));
        let stat = format!("/proc/{}/stat", self.process.id());
        testkit::until("it is over", || {
            self.process.try_wait().unwrap().is_some()
                || std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") Z "))
        });
    }
}

const SOON: Duration = Duration::from_secs(10);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn code(answer: &Value) -> &Value {
    &answer["structuredContent"]["error"]["code"]
}

/// What hangs answers again before the processes it holds are waited for, and before its folder goes.
struct Hanging {
    mount: HangingMount,
    server: Server,
    _place: Place,
}

/// A server with its state on a disk, which hangs once a first command ran.
fn with_hanging_state(check: impl FnOnce(&mut Server)) {
    let place = Place::new();
    let mount = HangingMount::new(&place.home().join("real"), &place.state());
    let mut all = Hanging { mount, server: server(&place, 1024), _place: place };
    let id = all.server.call(&json!({"command": "echo hi"}));
    assert_eq!(all.server.answer(id)["isError"], json!(false));
    all.mount.hang();
    check(&mut all.server);
    all.server.ends();
}

#[test]
fn a_state_disk_that_hangs_holds_up_neither_calls_nor_limits_nor_pings_nor_the_end_of_input() {
    with_hanging_state(|server| {
        let begun = Instant::now();
        let long = server.call(&json!({"command": "sleep 60", "timeout_ms": 1000}));
        server.is_awake();
        let long = server.answer(long);
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}: {long}", begun.elapsed());
        assert!(long.to_string().contains("time"), "{long}");
        let much =
            server.call(&json!({"command": "head -c 3000000 /dev/zero; echo over", "timeout_ms": 20000}));
        server.is_awake();
        assert!(!server.answer(much).is_null());
        server.is_awake();
        server.to = None;
    });
}

#[test]
fn a_state_disk_that_hangs_from_the_beginning_holds_up_neither_the_greeting_nor_calls_nor_the_end_of_input() {
    let place = Place::new();
    let mount = HangingMount::new(&place.home().join("real"), &place.state());
    mount.hang();
    let begun = Instant::now();
    let mut all = Hanging { mount, server: server(&place, 1024), _place: place };
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    let server = &mut all.server;
    let call = server.call(&json!({"command": "echo hi"}));
    server.is_awake();
    assert!(!server.answer(call).is_null());
    assert!(begun.elapsed() < 2 * SOON, "{:?}", begun.elapsed());
    server.to = None;
    server.ends();
}

#[test]
fn nor_does_it_hold_up_being_told_to_end() {
    with_hanging_state(|server| {
        let sleeping = server.call(&json!({"command": "sleep 60"}));
        assert!(sleeping > 0);
        server.is_awake();
        terminate(server.process.id());
    });
}

#[expect(clippy::disallowed_methods, reason = "a test tells a server to end")]
fn terminate(pid: u32) {
    assert!(Command::new("kill").arg(pid.to_string()).status().unwrap().success());
}

#[test]
fn a_folder_that_hangs_fails_one_call_with_words_while_others_are_answered() {
    let place = Place::new();
    place.owner("limits.disk_wait_ms = 500");
    let far = place.home().join("far");
    let mount = HangingMount::new(&place.home().join("real"), &far);
    let mut all = Hanging { mount, server: server(&place, 1024), _place: place };
    all.mount.hang();
    let server = &mut all.server;
    let stuck = server.call(&json!({"command": "ls", "cwd": far}));
    server.is_awake();
    let answer = server.answer(stuck);
    assert_eq!(code(&answer), "resolve.unresponsive", "{answer}");
    assert!(answer.to_string().contains(far.to_str().unwrap()), "{answer}");
    let other = server.call(&json!({"command": "echo on"}));
    assert_eq!(server.answer(other)["isError"], json!(false));
    server.to = None;
    server.ends();
}

#[test]
fn where_few_files_may_be_open_calls_wait_and_none_is_refused() {
    let place = Place::new();
    let mut server = server(&place, 64);
    let calls: Vec<u64> = (0..120).map(|_| server.call(&json!({"command": "echo hi"}))).collect();
    let mut answered = 0;
    while answered < calls.len() {
        let answer = server.from.recv_timeout(testkit::LIMIT).expect("an answer");
        if answer.get("id").is_some() {
            assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
            answered += 1;
        }
    }
    server.to = None;
    server.ends();
}
