//! Child servers through the gateway: joined, forwarded both ways, kept alive, never left behind.

use crate::client::Client;
use crate::place::{Place, command};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::until;

/// A scripted child with these arguments.
pub(crate) fn child(args: &[&str]) -> Value {
    json!({"command": testkit::binary("scripted-child"), "args": args})
}

/// A place with a list of these servers.
pub(crate) fn place(servers: &Value) -> Place {
    let place = Place::with("").set("ALLOWED_COMMANDS", None);
    list(&place, servers);
    place
}

/// The owner's own list, which needs no approval.
pub(crate) fn list_file(place: &Place) -> PathBuf {
    place.owners_folder().join("servers.json")
}

/// Writes another list over the one there is.
pub(crate) fn list(place: &Place, servers: &Value) {
    std::fs::write(list_file(place), json!({ "mcpServers": servers }).to_string()).unwrap();
}

/// `runward gateway` with these arguments, ready to start.
pub(crate) fn gateway(place: &Place, args: &[&str]) -> Command {
    place.command(&testkit::binary("runward"), &[&["gateway"], args].concat())
}

/// A client of a gateway in this place, which can do these things.
pub(crate) fn connect_as(place: &Place, capabilities: &Value) -> Client {
    let mut client = Client::of(gateway(place, &[]));
    client.greet_as(capabilities);
    client
}

pub(crate) fn connect(place: &Place) -> Client {
    connect_as(place, &json!({}))
}

pub(crate) fn names(client: &mut Client, method: &str, field: &str) -> Vec<String> {
    let answer = client.ask(method, &json!({}));
    let all = answer["result"][field].as_array().unwrap_or_else(|| panic!("{answer}"));
    all.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

/// A file in a place that does not exist yet.
fn file(place: &Place, name: &str) -> PathBuf {
    place.work().join(name)
}

#[test]
fn everything_that_children_offer_is_offered_under_their_names() {
    let place = place(&json!({"one": child(&["--page", "3"]), "two": child(&["--no-resources"])}));
    let mut client = connect(&place);
    let tools = names(&mut client, "tools/list", "tools");
    for name in ["one__echo", "one__flood", "two__echo"] {
        assert!(tools.iter().any(|tool| tool == name), "{name}: {tools:?}");
    }
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["one__greet", "two__greet"]);
    assert_eq!(names(&mut client, "resources/templates/list", "resourceTemplates").len(), 1);
    let read = client.ask("resources/read", &json!({"uri": "test://a"}));
    assert_eq!(read["result"]["contents"][0]["text"], "text of test://a", "{read}");
    let fits = client.ask("resources/read", &json!({"uri": "test://item/7"}));
    assert_eq!(fits["result"]["contents"][0]["uri"], "test://item/7", "{fits}");
    let prompt = client.ask("prompts/get", &json!({"name": "two__greet", "arguments": {"name": "you"}}));
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Say hello to you.", "{prompt}");
}

#[test]
fn results_and_errors_pass_as_they_are() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let direct = direct(&place, "echo", &json!({"text": "é\u{1F600}\n"}));
    let echo = json!({"name": "one__echo", "arguments": {"text": "é\u{1F600}\n"}});
    let through = client.ask("tools/call", &echo);
    assert_eq!(through["result"], direct["result"]);
    assert!(
        through["result"].as_object().unwrap().keys().any(|key| key.starts_with("x")
            || !["content", "structuredContent", "isError", "_meta"].contains(&key.as_str())),
        "{through}"
    );
    let error = client.ask("tools/call", &json!({"name": "one__rpc_error", "arguments": {}}));
    assert_eq!(error["error"]["code"], -32050, "{error}");
    assert!(error["error"]["data"].is_object() || error["error"]["data"].is_array(), "{error}");
    let unknown = client.ask("tools/call", &json!({"name": "one__nothing", "arguments": {}}));
    assert_eq!(unknown["error"]["message"], "there is no tool named `one__nothing`");
}

/// What the child answers without a gateway.
fn direct(place: &Place, tool: &str, arguments: &Value) -> Value {
    let mut server = Client::of(place.command(&testkit::binary("scripted-child"), &[]));
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    server.ask("initialize", &hello);
    server.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
}

