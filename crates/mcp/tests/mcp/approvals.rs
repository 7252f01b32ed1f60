//! A person is asked: through the client's form, in rounds, or through the queue that the operator's socket serves.

use crate::client::{Called, Client};
use crate::place::Place;
use serde_json::{Value, json};
use testkit::until;

/// A place where a person is asked about `touch`.
fn asking() -> Place {
    place("")
}

fn place(more: &str) -> Place {
    let rules = format!("# the owner's\n[policy]\nallow = [\"echo\"]\nask = [\"touch\"]\n{more}");
    Place::with(&rules).set("ALLOWED_COMMANDS", None)
}

fn able(place: &Place) -> Client {
    let mut client = Client::silent(place, &[]);
    client.greet_as(&json!({"elicitation": {}}));
    client
}

/// What the command line says in the same place.
fn runward(place: &Place, args: &[&str]) -> (i32, String) {
    let said = place.command(&testkit::binary("runward"), args).output().unwrap();
    let words = String::from_utf8([said.stdout, said.stderr].concat()).unwrap();
    (said.status.code().unwrap(), words)
}

/// The one open question, once it is there.
fn question(place: &Place) -> Value {
    let mut open = Value::Null;
    until("a question is open", || {
        open = serde_json::from_str(&runward(place, &["approvals", "--json"]).1).unwrap();
        open.as_array().unwrap().len() == 1
    });
    open[0].clone()
}

fn no_question(place: &Place) {
    until("no question is open", || runward(place, &["approvals"]).1 == "no open questions\n");
}

fn code(called: &Called) -> &str {
    assert!(called.is_error, "{called:?}");
    called.fields["error"]["code"].as_str().unwrap()
}

const TOUCH: &str = "touch made";

fn touch() -> Value {
    json!({"command": TOUCH})
}

