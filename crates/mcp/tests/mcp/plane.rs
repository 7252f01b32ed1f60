//! What an agent cannot reach through the server: its own rules, another shell, another session.

use crate::client::Client;
use crate::place::Place;
use serde_json::{Value, json};

/// Every tool that any choice of tools offers, with all it is told by its definition.
fn tools() -> Vec<Value> {
    let listed = Client::open(&["--profile", "all"]).ask("tools/list", &json!({}));
    listed["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn m01_no_tool_changes_the_rules() {
    let names: Vec<String> = tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    let known = "execute_command execute_process start_command read_output write_input stop_command wait_command list_commands exec_command exec";
    for name in &names {
        assert!(known.split(' ').any(|known| known == name), "{name} is new: may it change what is allowed?");
    }
    assert_eq!(names.len(), known.split(' ').count(), "{names:?}");
}

#[test]
fn m01_no_argument_loosens_anything() {
    let sharp = [
        "policy",
        "allow",
        "approve",
        "sandbox",
        "root",
        "workspace",
        "config",
        "shell",
        "env",
        "sudo",
        "permission",
        "unsafe",
    ];
    for tool in tools() {
        let properties = tool["inputSchema"]["properties"].as_object();
        for name in properties.into_iter().flat_map(|all| all.keys()).filter(|name| *name != "shell_mode") {
            assert!(!sharp.iter().any(|word| name.contains(word)), "{}: {name}", tool["name"]);
        }
    }
    let mut client =
        Client::connect(&Place::with("policy.deny = [\"touch\"]").set("ALLOWED_COMMANDS", Some("echo")));
    for field in ["shell", "env", "sandbox", "allow", "approved", "policy", "allowed_commands", "force"] {
        let called = client.call("execute_command", &json!({"command": "echo hi", field: true}));
        assert!(called.is_error && called.text.contains(field), "{field}: {}", called.text);
    }
}

#[test]
fn m01_what_a_command_writes_changes_no_rules() {
    let place = Place::with("").set("ALLOWED_COMMANDS", Some("echo,export"));
    for (name, text) in [
        (".env", "ALLOWED_COMMANDS=*\n"),
        (".mcp.json", "{\"mcpServers\": {\"x\": {\"command\": \"touch\", \"args\": [\"pwned\"]}}}"),
        (".npmrc", "script-shell=./e\n"),
        ("runward.toml", "policy.allow = [\"*\"]\n"),
        ("e", "#!/bin/sh\ntouch pwned\n"),
    ] {
        std::fs::write(place.work().join(name), text).unwrap();
    }
    std::fs::create_dir(place.work().join(".cargo")).unwrap();
    std::fs::write(place.work().join(".cargo/config.toml"), "[env]\nALLOWED_COMMANDS = \"*\"\n").unwrap();
    let mut client = Client::connect(&place);
    for command in
        ["touch pwned", "export ALLOWED_COMMANDS='*'; touch pwned", "ALLOWED_COMMANDS='*' touch pwned", "./e"]
    {
        let called = client.call("execute_command", &json!({"command": command}));
        assert!(called.is_error && called.text.contains("is not allowed"), "{command}: {}", called.text);
    }
    assert!(!place.work().join("pwned").exists());
    assert!(!client.call("execute_command", &json!({"command": "echo hi"})).is_error);
}

#[test]
fn m07_no_argument_becomes_shell_text() {
    let place = Place::open();
    let mut client = Client::connect_with(&place, &["--profile", "all"]);
    let sharp = [
        "'; touch pwned; '",
        "\"; touch pwned; \"",
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned",
        "\ntouch pwned\n",
        "../../x",
        "%s",
    ];
    for text in sharp {
        for tool in ["read_output", "stop_command", "write_input", "wait_command"] {
            let mut arguments = json!({"sessionId": text});
            match tool {
                "write_input" => arguments["input"] = json!("x"),
                "wait_command" => arguments["until"] = json!({"exit": true}),
                _ => {}
            }
            let called = client.call(tool, &arguments);
            assert!(called.is_error && called.text.contains("Session not found"), "{tool}: {}", called.text);
        }
        let started =
            client.call("start_command", &json!({"command": "true", "name": text, "timeout": 5000}));
        assert!(!started.is_error || started.text.contains("name"), "{}", started.text);
        for arguments in [json!({"command": "true", "cwd": text}), json!({"command": "cat", "input": text})] {
            client.call("execute_command", &arguments);
        }
        let words = client.call("exec_command", &json!({"cwd": ".", "command": ["printf", "%s", text]}));
        assert_eq!(words.fields["stdout"], text);
        client.call("exec", &json!({"lang": text, "code": "1"}));
        client.call("exec", &json!({"lang": "bash", "code": "true", "version": text}));
        client.call("exec", &json!({"lang": "python", "code": "1", "stdin": text}));
        client.ask("resources/read", &json!({"uri": format!("runward://exec/{text}/stdout")}));
    }
    assert!(!place.work().join("pwned").exists());
}