#[test]
fn what_a_child_asks_reaches_the_client_and_the_answer_comes_back() {
    let place = place(&json!({"one": child(&[])}));
    let can = json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}});
    let mut client = connect_as(&place, &can);
    for (tool, method, answer) in [
        (
            "one__sample",
            "sampling/createMessage",
            json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "so"}}),
        ),
        ("one__elicit", "elicitation/create", json!({"action": "accept", "content": {"a": "b"}})),
        ("one__roots", "roots/list", json!({"roots": [{"uri": "file:///srv"}]})),
    ] {
        let call = client.send_call(tool, &json!({}));
        let request = client.hears(method);
        client.reply(&request, &answer);
        let heard: Value = serde_json::from_str(&client.called(call).text).unwrap();
        assert_eq!(heard, answer, "{method}");
    }
    let seen: Value = serde_json::from_str(&client.call("one__ask_capabilities", &json!({})).text).unwrap();
    assert_eq!(
        seen["capabilities"],
        json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}})
    );
    assert_eq!(seen["clientInfo"]["name"], "test");
}

#[test]
fn a_child_is_not_told_that_the_client_can_do_what_it_cannot() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let seen: Value = serde_json::from_str(&client.call("one__ask_capabilities", &json!({})).text).unwrap();
    assert_eq!(seen["capabilities"], json!({}));
    let sampled = client.call("one__sample", &json!({}));
    assert!(sampled.text.contains("does not answer `sampling/createMessage`"), "{sampled:?}");
}

#[test]
fn progress_reaches_the_client_before_the_answer_under_its_own_token() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let params =
        json!({"name": "one__progress", "arguments": {"steps": 20}, "_meta": {"progressToken": "mine"}});
    let answer = client.ask("tools/call", &params);
    assert!(answer["result"].is_object(), "{answer}");
    let told: Vec<_> = client.heard.iter().filter(|m| m["method"] == "notifications/progress").collect();
    let steps: Vec<_> = told.iter().map(|m| m["params"]["progress"].as_f64().unwrap() as u64).collect();
    assert_eq!(steps, (1..=20).collect::<Vec<_>>());
    assert!(told.iter().all(|m| m["params"]["progressToken"] == "mine"), "{told:?}");
}

#[test]
fn a_call_that_is_given_up_is_given_up_at_the_child_too() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let log = file(&place, "cancelled");
    let call = client.send_call("one__wait", &json!({"until": "/nonexistent", "log": log}));
    // Answered after the child has taken the call before it.
    client.call("one__pid", &json!({}));
    client.cancel(call);
    until("the child heard of it", || {
        std::fs::read_to_string(&log).is_ok_and(|text| text.contains("cancelled"))
    });
}

#[test]
fn a_list_that_changes_is_followed_and_told_on() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let before = names(&mut client, "tools/list", "tools");
    assert!(!before.contains(&"one__extra".to_owned()));
    client.heard.clear();
    client.call("one__add_tool", &json!({}));
    client.hears("notifications/tools/list_changed");
    assert!(names(&mut client, "tools/list", "tools").contains(&"one__extra".to_owned()));
}

