//! Runward under a limit on file size (RLIMIT_FSIZE): it answers with an error and goes on.

use crate::runner::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// Starts the binary with files limited to so many blocks.
#[expect(clippy::disallowed_methods, reason = "a shell sets the limit and becomes Runward")]
fn limited(place: &Place, blocks: u32, args: &[&str]) -> Child {
    let mut command = Command::new("sh");
    let text = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &text, env!("CARGO_BIN_EXE_runward")]).args(args);
    command.current_dir(place.work()).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.env("HOME", place.home()).env("RUNWARD_STATE_DIR", place.state()).env("ALLOWED_COMMANDS", "*");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_command_that_cannot_be_started_for_it_says_so() {
    let place = Place::new();
    for blocks in [0, 1, 8] {
        let said = limited(&place, blocks, &["exec", "--", "echo", "hi"]).wait_with_output().unwrap();
        let words = String::from_utf8(said.stderr).unwrap();
        assert_eq!(said.status.code(), Some(125), "{blocks}: {words}");
        assert!(words.contains("commands are not recorded"), "{words}");
        assert!(
            words.contains("(`write`) failed: File too large (os error 27) [spawn.resources]"),
            "{words}"
        );
        assert!(words.contains("raise the host's limits: files may not grow beyond"), "{words}");
    }
}

#[test]
fn a_server_lives_on_and_answers() {
    let place = Place::new();
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let call = json!({"name": "execute_command", "arguments": {"command": "echo hi"}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {}}),
    ];
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let mut server = limited(&place, 0, &["mcp"]);
    let mut to = server.stdin.take().unwrap();
    to.write_all(input.as_bytes()).unwrap();
    let mut answers: Vec<Value> = Vec::new();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    while ![1, 2, 3].iter().all(|id| answers.iter().any(|answer| answer["id"] == *id)) {
        let line = lines.next().expect("the server is there").unwrap();
        answers.push(serde_json::from_str(&line).unwrap());
    }
    drop(to);
    assert_eq!(server.wait().unwrap().code(), Some(0), "{answers:?}");
    let answer = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answer(2)["result"]["structuredContent"]["error"]["code"], "spawn.resources", "{answers:?}");
    assert!(answer(3)["result"]["tools"].is_array(), "{answers:?}");
}

#[test]
fn a_command_has_the_signals_of_a_fresh_process() {
    let place = Place::new();
    let said = place.run(["exec", "--", "grep", "-E", "SigIgn|SigBlk", "/proc/self/status"]);
    assert_eq!(said.stdout, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n", "{said:?}");
}
