//! What a model reads and what a program reads is the same in every tool, and the rest of the receipt is beside it.

use crate::answers::SECRET;
use crate::client::{Called, Client, yaml};
use crate::place::Place;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap_or_else(|| panic!("{value}")).keys().cloned().collect()
}

/// Both forms say the same, and nothing of the receipt.
fn says_the_same(what: &str, called: &Called) {
    if called.is_error && called.fields.get("error").is_some_and(Value::is_object) {
        // A refusal: the sentence and the hint as text, the sentence and its code as fields.
        assert_eq!(keys(&called.fields["error"]), ["code", "message"].map(str::to_owned).into(), "{what}");
        let message = called.fields["error"]["message"].as_str().unwrap();
        assert!(called.text.starts_with(message), "{what}: {}", called.text);
        return;
    }
    assert_eq!(yaml(called), called.fields, "{what}");
    for word in ["plan", "containment", "limits", "schema"] {
        assert!(called.fields.get(word).is_none(), "{what}: {word}");
    }
}

#[test]
fn every_tool_says_the_same_in_both_forms() {
    let mut client = Client::open(&["--profile", "all"]);
    for ending in
        ["echo x", "exit 3", "kill -9 $$", "sleep 60", r"printf '\xff'", "", "seq 1 90000 | tr 0-9 a-j"]
    {
        for (tool, arguments) in [
            ("execute_command", json!({"command": ending, "timeout_ms": 400})),
            ("execute_process", json!({"file": "bash", "args": ["-c", ending], "timeout_ms": 400})),
        ] {
            says_the_same(&format!("{tool} `{ending}`"), &client.call(tool, &arguments));
        }
    }
    let started = client.call("start_command", &json!({"command": "echo x; read y; exit 3"}));
    says_the_same("start_command", &started);
    let id = started.fields["sessionId"].clone();
    for (tool, arguments) in [
        ("wait_command", json!({"sessionId": id, "until": "output", "pattern": "x"})),
        ("read_output", json!({"sessionId": id, "offset": 0})),
        ("list_commands", json!({})),
        ("write_input", json!({"sessionId": id, "input": "y\n"})),
        ("wait_command", json!({"sessionId": id, "until": "exit"})),
        ("read_output", json!({"sessionId": id, "offset": 0})),
        ("stop_command", json!({"sessionId": id})),
        ("read_output", json!({"sessionId": "nothing"})),
        ("wait_command", json!({"sessionId": id, "until": "moon"})),
        ("start_command", json!({"command": ""})),
    ] {
        says_the_same(&format!("{tool} {arguments}"), &client.call(tool, &arguments));
    }
}

#[test]
fn a_port_is_waited_for_in_every_spelling() {
    let mut client = Client::open(&[]);
    let serve = "import socket,time; s=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(300)";
    let command = format!("exec python3 -c \"{serve}\"");
    let called = client.call("start_command", &json!({"command": command, "timeout": 20_000}));
    let id = called.fields["sessionId"].clone();
    let port: u64 = called.fields["stdout"].as_str().unwrap().trim().parse().unwrap();
    for until in [
        json!({"sessionId": id, "until": "port", "port": port}),
        json!({"sessionId": id, "until": format!("port:{port}")}),
        json!({"sessionId": id, "until": {"port": port}}),
    ] {
        let met = client.call("wait_command", &until);
        assert_eq!(met.fields["met"], "port", "{until}: {}", met.text);
    }
}

#[test]
fn the_receipt_beside_an_answer_is_that_of_exec() {
    let place = Place::open();
    let called = Client::connect(&place).call("execute_command", &json!({"command": "echo x"}));
    let runward = testkit::binary("runward");
    let done = place.command(&runward, &["exec", "--json", "--", "bash", "-c", "echo x"]).output().unwrap();
    let told: Value = serde_json::from_slice(&done.stdout).unwrap();
    let beside = keys(&called.meta["runward/receipt"]);
    // `exec` has the output, too.
    let missing: Vec<String> = beside.difference(&keys(&told)).cloned().collect();
    assert_eq!(missing, [""; 0], "{told}");
    let more: Vec<String> = keys(&told).difference(&beside).cloned().collect();
    assert!(more.iter().all(|key| key.starts_with("std") || key == "schema"), "{more:?}");
}

#[test]
fn a_project_may_not_show_secrets() {
    let place = Place::open().set("GITHUB_TOKEN", Some(SECRET));
    std::fs::write(place.work().join(".runward.toml"), "[answer]\nmask = false\n").unwrap();
    let done = place.server(&[]).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(!done.status.success() && said.contains("`answer.mask`") && said.contains("project"), "{said}");
}

#[test]
fn what_a_command_changes_on_purpose_is_shown() {
    let place = Place::open().set("GITHUB_TOKEN", Some(SECRET));
    let mut client = Client::connect(&place);
    let turned = client.call("execute_command", &json!({"command": "echo $GITHUB_TOKEN | rev"}));
    let backwards: String = SECRET.chars().rev().collect();
    assert_eq!(turned.fields["stdout"], format!("{backwards}\n"));
    // Encodings that are usual are known; one within another is not.
    let once = client.call("execute_command", &json!({"command": "echo $GITHUB_TOKEN | base64 -w0"}));
    assert!(once.fields["stdout"].as_str().unwrap().contains("[redacted"), "{}", once.text);
    let twice =
        client.call("execute_command", &json!({"command": "echo $GITHUB_TOKEN | base64 -w0 | base64 -w0"}));
    assert!(!twice.fields["stdout"].as_str().unwrap().contains("[redacted"), "{}", twice.text);
}
