//! Progress: output while a call runs, no faster than stated.

use crate::client::Client;
use serde_json::{Value, json};

fn told(client: &Client) -> Vec<&Value> {
    client.heard.iter().filter(|message| message["method"] == "notifications/progress").collect()
}

fn call(client: &mut Client, command: &str) -> Value {
    let params = json!({"name": "execute_command", "arguments": {"command": command}, "_meta": {"progressToken": "p1"}});
    client.ask("tools/call", &params)
}

#[test]
fn output_lines_come_while_the_command_runs() {
    let mut client = Client::open(&[]);
    call(&mut client, "for i in 1 2 3 4; do echo line $i; sleep 0.15; done");
    let told = told(&client);
    assert!((3..=6).contains(&told.len()), "{told:?}");
    let text: Vec<&str> = told.iter().map(|it| it["params"]["message"].as_str().unwrap()).collect();
    assert_eq!(text.join("\n"), "line 1\nline 2\nline 3\nline 4");
    assert!(told.iter().all(|it| it["params"]["progressToken"] == "p1"));
    let numbers: Vec<f64> = told.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|one, two| one < two), "{numbers:?}");
}

#[test]
fn every_tool_that_runs_to_an_end_tells_progress_and_leaves_its_output_to_read() {
    let script = "echo one; sleep 0.3; echo two";
    for (tool, arguments) in [
        ("execute_command", json!({"command": script})),
        ("exec_command", json!({"cwd": ".", "command": ["sh", "-c", script]})),
        ("exec", json!({"lang": "bash", "code": script})),
    ] {
        let mut client = Client::open(&["--profile", "all"]);
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p1"}});
        let answer = client.ask("tools/call", &params);
        let said: Vec<&str> =
            told(&client).iter().map(|it| it["params"]["message"].as_str().unwrap()).collect();
        assert_eq!(said.join("\n"), "one\ntwo", "{tool}: {answer}");
        let listed = client.ask("resources/list", &json!({}));
        let uris: Vec<&Value> =
            listed["result"]["resources"].as_array().unwrap().iter().map(|it| &it["uri"]).collect();
        let uri = uris.iter().find(|uri| uri.as_str().unwrap().ends_with("/stdout")).unwrap();
        let read = client.ask("resources/read", &json!({"uri": uri}));
        assert_eq!(read["result"]["contents"][0]["text"], "one\ntwo\n", "{tool}: {read}");
    }
}

#[test]
fn a_flood_is_joined() {
    let mut client = Client::open(&[]);
    let answer = call(&mut client, "seq 1 300000");
    assert_eq!(answer["result"]["_meta"]["runward/receipt"]["stdout_bytes"], 1_988_895);
    let told = told(&client);
    assert!(told.len() < 60, "{}", told.len());
    assert!(told.iter().all(|it| it["params"]["message"].as_str().unwrap().len() <= 4100));
}

#[test]
fn without_a_token_nothing_is_told() {
    let mut client = Client::open(&[]);
    client.call("execute_command", &json!({"command": "echo one; sleep 0.3; echo two"}));
    assert_eq!(told(&client), [&Value::Null; 0]);
}

#[test]
fn what_looks_like_a_secret_is_not_told() {
    let mut client = Client::open(&[]);
    call(
        &mut client,
        "echo ghp_0123456789abcdefghij; echo 0123456789abcdef; sleep 0.3; echo API_TOKEN=very-secret-value",
    );
    let said: Vec<&str> = told(&client).iter().map(|it| it["params"]["message"].as_str().unwrap()).collect();
    let said = said.join("\n");
    assert_eq!(said, "[redacted]\n0123456789abcdef\nAPI_TOKEN=[redacted]");
}
