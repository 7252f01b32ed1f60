//! `exec_command` and `exec`: allowed by choosing their profile, governed by a list where there is one.

use crate::client::Client;
use crate::place::Place;
use serde_json::{Value, json};

/// A server where nothing is allowed but what choosing a profile opens.
fn closed() -> Place {
    Place::with("").set("ALLOWED_COMMANDS", None)
}

#[test]
fn choosing_the_toolkit_opens_exec_command_and_nothing_else() {
    let place = closed();
    let mut client = Client::connect_with(&place, &["--profile", "toolkit"]);
    let called = client.call("exec_command", &json!({"cwd": ".", "command": ["echo", "a b", "$HOME"]}));
    assert!(!called.is_error, "{called:?}");
    assert_eq!(called.fields["stdout"], "a b $HOME\n", "tokens arrive unchanged");
    let mut fields: Vec<&str> = called.fields.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let mut nine = [
        "cwd",
        "command",
        "exit_code",
        "stdout",
        "stderr",
        "stdout_truncated",
        "stderr_truncated",
        "timed_out",
        "duration_ms",
    ];
    nine.sort_unstable();
    assert_eq!(fields, nine);
    assert_eq!(
        serde_json::from_str::<Value>(&called.text).unwrap(),
        called.fields,
        "JSON text says the same"
    );
    let mut terminal = Client::connect_with(&place, &[]);
    assert!(terminal.call("execute_command", &json!({"command": "echo x"})).is_error);
}

#[test]
fn exec_command_stays_in_the_workspace() {
    let place = closed();
    let mut client = Client::connect_with(&place, &["--profile", "toolkit"]);
    let outside = client.call("exec_command", &json!({"cwd": "/", "command": ["pwd"]}));
    assert!(outside.is_error);
    assert_eq!(outside.fields["error"]["code"], "SANDBOX_VIOLATION");
    let missing = client.call("exec_command", &json!({"cwd": "nope", "command": ["pwd"]}));
    assert_eq!(missing.fields["error"]["code"], "NOT_DIRECTORY");
    let wrong = client.call("exec_command", &json!({"cwd": ".", "command": []}));
    assert_eq!(wrong.fields["error"]["code"], "INVALID_ARGUMENT");
    let unknown = json!({"cwd": ".", "command": ["no-such-program"], "shell_mode": "direct"});
    let unknown = client.call("exec_command", &unknown);
    assert_eq!(unknown.fields["error"]["code"], "COMMAND_NOT_FOUND");
    assert!(unknown.text.contains("no-such-program"), "{}", unknown.text);
}

#[test]
fn the_definition_is_the_published_one() {
    let mut client = Client::open(&["--profile", "toolkit"]);
    let listed = client.ask("tools/list", &json!({}));
    let tool = &listed["result"]["tools"][0];
    let published = json!(runward_engine::toolkit::TOOL_DEFINITIONS.exec_command);
    assert_eq!(tool["name"], published["name"]);
    assert_eq!(tool["description"], published["description"]);
    assert_eq!(tool["inputSchema"], published["parameters"]);
}

#[test]
fn a_list_of_commands_governs_the_toolkit_too() {
    let place = Place::with("").set("ALLOWED_COMMANDS", Some("ls"));
    let mut client = Client::connect_with(&place, &["--profile", "toolkit"]);
    let refused = client.call("exec_command", &json!({"cwd": ".", "command": ["pwd"]}));
    assert_eq!(refused.fields["error"]["code"], "POLICY_DENIED");
    assert!(
        refused.text.contains("Command \"pwd\" is not allowed, allowed commands: ls"),
        "{}",
        refused.text
    );
}

#[test]
fn choosing_code_opens_exec() {
    let place = closed();
    let mut client = Client::connect_with(&place, &["--profile", "code"]);
    let called = client.call("exec", &json!({"lang": "python", "code": "print(6 * 7)"}));
    assert!(!called.is_error, "{called:?}");
    assert_eq!(called.fields, json!({"success": true, "exit_code": 0, "stdout": "42\n", "stderr": ""}));
    let called = client.call("exec", &json!({"lang": "cobol", "code": "x"}));
    assert!(called.is_error);
    assert_eq!(called.fields["error"], "exec: Unsupported language 'cobol' (LANG_UNSUPPORTED)");
    let called = client.call("exec", &json!({"lang": "sh", "code": "exit 3"}));
    assert_eq!((called.is_error, &called.fields["exit_code"]), (false, &json!(3)));
}