#[test]
fn subscriptions_completions_and_levels_reach_the_child_that_they_are_about() {
    let place = place(&json!({"one": child(&["--record", "heard"])}));
    let mut client = connect(&place);
    client.ask("resources/list", &json!({}));
    let subscribed = client.ask("resources/subscribe", &json!({"uri": "test://a"}));
    assert!(subscribed["result"].is_object(), "{subscribed}");
    client.call("one__touch", &json!({"uri": "test://a"}));
    let updated = client.hears("notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "test://a");
    let complete = json!({"ref": {"type": "ref/prompt", "name": "one__greet"}, "argument": {"name": "name", "value": ""}});
    let completed = client.ask("completion/complete", &complete);
    assert!(completed["result"]["completion"]["values"].is_array(), "{completed}");
    client.ask("logging/setLevel", &json!({"level": "debug"}));
    until("the child heard the level", || {
        std::fs::read_to_string(file(&place, "heard")).is_ok_and(|text| text.contains("logging/setLevel"))
    });
    client.call("one__log", &json!({}));
    let message = client.hears("notifications/message");
    assert!(message["params"]["logger"].as_str().unwrap().starts_with("one"), "{message}");
}

#[test]
fn a_child_that_dies_mid_call_is_an_error_at_once_and_comes_back_by_itself() {
    let place = place(&json!({"one": child(&[]), "two": child(&[])}));
    let mut client = connect(&place);
    let before = client.call("one__pid", &json!({})).text;
    let died = client.call("one__die", &json!({}));
    assert!(died.is_error, "{died:?}");
    assert_eq!(died.fields["error"]["code"], "gateway.unavailable");
    assert!(died.text.contains("died before it answered"), "{died:?}");
    let down = client.call("one__echo", &json!({"text": "x"}));
    assert!(down.is_error && down.text.contains("it is restarted in"), "{down:?}");
    assert!(!client.call("two__echo", &json!({"text": "x"})).is_error);
    until("it is back", || !client.call("one__pid", &json!({})).is_error);
    assert_ne!(client.call("one__pid", &json!({})).text, before);
}

#[test]
fn odd_children_harm_nobody() {
    let place = place(&json!({"odd": child(&[]), "two": child(&[])}));
    let mut client = connect(&place);
    assert_eq!(client.call("odd__junk", &json!({})).text, "after the junk");
    assert_eq!(client.call("odd__twice", &json!({})).text, "first");
    let late = client.send_call("odd__late", &json!({}));
    assert_eq!(client.call("odd__echo", &json!({"text": "next"})).text, "next");
    client.called(late);
    assert!(!client.call("odd__flood", &json!({"bytes": 50_000_000})).is_error);
    assert!(!client.call("two__echo", &json!({"text": "x"})).is_error);
}

#[test]
fn a_child_that_hangs_is_waited_for_no_longer_than_its_limit() {
    let mut hung = child(&[]);
    hung["timeout_ms"] = json!(300);
    let place = place(&json!({"hung": hung, "two": child(&[])}));
    let mut client = connect(&place);
    let first = client.send_call("hung__hang", &json!({}));
    assert!(!client.call("two__echo", &json!({"text": "x"})).is_error);
    let answer = client.answer(first);
    let late = client.call("hung__echo", &json!({"text": "x"}));
    assert!(late.is_error && late.text.contains("did not answer within 300ms"), "{answer} {late:?}");
}

#[test]
fn a_large_answer_and_many_calls_pass() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let big = client.call("one__big", &json!({"bytes": 15_000_000}));
    assert_eq!(big.text.len(), 15_000_000);
    let calls: Vec<_> =
        (0..100).map(|n| client.send_call("one__echo", &json!({"text": n.to_string()}))).collect();
    for (n, call) in calls.into_iter().enumerate().rev() {
        assert_eq!(client.called(call).text, n.to_string());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_floods_is_ended_with_a_reason_and_the_gateway_stays_small() {
    let place = place(&json!({"one": child(&[]), "two": child(&[])}));
    let mut client = connect(&place);
    assert!(!client.call("two__echo", &json!({"text": "x"})).is_error);
    let before = testkit::process::resident(client.pid());
    // Its request cannot be known.
    let line = r#"{"_": [], "result": ""#;
    let flood = client.call("one__endless", &json!({"bytes": 400_000_000, "text": line}));
    assert!(flood.is_error && flood.text.contains("it sent a message of more than 16 MiB"), "{flood:?}");
    assert_eq!(client.call("two__echo", &json!({"text": "x"})).text, "x");
    let grown = testkit::process::resident(client.pid()) - before;
    assert!(grown < 64 << 20, "it grew by {grown} bytes");
}

#[test]
fn children_start_side_by_side() {
    let place = place(&json!({}));
    let started = |n: usize| file(&place, &format!("started{n}"));
    let gate = file(&place, "gate");
    let servers: serde_json::Map<String, Value> = (0..4)
        .map(|n| {
            (
                format!("s{n}"),
                child(&["--count", started(n).to_str().unwrap(), "--start-when", gate.to_str().unwrap()]),
            )
        })
        .collect();
    list(&place, &Value::Object(servers));
    let mut client = connect(&place);
    // None answers its greeting before all have started.
    until("all have started", || (0..4).all(|n| started(n).exists()));
    std::fs::write(&gate, "").unwrap();
    let tools = names(&mut client, "tools/list", "tools");
    assert!((0..4).all(|n| tools.contains(&format!("s{n}__echo"))), "{tools:?}");
}

/// A child and what it has started on its own.
fn family(client: &mut Client) -> [PathBuf; 2] {
    let pid = |client: &mut Client, tool: &str| client.call(tool, &json!({})).text.trim().to_owned();
    let family = [pid(client, "one__pid"), pid(client, "one__spawn")];
    let family = family.map(|pid| PathBuf::from(format!("/proc/{pid}/exe")));
    assert!(family.iter().all(|process| process.read_link().is_ok()), "{family:?}");
    family
}

fn all_gone(family: &[PathBuf]) -> bool {
    family.iter().all(|process| process.read_link().is_err())
}

#[test]
fn nothing_is_left_when_the_gateway_is_killed() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let family = family(&mut client);
    signal(&client, "-KILL");
    until("nothing is left", || all_gone(&family));
}

#[test]
fn nothing_is_left_when_the_client_goes_away() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let family = family(&mut client);
    assert_eq!(client.close(), Some(0));
    assert!(all_gone(&family), "{family:?}");
}

