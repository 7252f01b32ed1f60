//! Lists of children that are remembered, and tools that are found instead of listed.

use crate::client::Client;
use crate::gateway::{child, connect, gateway, list, names, place};
use serde_json::json;

#[test]
fn a_list_is_answered_from_memory_while_the_child_is_still_being_started() {
    let place = place(&json!({}));
    let gate = place.work().join("gate");
    let args = ["--start-when", gate.to_str().unwrap(), "--name", "slow"];
    list(&place, &json!({"slow": child(&args), "quick": child(&[])}));
    std::fs::write(&gate, "").unwrap();
    assert!(names(&mut connect(&place), "tools/list", "tools").contains(&"slow__echo".to_owned()));
    // From now on it does not come up, and nothing waits for it.
    std::fs::remove_file(&gate).unwrap();
    let mut client = connect(&place);
    let begun = std::time::Instant::now();
    assert!(names(&mut client, "tools/list", "tools").contains(&"slow__echo".to_owned()));
    assert!(begun.elapsed() < std::time::Duration::from_secs(4), "{:?}", begun.elapsed());
    // A call waits for its own child, and no list has changed.
    let asked = client.send("tools/call", &json!({"name": "slow__echo", "arguments": {"text": "x"}}));
    assert!(!client.call("quick__echo", &json!({"text": "y"})).is_error);
    std::fs::write(&gate, "").unwrap();
    assert_eq!(client.answer(asked)["result"]["content"][0]["text"], "x");
}

#[test]
fn a_definition_passes_as_its_child_wrote_it() {
    let place = place(&json!({"one": child(&[])}));
    let answer = connect(&place).ask("tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let echo = tools.iter().find(|tool| tool["name"] == "one__echo").unwrap();
    assert_eq!(echo["execution"]["taskSupport"], "optional");
    assert_eq!((&echo["x-unknown"]["kept"], &echo["annotations"]["x-unknown"]), (&json!(true), &json!(1)));
}

#[test]
fn tools_can_be_found_and_called_without_being_listed() {
    let down = json!({"command": "/nonexistent/server"});
    let place = place(&json!({"one": child(&["--tool", "polish_shoes"]), "gone": down}));
    let mut client = Client::of(gateway(&place, &["--search"]));
    client.greet_as(&json!({}));
    let listed = client.ask("tools/list", &json!({}));
    assert!(listed.to_string().len() < 2500, "{listed}");
    assert_eq!(names(&mut client, "tools/list", "tools"), ["find_tool", "call_tool"]);
    let found = client.call("find_tool", &json!({"query": "polish"}));
    assert_eq!(found.fields["tools"][0]["name"], "one__polish_shoes", "{}", found.text);
    assert!(found.fields["down"][0].as_str().unwrap().contains("`gone`"), "{}", found.text);
    let called = client.call("call_tool", &json!({"name": "one__echo", "arguments": {"text": "through"}}));
    assert_eq!((called.text.as_str(), called.is_error), ("through", false));
    let absent = client.call("call_tool", &json!({"name": "one__nothing"}));
    assert!(absent.is_error && absent.text.contains("no tool named `one__nothing`"), "{}", absent.text);
    assert!(client.call("find_tool", &json!({"query": 5})).is_error);
}
