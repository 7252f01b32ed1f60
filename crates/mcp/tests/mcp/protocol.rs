//! The protocol itself, used well and badly.

use crate::client::Client;
use crate::place::Place;
use serde_json::json;

#[test]
fn profiles_and_names_pick_tools() {
    let names = |args: &[&str]| -> Vec<String> {
        let tools = Client::open(args).ask("tools/list", &json!({}));
        let tools = tools["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let terminal = [
        "execute_command",
        "execute_process",
        "start_command",
        "read_output",
        "write_input",
        "stop_command",
        "wait_command",
        "list_commands",
    ];
    assert_eq!(names(&[]), terminal);
    assert_eq!(names(&["--profile", "terminal"]), terminal);
    assert_eq!(names(&["--tools", "list_commands,execute_command"]), ["execute_command", "list_commands"]);
    let place = Place::open();
    let said = place.server(&["--tools", "sudo"]).output().unwrap();
    assert_eq!(said.status.code(), Some(125));
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(words.contains("there is no tool named `sudo`") && said.stdout.is_empty(), "{words}");
}

#[test]
fn a_tool_that_is_not_offered_does_not_exist() {
    let mut client = Client::open(&["--tools", "list_commands"]);
    for tool in ["execute_command", "sudo"] {
        let answer = client.ask("tools/call", &json!({"name": tool, "arguments": {"command": "ls"}}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(tool));
    }
}

#[test]
fn every_handshake_revision_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let place = Place::open();
        let mut client = Client::silent(&place, &[]);
        let hello = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let answer = client.ask("initialize", &hello);
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(answer["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn requests_without_a_handshake_are_answered_in_the_stateless_revision() {
    let place = Place::open();
    let mut client = Client::silent(&place, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let answer = client.ask("server/discover", &json!({"_meta": meta}));
    assert!(answer["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{answer}");
    let call = json!({"name": "execute_command", "arguments": {"command": "echo hi"}, "_meta": meta});
    let answer = client.ask("tools/call", &call);
    assert_eq!(answer["result"]["structuredContent"]["stdout"], "hi\n", "{answer}");
}

#[test]
fn misuse_is_answered_and_the_server_lives_on() {
    let mut client = Client::open(&[]);
    assert_eq!(client.ask("no/such/method", &json!({}))["error"]["code"], -32601);
    client.line("{\"jsonrpc\": \"2.0\", \"id\": ");
    client.line("not json at all");
    client.bytes(b"\xff\xfe\xfd\n\n\r\n");
    client.line("[]");
    client.line("{\"jsonrpc\": \"2.0\"}");
    client.line(
        &json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": {"name": 5}}).to_string(),
    );
    let called = client.call("execute_command", &json!({"command": "echo alive"}));
    assert_eq!(called.fields["stdout"], "alive\n");
}

#[test]
fn a_request_of_a_hundred_megabytes_is_dropped_and_the_server_lives_on() {
    let mut client = Client::open(&[]);
    client.bytes(b"{\"jsonrpc\": \"2.0\", \"id\": 1000, \"method\": \"");
    let block = vec![b'x'; 1 << 20];
    (0..100).for_each(|_| client.bytes(&block));
    client.bytes(b"\"}\n");
    let called = client.call("execute_command", &json!({"command": "echo alive"}));
    assert_eq!(called.fields["stdout"], "alive\n");
}

#[test]
fn half_a_line_then_the_end_is_a_clean_end() {
    let mut client = Client::open(&[]);
    client.bytes(b"{\"jsonrpc\": \"2.0\", \"id\": 5, \"meth");
    assert_eq!(client.close(), Some(0));
    assert_eq!(Client::silent(&Place::open(), &[]).close(), Some(0));
}