fn signal(client: &Client, signal: &str) {
    let told = command(Path::new("kill")).args([signal, &client.pid().to_string()]).status().unwrap();
    assert!(told.success());
}

#[test]
fn only_servers_that_changed_start_anew_when_told_to_read_again() {
    let place = place(&json!({"same": child(&[]), "other": child(&[]), "gone": child(&[])}));
    let mut client = connect(&place);
    names(&mut client, "tools/list", "tools");
    let (same, other) =
        (client.call("same__pid", &json!({})).text, client.call("other__pid", &json!({})).text);
    client.heard.clear();
    list(&place, &json!({"same": child(&[]), "other": child(&["--name", "changed"]), "new": child(&[])}));
    signal(&client, "-HUP");
    client.hears("notifications/tools/list_changed");
    until("the new one is there", || {
        let tools = names(&mut client, "tools/list", "tools");
        tools.contains(&"new__pid".to_owned()) && !tools.iter().any(|tool| tool.starts_with("gone__"))
    });
    assert_eq!(client.call("same__pid", &json!({})).text, same);
    until("the other is another", || {
        let now = client.call("other__pid", &json!({}));
        !now.is_error && now.text != other
    });
    std::fs::write(list_file(&place), "{").unwrap();
    signal(&client, "-HUP");
    let warned = client.hears("notifications/message");
    assert!(warned.to_string().contains("the list of servers is broken"), "{warned}");
    assert_eq!(client.call("same__pid", &json!({})).text, same);
}

#[test]
fn with_strictness_one_that_does_not_come_up_ends_all() {
    let place = place(&json!({"good": child(&[]), "bad": child(&["--refuse-initialize"])}));
    let mut client = Client::of(gateway(&place, &["--strict"]));
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = client.ask("initialize", &hello);
    let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(message.starts_with("the server `bad` did not start"), "{answer}");
    assert_eq!(client.wait(), Some(125));
}

#[test]
fn a_child_that_fails_its_first_start_is_tried_again() {
    let place = place(&json!({}));
    let count = file(&place, "starts");
    list(&place, &json!({"slow": child(&["--fail-first", "1", "--count", count.to_str().unwrap()])}));
    let mut client = connect(&place);
    assert_eq!(names(&mut client, "tools/list", "tools"), Vec::<String>::new());
    client.hears("notifications/tools/list_changed");
    assert!(!client.call("slow__echo", &json!({"text": "x"})).is_error);
    assert_eq!(std::fs::read_to_string(&count).unwrap().lines().count(), 2);
}

#[test]
fn long_and_odd_names_are_shortened_and_still_found() {
    let long = "x".repeat(80);
    let place = place(&json!({"one": child(&["--tool", &long, "--tool", "a b"])}));
    let mut client = connect(&place);
    let tools = names(&mut client, "tools/list", "tools");
    let shaped = |name: &str| {
        name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    };
    assert!(tools.iter().all(|name| shaped(name)), "{tools:?}");
    let short = tools.iter().find(|name| name.starts_with("one__xxx")).unwrap().clone();
    assert_eq!(client.call(&short, &json!({})).text, long);
}

#[test]
fn the_houses_own_tools_and_children_are_served_together() {
    let place = Place::open();
    list(&place, &json!({"one": child(&[])}));
    let file = list_file(&place);
    let mut client = Client::connect_with(&place, &["--servers", file.to_str().unwrap(), "--separator", "-"]);
    let tools = names(&mut client, "tools/list", "tools");
    assert!(
        tools.contains(&"execute_command".to_owned()) && tools.contains(&"one-echo".to_owned()),
        "{tools:?}"
    );
    assert!(client.call("execute_command", &json!({"command": "echo ours"})).text.contains("ours"));
    assert_eq!(client.call("one-echo", &json!({"text": "theirs"})).text, "theirs");
}

