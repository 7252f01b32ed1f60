//! Child servers that are down: a caller of theirs is told why, and what to do.

use crate::client::{Called, Client};
use crate::gateway::{child, connect, gateway, place};
use serde_json::{Value, json};

fn is_unavailable(called: &Called, words: &[&str]) {
    assert!(called.is_error, "{called:?}");
    assert_eq!(called.fields["error"]["code"], "gateway.unavailable", "{called:?}");
    for part in words {
        assert!(called.text.contains(part), "{part}: {called:?}");
    }
}

fn is_refused(answer: &Value, words: &str) {
    assert_eq!(answer["error"]["data"]["code"], "gateway.unavailable", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains(words), "{words}: {answer}");
}

#[test]
fn what_a_child_that_never_came_up_would_have_is_unavailable_with_the_reason() {
    let mut off = child(&[]);
    off["disabled"] = json!(true);
    let servers = json!({
        "up": child(&["--no-resources"]), "down": {"command": "no-such-program-anywhere"},
        "rude": child(&["--refuse-initialize"]), "off": off,
    });
    let place = place(&servers);
    let mut client = connect(&place);
    is_unavailable(
        &client.call("down__anything", &json!({})),
        &["the server `down` is down", "it is restarted in", "no-such-program-anywhere"],
    );
    is_unavailable(&client.call("rude__echo", &json!({})), &["`rude`", "refused `initialize`"]);
    is_unavailable(&client.call("off__echo", &json!({})), &["`off` is switched off", "Take `disabled` out"]);
    is_refused(&client.ask("prompts/get", &json!({"name": "down__greet"})), "the server `down` is down");
    is_refused(&client.ask("prompts/get", &json!({"name": "off__greet"})), "switched off");
    let read = client.ask("resources/read", &json!({"uri": "test://a"}));
    is_refused(&read, "no server that is up has `test://a`, 1 more are not, and the server `down` is down");
    let complete = json!({"ref": {"type": "ref/prompt", "name": "down__greet"}, "argument": {"name": "name", "value": ""}});
    is_refused(&client.ask("completion/complete", &complete), "the server `down` is down");
    let unknown = client.ask("tools/call", &json!({"name": "up__nothing", "arguments": {}}));
    assert_eq!(unknown["error"]["message"], "there is no tool named `up__nothing`");
    let nobodys = client.ask("tools/call", &json!({"name": "nobody__nothing", "arguments": {}}));
    assert_eq!(nobodys["error"]["message"], "there is no tool named `nobody__nothing`");
}

#[test]
fn a_child_that_is_being_started_is_waited_for_and_one_that_waits_for_a_yes_is_told() {
    let place = place(&json!({"own": child(&[])}));
    let file = place.work().join("named.json");
    let write = |changed: &str| {
        let list = json!({"mcpServers": {"same": child(&[]), "other": child(&["--name", changed])}});
        std::fs::write(&file, list.to_string()).unwrap();
    };
    let start = || {
        let mut client = Client::of(gateway(&place, &["--config", file.to_str().unwrap()]));
        client.greet_as(&json!({}));
        client
    };
    write("before");
    // The lists were not asked for yet.
    assert_eq!(start().call("other__echo", &json!({"text": "x"})).text, "x");
    write("after");
    let mut client = start();
    is_unavailable(
        &client.call("other__echo", &json!({})),
        &["the server `other` waits for a person's approval", "runward gateway consent"],
    );
    assert_eq!(client.call("same__echo", &json!({"text": "x"})).text, "x");
}
