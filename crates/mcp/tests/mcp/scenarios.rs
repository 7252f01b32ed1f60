//! The scenarios of the terminal server's specification, each a test of its name.

use crate::client::{Called, Client, yaml};
use crate::place::Place;
use serde_json::{Value, json};

fn call(place: &Place, arguments: &Value) -> Called {
    Client::connect(place).call("execute_command", arguments)
}

#[test]
fn execute_with_input() {
    let called = call(&Place::open(), &json!({"command": "cat", "input": "hello world"}));
    assert_eq!(yaml(&called)["stdout"], "hello world");
    let large = "0123456789abcdef".repeat(65_536);
    let called = call(&Place::open(), &json!({"command": "wc -c", "input": large}));
    assert_eq!(yaml(&called)["stdout"].as_str().unwrap().trim(), "1048576");
}

#[test]
fn execute_without_input_backward_compatibility() {
    let called = call(&Place::open(), &json!({"command": "echo no input"}));
    assert_eq!(yaml(&called)["stdout"], "no input\n");
    let called = call(&Place::open(), &json!({"command": "cat"}));
    assert_eq!((&yaml(&called)["exit_code"], &yaml(&called)["stdout"]), (&json!(0), &json!("")));
}

#[test]
fn yaml_output() {
    let called = call(&Place::open(), &json!({"command": "true"}));
    assert_eq!(yaml(&called), json!({"exit_code": 0, "stdout": "", "stderr": ""}));
}

#[test]
fn execute_with_relative_cwd() {
    let place = Place::open();
    std::fs::create_dir(place.work().join("frontend")).unwrap();
    let called = call(&place, &json!({"command": "pwd; npm -v", "cwd": "frontend"}));
    let yaml = yaml(&called);
    assert!(yaml["stdout"].as_str().unwrap().starts_with(place.work().join("frontend").to_str().unwrap()));
    assert!(["exit_code", "stdout", "stderr"].iter().all(|key| yaml.get(*key).is_some()));
}

#[test]
fn execute_with_absolute_cwd() {
    let place = Place::open();
    let folder = place.work().join("monorepo/frontend");
    std::fs::create_dir_all(&folder).unwrap();
    let called = call(&place, &json!({"command": "pwd", "cwd": folder}));
    assert_eq!(yaml(&called)["stdout"], format!("{}\n", folder.display()));
}

#[test]
fn error_on_non_existent_cwd() {
    let place = Place::open();
    let called = call(&place, &json!({"command": "touch ran", "cwd": "does-not-exist"}));
    assert!(called.is_error);
    assert!(called.text.starts_with("cwd does not exist: does-not-exist"), "{}", called.text);
    std::fs::write(place.work().join("file"), "").unwrap();
    let called = call(&place, &json!({"command": "touch ran", "cwd": "file"}));
    assert!(called.text.starts_with("cwd is not a directory: file"), "{}", called.text);
    assert!(!place.work().join("ran").exists());
}

#[test]
fn no_restriction_when_allowed_cwd_roots_is_unset() {
    let called = call(&Place::open(), &json!({"command": "pwd", "cwd": "/tmp"}));
    assert_eq!(yaml(&called)["stdout"], "/tmp\n");
}

fn allowing(commands: &str) -> Place {
    Place::with("").set("ALLOWED_COMMANDS", Some(commands))
}

#[test]
fn allowed_command() {
    let called = call(&allowing("ls,cat"), &json!({"command": "ls"}));
    assert!(!called.is_error, "{}", called.text);
    assert_eq!(yaml(&called)["exit_code"], 0);
}

#[test]
fn disallowed_command() {
    let called = call(&allowing("ls"), &json!({"command": "pwd"}));
    assert!(called.is_error);
    assert!(
        called.text.starts_with("Command \"pwd\" is not allowed, allowed commands: ls"),
        "{}",
        called.text
    );
    assert_eq!(called.fields["error"]["code"], "policy.denied");
    let place = Place::with("").set("ALLOWED_COMMANDS", None);
    for tool in ["execute_command", "start_command"] {
        let called = Client::connect(&place).call(tool, &json!({"command": "pwd"}));
        assert!(called.is_error, "{tool}: {}", called.text);
    }
}

#[test]
fn wildcard_allowlist() {
    let called = call(&allowing("*"), &json!({"command": "whoami"}));
    assert!(!called.is_error && !yaml(&called)["stdout"].as_str().unwrap().is_empty(), "{}", called.text);
}

/// A place with a folder that is allowed, and what it is allowed by.
fn rooted(extra: &str) -> Place {
    let place = allowing("pwd");
    std::fs::create_dir_all(place.work().join("monorepo/frontend")).unwrap();
    let roots = format!("{}{extra}", place.work().join("monorepo").display());
    place.set("ALLOWED_CWD_ROOTS", Some(&roots))
}

#[test]
fn allowed_when_within_allowed_cwd_roots() {
    let place = rooted("");
    let folder = place.work().join("monorepo/frontend");
    let called = call(&place, &json!({"command": "pwd", "cwd": folder}));
    assert_eq!(yaml(&called)["stdout"], format!("{}\n", folder.display()));
}

#[test]
fn rejected_when_outside_allowed_cwd_roots() {
    let called = call(&rooted(""), &json!({"command": "pwd", "cwd": "/tmp"}));
    assert!(
        called.is_error && called.text.starts_with("cwd is not allowed by ALLOWED_CWD_ROOTS: /tmp"),
        "{}",
        called.text
    );
}

#[test]
fn reject_when_allowed_cwd_roots_contains_an_invalid_root() {
    let place = rooted(",/path/that/does/not/exist");
    let called = call(&place, &json!({"command": "pwd", "cwd": place.work().join("monorepo/frontend")}));
    let want = "Invalid configuration: ALLOWED_CWD_ROOTS contains an invalid root: /path/that/does/not/exist";
    assert!(called.is_error && called.text.starts_with(want), "{}", called.text);
}