#[test]
fn all_problems_of_a_list_are_told_at_once() {
    let place = place(&json!({"one": {"command": 5}, "two": {}, "three": {"command": "x", "argz": []}}));
    let out = gateway(&place, &[]).output().unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(125), "{said}");
    for path in ["mcpServers.one.command", "mcpServers.two", "mcpServers.three.argz"] {
        assert!(said.contains(path), "{path}: {said}");
    }
    assert!(out.stdout.is_empty());
}

#[test]
fn a_persons_tools_show_how_children_stand_and_what_they_printed() {
    let place = place(&json!({"one": child(&["--stderr", "hello from one"])}));
    let mut client = connect(&place);
    client.call("one__echo", &json!({"text": "x"}));
    let shown = |args: &[&str]| {
        let out = place.command(&testkit::binary("runward"), args).output().unwrap();
        String::from_utf8(out.stdout).unwrap()
    };
    let listed: Value = serde_json::from_str(&shown(&["ps", "--json"])).unwrap();
    let child = &listed[0];
    assert_eq!((child["name"].as_str(), child["state"].as_str()), (Some("one"), Some("up")), "{listed}");
    assert_eq!((&child["child"]["calls"], &child["child"]["restarts"]), (&json!(1), &json!(0)), "{listed}");
    assert!(child["child"]["memory"].as_u64().unwrap() > 100_000, "{listed}");
    assert!(child["child"]["p99_us"].as_u64() >= child["child"]["p50_us"].as_u64(), "{listed}");
    assert!(shown(&["ps"]).contains("SERVER"));
    assert!(shown(&["logs", "one"]).contains("hello from one"));
}

#[test]
fn a_server_gets_its_variables_its_folder_and_only_the_tools_that_are_shown() {
    let place = place(&json!({})).set("SECRET", Some("from outside"));
    std::fs::create_dir(file(&place, "inside")).unwrap();
    let mut one = child(&[]);
    one["env"] = json!({"A": "${SECRET}", "B": "$SECRET!", "C": "${NOTHING:-else}", "D": "$secret"});
    one["cwd"] = json!("inside");
    let mut two = child(&[]);
    two["tools"] = json!({"allow": ["echo", "p*"], "deny": ["pid"]});
    let mut off = child(&[]);
    off["disabled"] = json!(true);
    list(&place, &json!({"one": one, "two": two, "off": off}));
    let mut client = connect(&place);
    for (name, value) in [("A", "from outside"), ("B", "from outside!"), ("C", "else"), ("D", "$secret")] {
        assert_eq!(client.call("one__env", &json!({ "name": name })).text, value, "{name}");
    }
    assert_eq!(client.call("one__cwd", &json!({})).text, file(&place, "inside").to_str().unwrap());
    let tools = names(&mut client, "tools/list", "tools");
    let shown: Vec<_> = tools.iter().filter(|tool| !tool.starts_with("one__")).collect();
    assert_eq!(shown, ["two__echo", "two__progress"]);
    let hidden = client.ask("tools/call", &json!({"name": "two__pid", "arguments": {}}));
    assert_eq!(hidden["error"]["message"], "there is no tool named `two__pid`");
}

#[test]
fn a_gateway_says_its_name_and_tells_its_file_of_every_message_if_asked_to() {
    let place = place(&json!({"one": child(&[]), "bad": {"command": "no-such-program-anywhere"}}));
    let log = file(&place, "gateway.log");
    let args = ["--name", "mine", "--debug", "--log-file", log.to_str().unwrap()];
    let mut client = Client::of(gateway(&place, &args));
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(client.ask("initialize", &hello)["result"]["serverInfo"]["name"], "mine");
    assert_eq!(client.call("one__echo", &json!({"text": "a secret word"})).text, "a secret word");
    let told = std::fs::read_to_string(&log).unwrap();
    for part in ["one <- initialize #1", "one -> answer #1", "one <- tools/call", "the server `bad` is down"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("a secret word"), "{told}");
}

#[test]
fn a_list_that_is_not_there_is_one_clear_sentence() {
    let place = Place::with("");
    let out = gateway(&place, &["--config", "nowhere.json"]).output().unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(125), "{said}");
    assert!(
        said.contains("nowhere.json` does not exist") && said.contains("runward gateway import"),
        "{said}"
    );
}
