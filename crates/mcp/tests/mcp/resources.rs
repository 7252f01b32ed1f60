//! Resources: the output of a client's own commands, and of no other's.

use crate::client::Client;
use crate::place::Place;
use serde_json::json;

#[test]
fn a_finished_command_can_be_read_again() {
    let mut client = Client::open(&[]);
    let called = client.call("execute_command", &json!({"command": "printf 'abcdefgh'; echo oops >&2"}));
    let id = called.id();
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
fn what_is_kept_no_more_is_read_from_the_journal() {
    let place = Place::open();
    let mut client = Client::connect(&place);
    let first = client.call("execute_command", &json!({"command": "echo first; exit 3"})).id();
    let large = client.call("execute_command", &json!({"command": "head -c 3000000 /dev/zero | tr '\\0' x"}));
    (0..65).for_each(|_| drop(client.call("execute_command", &json!({"command": "true"}))));
    let first = first.as_str();
    let mut read = |id: &str, tail: &str| {
        let answer = client.ask("resources/read", &json!({"uri": format!("runward://exec/{id}/{tail}")}));
        answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    assert_eq!(read(first, "stdout"), "first\n");
    assert!(read(first, "receipt").contains("\"exit_code\":3"));
    assert_eq!(read(&large.id(), "stdout?offset=2999990&length=1000"), "x".repeat(10), "from the spool");
    // It is this client's alone.
    let mut other = Client::connect(&place);
    let answer = other.ask("resources/read", &json!({"uri": format!("runward://exec/{first}/stdout")}));
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
}

#[test]
fn a_session_that_is_kept_no_more_is_read_from_the_journal() {
    let mut client = Client::open(&[]);
    let started = client.call("start_command", &json!({"command": "echo hello; exit 4", "timeout": 60000}));
    let id = started.fields["sessionId"].as_str().unwrap().to_owned();
    client.call("wait_command", &json!({"sessionId": id, "until": {"exit": true}}));
    for _ in 0..257 {
        let next = client.call("start_command", &json!({"command": "true"}));
        client.call("wait_command", &json!({"sessionId": next.fields["sessionId"], "until": {"exit": true}}));
    }
    let read = client.call("read_output", &json!({"sessionId": id}));
    assert_eq!(
        (&read.fields["stdout"], &read.fields["exit_code"]),
        (&json!("hello\n"), &json!(4)),
        "{read:?}"
    );
    assert_eq!(&read.fields["state"], "exited");
    let read = client.call("read_output", &json!({"sessionId": id, "offset": -3}));
    assert_eq!(read.fields["stdout"], "lo\n");
}

#[test]
fn without_a_journal_only_so_many_are_kept() {
    let place = Place::open().set("RUNWARD_JOURNAL", Some("off"));
    let mut client = Client::connect(&place);
    let first = client.call("execute_command", &json!({"command": "true"})).id();
    (0..64).for_each(|_| drop(client.call("execute_command", &json!({"command": "true"}))));
    assert_eq!(
        client.ask("resources/list", &json!({}))["result"]["resources"].as_array().unwrap().len(),
        3 * 64
    );
    let uri = format!("runward://exec/{first}/stdout");
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