/// THREATS: no tool call can edit policy or approve.
#[test]
fn no_tool_approves() {
    let tools = Client::open(&["--profile", "all"]).ask("tools/list", &json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let known = [
        "execute_command",
        "execute_process",
        "start_command",
        "read_output",
        "write_input",
        "stop_command",
        "wait_command",
        "list_commands",
        "exec_command",
        "exec",
    ];
    assert_eq!(names, known, "a new tool must not approve, and must be added here");
}

#[test]
fn the_client_shows_the_draft_and_its_person_agrees_once() {
    let place = asking();
    let mut client = able(&place);
    for round in 0..2 {
        let call = client.send_call("execute_command", &touch());
        let form = client.hears("elicitation/create");
        let shown = form["params"]["message"].as_str().unwrap();
        let cwd = format!("cwd      {}\n", place.work().display());
        for part in ["command  touch made\n", &cwd, "sandbox  none\n", "why      ", "runward.toml"] {
            assert!(shown.contains(part), "{part:?}: {shown}");
        }
        let answers = &form["params"]["requestedSchema"]["properties"]["answer"]["enum"];
        assert_eq!(*answers, json!(["no", "once", "always"]));
        assert_eq!(place.work().join("made").exists(), round > 0, "nothing runs before the answer");
        client.reply(&form, &json!({"action": "accept", "content": {"answer": "once"}}));
        assert_eq!(client.called(call).fields["exit_code"], 0);
        assert!(place.work().join("made").exists());
    }
    assert!(!place.owners_text().contains("approved"));
}

#[test]
fn what_could_mislead_is_shown_escaped() {
    let place = asking();
    let mut client = able(&place);
    let call =
        client.send_call("execute_command", &json!({"command": "touch '\u{202e}x\u{200b}' p\u{430}y"}));
    let form = client.hears("elicitation/create");
    let shown = form["params"]["message"].as_str().unwrap();
    assert!(!shown.contains(['\u{202e}', '\u{200b}']), "{shown:?}");
    assert!(
        shown.contains("\\u202e") && shown.contains("\\u200b") && shown.contains("p\\u{430}y"),
        "{shown}"
    );
    client.reply(&form, &json!({"action": "decline"}));
    assert_eq!(code(&client.called(call)), "policy.declined");
}

#[test]
fn a_form_that_the_client_closes_is_no_answer_and_the_question_waits_in_the_queue() {
    let place = asking();
    let mut client = able(&place);
    for (content, verb, code) in
        [(Value::Null, "approve", None), (json!({"answer": "once"}), "decline", Some("policy.declined"))]
    {
        let call = client.send_call("execute_command", &touch());
        let form = client.hears("elicitation/create");
        client.reply(&form, &json!({"action": "cancel", "content": content}));
        let open = question(&place);
        assert!(!place.work().join("made").exists(), "closing it is no yes");
        assert_eq!(runward(&place, &[verb, open["id"].as_str().unwrap()]).0, 0);
        let called = client.called(call);
        assert_eq!(called.fields["error"]["code"].as_str(), code, "{called:?}");
        assert_eq!(place.work().join("made").exists(), verb == "approve");
        let _ = std::fs::remove_file(place.work().join("made"));
    }
}

#[test]
fn a_client_that_cannot_show_a_form_after_all_leaves_the_question_to_the_queue() {
    let place = asking();
    let mut client = able(&place);
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    let error = json!({"code": -32601, "message": "Method not found"});
    client.line(&json!({"jsonrpc": "2.0", "id": form["id"], "error": error}).to_string());
    let open = question(&place);
    assert_eq!(runward(&place, &["approve", open["id"].as_str().unwrap()]).0, 0);
    assert_eq!(client.called(call).fields["exit_code"], 0);
}

#[test]
fn a_form_that_is_closed_where_nobody_else_can_answer_is_a_refusal_that_says_so() {
    let far = format!("{}/{}", std::env::temp_dir().display(), "y".repeat(200));
    let place = asking().set("RUNWARD_STATE_DIR", Some(&far));
    let mut client = able(&place);
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    client.reply(&form, &json!({"action": "cancel"}));
    let called = client.called(call);
    assert_eq!(code(&called), "policy.needs-approval");
    assert!(called.text.contains("closed without an answer"), "{}", called.text);
    let _ = std::fs::remove_dir_all(far);
}

#[test]
fn a_form_that_is_declined_at_once_was_perhaps_seen_by_nobody() {
    let place = asking();
    let mut client = able(&place);
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    client.reply(&form, &json!({"action": "decline"}));
    let called = client.called(call);
    assert_eq!(code(&called), "policy.declined");
    let told = &called.text;
    assert!(told.contains("the client declined; perhaps nobody saw it"), "{told}");
    assert!(told.contains("runward approvals"), "{told}");
    no_question(&place);
    // A person who takes the time to look, and says no, has said no.
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    let shown = std::time::Instant::now();
    until("the form was looked at", || shown.elapsed() > std::time::Duration::from_millis(1100));
    client.reply(&form, &json!({"action": "decline"}));
    let called = client.called(call);
    assert!(called.text.contains("was asked and said no"), "{}", called.text);
    // Nor is a no that was chosen in the form anything else, however fast.
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    client.reply(&form, &json!({"action": "accept", "content": {"answer": "no"}}));
    assert!(client.called(call).text.contains("was asked and said no"));
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_question_names_what_a_text_comes_to() {
    let rules = "[policy]\nallow = [\"echo\", \"timeout\"]\nask = [\"touch\"]\n";
    let place = Place::with(rules).set("ALLOWED_COMMANDS", None);
    let mut client = able(&place);
    for (command, asked, rows) in [
        ("touch made", "Run `touch`?", vec!["runs     touch made (/"]),
        (
            "echo x && touch made | touch two",
            "Run `touch`?",
            vec!["runs     echo x\n", "         touch made (/"],
        ),
        ("timeout 5 touch made", "Run `touch`?", vec!["timeout 5 touch made (/", "touch made (/"]),
    ] {
        let call = client.send_call("execute_command", &json!({"command": command}));
        let form = client.hears("elicitation/create");
        let shown = form["params"]["message"].as_str().unwrap();
        assert!(shown.starts_with(asked), "{shown}");
        for row in rows {
            assert!(shown.contains(row), "{row:?}: {shown}");
        }
        assert!(!shown.contains("program  "), "{shown}");
        client.reply(&form, &json!({"action": "decline"}));
        client.called(call);
    }
}

#[test]
fn a_cancelled_call_takes_the_form_away() {
    let place = asking();
    let mut client = able(&place);
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    client.cancel(call);
    assert_eq!(client.hears("notifications/cancelled")["params"]["requestId"], form["id"]);
    client.reply(&form, &json!({"action": "accept", "content": {"answer": "once"}}));
    assert_eq!(client.call("execute_command", &json!({"command": "echo alive"})).fields["stdout"], "alive\n");
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_form_that_nobody_answers_is_taken_away_in_time() {
    let place = place("ask_timeout_ms = 100\n");
    let mut client = able(&place);
    let call = client.send_call("execute_command", &touch());
    let form = client.hears("elicitation/create");
    let called = client.called(call);
    assert_eq!(code(&called), "policy.needs-approval");
    assert!(called.text.contains("nobody answered within 100ms"), "{}", called.text);
    assert_eq!(client.hears("notifications/cancelled")["params"]["requestId"], form["id"]);
}

#[test]
fn without_a_form_the_operator_is_asked_and_approves_once() {
    let place = asking();
    let mut client = Client::connect(&place);
    let params = json!({"name": "execute_command", "arguments": touch(), "_meta": {"progressToken": "p"}});
    let call = client.send("tools/call", &params);
    let told = client.hears("notifications/progress");
    assert_eq!(told["params"]["message"], "waiting for a person to agree");
    let open = question(&place);
    assert_eq!((&open["command"], &open["caller"]), (&json!(TOUCH), &json!("test")));
    let (status, words) = runward(&place, &["approve", open["id"].as_str().unwrap()]);
    assert_eq!((status, words.as_str()), (0, "approved: touch made\n"));
    let called = client.called(call);
    assert_eq!(called.fields["exit_code"], 0, "{called:?}");
    assert!(place.work().join("made").exists());
    no_question(&place);
}

#[test]
fn the_operator_says_always_and_it_is_written_to_their_own_file() {
    let place = asking();
    let mut client = Client::connect(&place);
    let call = client.send_call("execute_command", &touch());
    let open = question(&place);
    let (status, words) = runward(&place, &["approve", "--always", open["id"].as_str().unwrap()]);
    assert!(status == 0 && words.contains("runward.toml"), "{words}");
    assert_eq!(client.called(call).fields["exit_code"], 0);
    let text = place.owners_text();
    assert!(text.starts_with("# the owner's\n") && text.contains("approved = true"), "{text}");
    assert_eq!(client.call("execute_command", &touch()).fields["exit_code"], 0, "unasked");
    let longer = client.send_call("execute_command", &json!({"command": "touch made more"}));
    let open = question(&place);
    assert_eq!(runward(&place, &["decline", open["id"].as_str().unwrap()]).1, "declined: touch made more\n");
    assert_eq!(code(&client.called(longer)), "policy.declined");
    // Another server of the same owner knows it, too.
    let mut other = Client::connect(&place);
    assert_eq!(other.call("execute_command", &touch()).fields["exit_code"], 0);
}

#[test]
fn a_cancelled_call_takes_its_question_back() {
    let place = asking();
    let mut client = Client::connect(&place);
    let call = client.send_call("execute_command", &touch());
    let open = question(&place);
    client.cancel(call);
    no_question(&place);
    let (status, words) = runward(&place, &["approve", open["id"].as_str().unwrap()]);
    assert!(status == 125 && words.contains("[approval.unknown]"), "{words}");
    assert!(!place.work().join("made").exists());
}

#[test]
fn an_operator_who_does_not_answer_in_time_is_a_refusal_that_says_how() {
    let place = place("ask_timeout_ms = 50\n");
    let called = Client::connect(&place).call("execute_command", &touch());
    assert_eq!(code(&called), "policy.needs-approval");
    assert!(called.text.contains("`runward approve ID`"), "{}", called.text);
}

#[test]
fn where_nobody_could_answer_nobody_is_waited_for() {
    // No socket has so long a name, so there is none.
    let far = format!("{}/{}", std::env::temp_dir().display(), "x".repeat(200));
    let place = asking().set("RUNWARD_STATE_DIR", Some(&far));
    let called = Client::connect(&place).call("execute_command", &touch());
    assert_eq!(code(&called), "policy.needs-approval");
    assert!(called.text.contains("nobody is there to ask"), "{}", called.text);
    let _ = std::fs::remove_dir_all(far);
}

#[test]
fn every_tool_that_runs_something_asks() {
    let place = asking();
    let mut client = Client::connect_with(&place, &["--profile", "all"]);
    let calls = [
        ("start_command", touch()),
        ("exec_command", json!({"cwd": ".", "command": ["touch", "made"]})),
        ("exec", json!({"lang": "bash", "code": TOUCH})),
    ];
    for (tool, arguments) in calls {
        let call = client.send_call(tool, &arguments);
        let open = question(&place);
        assert_eq!(open["tool"], tool);
        runward(&place, &["decline", open["id"].as_str().unwrap()]);
        assert!(client.called(call).is_error, "{tool}");
        assert!(!place.work().join("made").exists(), "{tool}");
    }
}

/// THREATS M01: the caller may not answer, by whichever way it starts the command line.
#[test]
fn a_command_cannot_answer_a_question() {
    let binary = testkit::binary("runward");
    let place = Place::with("[policy]\nallow = [\"*\"]\nask = [\"touch\"]\n").set("ALLOWED_COMMANDS", None);
    let mut client = Client::connect(&place);
    let asking = client.send_call("execute_command", &touch());
    let id = question(&place)["id"].as_str().unwrap().to_owned();
    let approve = format!("{} approve {id}", binary.display());
    for command in [
        format!("{approve} 2>&1"),
        format!("setsid {approve} 2>&1"),
        format!(
            "({approve} > out 2>&1; echo > over) & until [ -e over ]; do sleep 0.02; done; cat out; rm over"
        ),
        format!(
            "setsid -f sh -c '{approve} > out 2>&1; echo > over'; until [ -e over ]; do sleep 0.02; done; cat out"
        ),
    ] {
        let called = client.call("execute_command", &json!({"command": command}));
        assert!(called.text.contains("may not answer questions"), "{command}: {called:?}");
    }
    // Nor one of another server.
    let mut other = Client::connect(&place);
    let called = other.call("execute_command", &json!({"command": format!("{approve} 2>&1")}));
    assert!(called.text.contains("may not answer questions"), "{called:?}");
    assert!(!place.work().join("made").exists());
    assert_eq!(runward(&place, &["approve", &id]).0, 0, "a person may");
    assert_eq!(client.called(asking).fields["exit_code"], 0);
}

/// A request of the revision without a handshake, from a client that shows forms.
fn stateless(more: &Value) -> Value {
    let mut params = json!({"name": "execute_command", "arguments": touch(), "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}
    }});
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    params
}

/// The question that comes instead of an answer: its state.
fn round(client: &mut Client) -> String {
    let answer = client.ask("tools/call", &stateless(&json!({})));
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    let form = &result["inputRequests"]["approval"];
    assert_eq!(form["method"], "elicitation/create");
    assert!(form["params"]["message"].as_str().unwrap().contains("command  touch made\n"), "{form}");
    result["requestState"].as_str().unwrap().to_owned()
}

fn again(state: &str, answer: &str) -> Value {
    let said = json!({"action": "accept", "content": {"answer": answer}});
    stateless(&json!({"requestState": state, "inputResponses": {"approval": said}}))
}

fn failed(answer: &Value) -> &str {
    answer["result"]["structuredContent"]["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn without_a_handshake_the_question_is_an_answer_and_the_next_call_brings_the_persons() {
    let place = asking();
    let mut client = Client::silent(&place, &[]);
    let state = round(&mut client);
    assert!(!place.work().join("made").exists());
    let answer = client.ask("tools/call", &again(&state, "once"));
    assert_eq!(answer["result"]["structuredContent"]["exit_code"], 0, "{answer}");
    assert!(place.work().join("made").exists());
    assert_eq!(failed(&client.ask("tools/call", &again(&state, "once"))), "policy.needs-approval", "used up");
    let state = round(&mut client);
    assert_eq!(failed(&client.ask("tools/call", &again(&state, "no"))), "policy.declined");
    let state = round(&mut client);
    let answer = client.ask("tools/call", &again(&state, "always"));
    assert_eq!(answer["result"]["structuredContent"]["exit_code"], 0, "{answer}");
    let answer = client.ask("tools/call", &stateless(&json!({})));
    assert_eq!(answer["result"]["structuredContent"]["exit_code"], 0, "unasked: {answer}");
}

#[test]
fn without_a_handshake_a_form_that_is_closed_goes_on_to_the_queue_too() {
    let place = asking();
    let mut client = Client::silent(&place, &[]);
    let said = |state: &str, action: &str| {
        let said = json!({"action": action});
        stateless(&json!({"requestState": state, "inputResponses": {"approval": said}}))
    };
    let state = round(&mut client);
    let call = client.send("tools/call", &said(&state, "cancel"));
    let open = question(&place);
    assert!(!place.work().join("made").exists());
    assert_eq!(runward(&place, &["approve", open["id"].as_str().unwrap()]).0, 0);
    let answer = client.answer(call);
    assert_eq!(answer["result"]["structuredContent"]["exit_code"], 0, "{answer}");
    let state = round(&mut client);
    let answer = client.ask("tools/call", &said(&state, "decline"));
    assert_eq!(failed(&answer), "policy.declined");
    assert!(answer.to_string().contains("perhaps nobody saw it"), "{answer}");
}

#[test]
fn an_answer_counts_only_for_the_very_call_that_was_shown() {
    let place = asking();
    let mut client = Client::silent(&place, &[]);
    let state = round(&mut client);
    let mut other = again(&state, "once");
    other["arguments"] = json!({"command": "touch other"});
    assert_eq!(failed(&client.ask("tools/call", &other)), "policy.needs-approval");
    assert_eq!(failed(&client.ask("tools/call", &again("forged", "once"))), "policy.needs-approval");
    let mut stranger = Client::silent(&place, &[]);
    assert_eq!(failed(&stranger.ask("tools/call", &again(&state, "once"))), "policy.needs-approval");
    assert!(!place.work().join("other").exists() && !place.work().join("made").exists());
    // The question itself is still open, and stays open without an answer.
    let silent = client.ask("tools/call", &stateless(&json!({"requestState": state})));
    let state = silent["result"]["requestState"].as_str().unwrap_or_else(|| panic!("{silent}"));
    assert_eq!(
        client.ask("tools/call", &again(state, "once"))["result"]["structuredContent"]["exit_code"],
        0
    );
}

#[test]
fn an_answer_that_comes_too_late_does_not_count() {
    let limit = std::time::Duration::from_millis(300);
    let place = place("ask_timeout_ms = 300\n");
    let mut client = Client::silent(&place, &[]);
    let state = round(&mut client);
    let answered = std::time::Instant::now();
    until("the time is over", || answered.elapsed() > limit);
    assert_eq!(failed(&client.ask("tools/call", &again(&state, "once"))), "policy.needs-approval");
    assert!(!place.work().join("made").exists());
}
