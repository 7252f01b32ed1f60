//! Resources: what a client ran, and nothing that another one ran.

use crate::client::Client;
use serde_json::json;

#[test]
fn a_finished_command_can_be_read_again() {
    let mut client = Client::open(&[]);
    let called = client.call("execute_command", &json!({"command": "printf 'abcdefgh'; echo oops >&2"}));
    let id = called.fields["id"].as_str().unwrap().to_owned();
    let mut read =
        |tail: &str| client.ask("resources/read", &json!({"uri": format!("runward://exec/{id}/{tail}")}));
    assert_eq!(read("stdout")["result"]["contents"][0]["text"], "abcdefgh");
    assert_eq!(read("stdout?offset=2&length=3")["result"]["contents"][0]["text"], "cde");
    assert_eq!(read("stderr")["result"]["contents"][0]["text"], "oops\n");
    let receipt = read("receipt")["result"]["contents"][0].clone();
    assert_eq!(receipt["mimeType"], "application/json");
    let receipt: serde_json::Value = serde_json::from_str(receipt["text"].as_str().unwrap()).unwrap();
    assert_eq!((&receipt["exit_code"], &receipt["id"]), (&json!(0), &json!(id)));
    assert!(read("stdin")["error"]["message"].as_str().unwrap().contains("is not of the form"));
    assert!(read("stdout?offset=x")["error"].is_object());
}

#[test]
fn resources_and_their_shapes_are_listed() {
    let mut client = Client::open(&[]);
    assert_eq!(client.ask("resources/list", &json!({}))["result"]["resources"], json!([]));
    client.call("execute_command", &json!({"command": "true"}));
    let listed = client.ask("resources/list", &json!({}));
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 3);
    let templates = client.ask("resources/templates/list", &json!({}));
    assert_eq!(
        templates["result"]["resourceTemplates"][0]["uriTemplate"],
        "runward://exec/{id}/stdout{?offset,length}"
    );
}

#[test]
fn only_so_many_are_kept() {
    let mut client = Client::open(&[]);
    let first = client.call("execute_command", &json!({"command": "true"})).fields["id"].clone();
    (0..64).for_each(|_| drop(client.call("execute_command", &json!({"command": "true"}))));
    assert_eq!(
        client.ask("resources/list", &json!({}))["result"]["resources"].as_array().unwrap().len(),
        3 * 64
    );
    let uri = format!("runward://exec/{}/stdout", first.as_str().unwrap());
    let gone = client.ask("resources/read", &json!({"uri": uri}));
    assert_eq!(gone["error"]["code"], -32002, "{gone}");
    assert_eq!(gone["error"]["data"]["uri"], uri);
}

#[test]
fn a_client_hears_as_much_as_it_asks_for() {
    let mut client = Client::open(&[]);
    let told =
        |client: &Client| client.heard.iter().filter(|it| it["method"] == "notifications/message").count();
    client.call("execute_command", &json!({"command": "true"}));
    assert_eq!(told(&client), 0);
    client.ask("logging/setLevel", &json!({"level": "info"}));
    client.call("execute_command", &json!({"command": "true"}));
    assert_eq!(told(&client), 1);
    client.ask("logging/setLevel", &json!({"level": "emergency"}));
    client.call("execute_command", &json!({"command": "true", "cwd": "nowhere"}));
    assert_eq!(told(&client), 1);
}
