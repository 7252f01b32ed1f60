//! The examples of the library, run as they stand in `examples/`.
//!
//! The commands in them are those of Unix, and the client that speaks to the server is Linux' alone.
#![cfg(target_os = "linux")]

use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use testkit::McpClient;

#[expect(clippy::disallowed_methods, reason = "a test runs the program as a user does")]
fn example(name: &str) -> Command {
    Command::new(testkit::binary(&format!("examples/{name}")))
}

/// What an example prints when it reads this.
fn printed(name: &str, input: &str) -> String {
    let mut command = example(name);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn run_runs_what_is_allowed_and_nothing_else() {
    let said = printed("run", "");
    assert!(said.starts_with("printed: hello\n"), "{said}");
    assert!(said.ends_with("refused: policy.denied\n"), "{said}");
}

#[test]
fn stream_reads_while_it_runs_and_stops_everything() {
    let said = printed("stream", "");
    assert!(said.starts_with("printed: listening\n"), "{said}");
    assert!(said.contains("stopped"), "{said}");
}

#[test]
fn approve_runs_what_a_person_agreed_to() {
    let said = printed("approve", "yes\n");
    assert!(said.contains("printed: approved\n") && said.contains("whoever sits here"), "{said}");
}

#[test]
fn approve_runs_nothing_after_a_no_or_without_an_answer() {
    assert!(printed("approve", "no\n").ends_with("refused: policy.declined\n"));
    let silent = printed("approve", "");
    assert!(silent.contains("refused: policy.needs-approval") && !silent.contains("printed"), "{silent}");
}

#[test]
fn mcp_server_serves_a_client_by_its_own_rules() {
    let mut client = McpClient::start(&mut example("mcp_server")).ready();
    let answer = client.call("execute_command", &json!({ "command": "echo served" }));
    assert!(answer.to_string().contains("served"), "{answer}");
}

#[test]
fn every_example_is_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = std::fs::read_dir(folder).unwrap().flatten();
    for file in files.map(|file| file.file_name().into_string().unwrap()) {
        let name = file.trim_end_matches(".rs");
        let run = [format!("printed(\"{name}\""), format!("example(\"{name}\")")];
        assert!(run.iter().any(|call| include_str!("main.rs").contains(call)), "no test runs {file}");
    }
}
