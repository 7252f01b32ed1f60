//! Remote child servers: streamable HTTP, with a token, gone and back again.

use crate::client::Client;
use crate::gateway::{connect, gateway, names, place};
use crate::http::TOKEN;
use crate::place::Place;
use crate::real::{Listening, everything_at};
use serde_json::{Value, json};
use std::net::TcpListener;
use testkit::until;

/// A server at an address, with what is shown to it.
fn remote(port: u16, token: &str) -> Value {
    let headers = json!({"Authorization": format!("Bearer {token}")});
    json!({"url": format!("http://127.0.0.1:{port}/mcp"), "headers": headers})
}

/// A port where nothing listens now.
fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Our own server at this port; nothing if another process was faster.
fn ours_at(elsewhere: &Place, port: u16) -> Option<Listening> {
    let mut server = elsewhere.server(&["--http", &format!("127.0.0.1:{port}")]);
    server.env("RUNWARD_TOKEN", TOKEN);
    Listening::start(server).map(|(listening, _)| listening)
}

/// A server at a port that it could have.
fn somewhere(start: impl Fn(u16) -> Option<Listening>) -> (Listening, u16) {
    std::iter::repeat_with(port).find_map(|port| Some((start(port)?, port))).unwrap()
}

/// Progress of a call that was just answered, by its token.
fn steps(client: &Client, token: &str) -> Vec<f64> {
    let told = client.heard.iter().filter(|one| one["method"] == "notifications/progress");
    let told = told.map(|one| &one["params"]).filter(|params| params["progressToken"] == token);
    told.map(|params| params["progress"].as_f64().unwrap()).collect()
}

#[test]
fn a_server_of_ours_elsewhere_is_a_child() {
    let elsewhere = Place::open();
    let (_server, port) = somewhere(|port| ours_at(&elsewhere, port));
    let mut client = connect(&place(&json!({"far": remote(port, TOKEN)})));
    let tools = names(&mut client, "tools/list", "tools");
    assert!(tools.contains(&"far__execute_command".to_owned()), "{tools:?}");
    let params = json!({
        "name": "far__execute_command", "arguments": {"command": "echo one; echo two"},
        "_meta": {"progressToken": "t"}
    });
    let answer = client.ask("tools/call", &params);
    assert_eq!(answer["result"]["structuredContent"]["stdout"], "one\ntwo\n", "{answer}");
    assert!(!steps(&client, "t").is_empty(), "{:?}", client.heard);
}

#[test]
fn a_server_of_others_elsewhere_is_a_child() {
    let elsewhere = Place::open();
    let (_server, port) = somewhere(|port| everything_at(&elsewhere, port));
    let mut client = connect(&place(&json!({"far": remote(port, TOKEN)})));
    assert!(names(&mut client, "tools/list", "tools").contains(&"far__echo".to_owned()));
    assert_eq!(client.call("far__echo", &json!({"message": "é"})).text, "Echo: é");
    let params = json!({
        "name": "far__trigger-long-running-operation", "arguments": {"duration": 0.1, "steps": 3},
        "_meta": {"progressToken": "t"}
    });
    let answer = client.ask("tools/call", &params);
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("completed"), "{answer}");
    assert_eq!(steps(&client, "t"), [1.0, 2.0, 3.0]);
}

/// A call is an error at once while the server is away, noticed or not, and works again when it is back.
fn goes_and_comes_back(start: impl Fn(u16) -> Option<Listening>, tool: &str, arguments: &Value) {
    let (server, port) = somewhere(&start);
    let mut server = Some(server);
    let mut client = connect(&place(&json!({"far": remote(port, TOKEN)})));
    assert!(!client.call(tool, arguments).is_error);
    for noticed in [true, false] {
        server = None;
        if noticed {
            let down = client.call(tool, arguments);
            assert!(down.is_error && down.text.contains("`far`"), "{down:?}");
            assert_eq!(down.fields["error"]["code"], "gateway.unavailable", "{down:?}");
        }
        until("it has its port again", || {
            server = start(port);
            server.is_some()
        });
        until("it answers again", || works(&mut client, tool, arguments));
    }
    drop(server);
}

fn works(client: &mut Client, tool: &str, arguments: &Value) -> bool {
    let answer = client.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
    answer["result"].is_object() && answer["result"]["isError"] != true
}

#[test]
fn a_server_of_ours_that_went_away_is_an_error_until_it_is_back() {
    let elsewhere = Place::open();
    let arguments = json!({"command": "true"});
    goes_and_comes_back(|port| ours_at(&elsewhere, port), "far__execute_command", &arguments);
}

#[test]
fn a_server_of_others_that_went_away_is_an_error_until_it_is_back() {
    let elsewhere = Place::open();
    goes_and_comes_back(|port| everything_at(&elsewhere, port), "far__echo", &json!({"message": "x"}));
}

#[test]
fn a_server_that_is_not_there_yet_is_found_when_it_is() {
    let elsewhere = Place::open();
    let port = port();
    let mut client = connect(&place(&json!({"far": remote(port, TOKEN)})));
    assert_eq!(names(&mut client, "tools/list", "tools"), Vec::<String>::new());
    let _server = ours_at(&elsewhere, port).unwrap();
    client.hears("notifications/tools/list_changed");
    assert!(!client.call("far__execute_command", &json!({"command": "true"})).is_error);
}

#[test]
fn a_wrong_token_is_an_error_that_names_the_status() {
    let elsewhere = Place::open();
    let (_server, port) = somewhere(|port| ours_at(&elsewhere, port));
    let place = place(&json!({"far": remote(port, "wrong")}));
    let mut client = Client::of(gateway(&place, &["--strict"]));
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = client.ask("initialize", &hello);
    let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(message.contains("`far`") && message.contains("401"), "{answer}");
    assert!(!message.contains("wrong"), "a token is nobody's business: {answer}");
}
