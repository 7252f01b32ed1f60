//! Signals that end a process by default: each is a request to end, and what ran has an end in the journal.

use crate::runner::{Place, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};

/// Everything that can be taken, beside faults of a process itself. The last three are real-time signals.
#[cfg(target_os = "linux")]
const SIGNALS: &[i32] = &[3, 10, 12, 14, 15, 16, 24, 26, 27, 29, 30, 34, 50, 64];
#[cfg(not(target_os = "linux"))]
const SIGNALS: &[i32] = &[3, 14, 15, 24, 26, 27, 30, 31];

/// The first of those that mean whatever the user wants.
const USER: i32 = if cfg!(target_os = "linux") { 10 } else { 30 };

fn send(child: &Child, signal: i32) {
    let mut kill = program(Path::new("kill"));
    let sent = kill.args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "{signal}");
}

/// How every recorded command ended, in order.
fn states(place: &Place) -> Vec<String> {
    let said = place.run(["log", "--json"]);
    assert_eq!(said.code, 0, "{said:?}");
    let state =
        |line: &str| serde_json::from_str::<Value>(line).unwrap()["state"].as_str().unwrap().to_owned();
    said.stdout.lines().map(state).collect()
}

#[test]
fn a_command_is_ended_and_recorded_whatever_signal_asks_for_it() {
    let place = Place::new();
    let script = "echo up; exec sleep 300";
    for signal in SIGNALS {
        let mut started = place.start(["exec", "--shell", script]);
        let mut line = String::new();
        BufReader::new(started.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "up\n");
        send(&started, *signal);
        assert_eq!(started.wait().unwrap().code(), Some(143), "{signal}");
    }
    let states = states(&place);
    assert_eq!(states.len(), SIGNALS.len());
    assert!(states.iter().all(|state| state == "ended"), "{states:?}");
}

#[test]
fn a_server_ends_with_records_whatever_signal_asks_for_it() {
    let place = Place::new();
    for signal in SIGNALS {
        let mut command = place.command(["mcp"]);
        command.env("ALLOWED_COMMANDS", "*").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.stderr(Stdio::null()).spawn().unwrap();
        let mut to = server.stdin.take().unwrap();
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let up = place.work().join("up");
        let run = format!("touch {}; exec sleep 300", up.display());
        let call = json!({"name": "execute_command", "arguments": {"command": run}});
        for message in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
        ] {
            writeln!(to, "{message}").unwrap();
        }
        testkit::until("the command runs", || up.exists());
        send(&server, *signal);
        assert_eq!(server.wait().unwrap().code(), Some(143), "{signal}");
        drop(to);
        std::fs::remove_file(up).unwrap();
    }
    let states = states(&place);
    assert_eq!(states.len(), SIGNALS.len());
    assert!(states.iter().all(|state| state == "ended"), "{states:?}");
}

#[test]
fn what_was_ignored_before_stays_ignored() {
    let place = Place::new();
    let file = place.work().join("go");
    let script = format!(
        "trap '' USR1; exec \"$0\" exec --shell 'echo up; until [ -e {} ]; do sleep 0.01; done'",
        file.display()
    );
    let mut shell = place.behind(&["sh", "-c", &script], [] as [&str; 0]);
    let mut started = shell.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(started.stdout.take().unwrap()).read_line(&mut line).unwrap();
    send(&started, USER);
    std::fs::write(&file, "").unwrap();
    assert_eq!(started.wait().unwrap().code(), Some(0));
}
