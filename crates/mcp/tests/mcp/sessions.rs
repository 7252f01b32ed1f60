//! Sessions: started now, read, typed into, waited for and stopped later.

use crate::client::{Client, yaml};
use crate::place::Place;
use serde_json::{Value, json};
use testkit::TreeMark;

fn start(client: &mut Client, arguments: &Value) -> String {
    let called = client.call("start_command", arguments);
    assert!(!called.is_error, "{}", called.text);
    assert!(called.fields["pid"].is_u64());
    called.fields["sessionId"].as_str().unwrap().to_owned()
}

#[test]
fn a_session_is_read_typed_into_and_ends_by_itself() {
    let mut client = Client::open(&[]);
    let id = start(&mut client, &json!({"command": "read line; echo got $line; echo done >&2; exit 5"}));
    let empty = client.call("read_output", &json!({"sessionId": id}));
    assert_eq!((&empty.fields["stdout"], &empty.fields["exit_code"]), (&json!(""), &Value::Null));
    let wrote = client.call("write_input", &json!({"sessionId": id, "input": "hello", "newline": true}));
    assert_eq!((wrote.text.as_str(), &wrote.fields), ("success: true\n", &json!({"success": true})));
    let met = client.call("wait_command", &json!({"sessionId": id, "until": {"exit": true}}));
    assert_eq!(met.fields["met"], "exit");
    assert_eq!((&met.fields["stdout"], &met.fields["stderr"]), (&json!("got hello\n"), &json!("done\n")));
    assert_eq!((&met.fields["exit_code"], &met.fields["state"]), (&json!(5), &json!("exited")));
    assert!(met.fields.get("next_offset").is_none(), "there is no more to read");
    assert_eq!(yaml(&met), met.fields, "words and fields are the same");
    let late = client.call("write_input", &json!({"sessionId": id, "input": "more"}));
    assert!(late.is_error && late.text.contains("has ended already: exit 5"), "{}", late.text);
    let again = client.call("read_output", &json!({"sessionId": id, "offset": -6}));
    assert_eq!(again.fields["stdout"], "hello\n");
}

#[test]
fn starting_with_a_timeout_brings_the_first_output() {
    let mut client = Client::open(&[]);
    let called =
        client.call("start_command", &json!({"command": "echo ready; sleep 300", "timeout": 20_000}));
    assert_eq!((&called.fields["stdout"], &called.fields["exit_code"]), (&json!("ready\n"), &Value::Null));
    let called = client.call("start_command", &json!({"command": "exit 4", "timeout": 20_000}));
    assert_eq!(called.fields["exit_code"], 4);
}

#[test]
fn a_read_wakes_on_output_and_on_the_end() {
    let mut client = Client::open(&[]);
    let id = start(&mut client, &json!({"command": "sleep 0.2; echo a; read x"}));
    let read = client.call("read_output", &json!({"sessionId": id, "timeout": 20_000}));
    assert_eq!(read.fields["stdout"], "a\n");
    client.call("write_input", &json!({"sessionId": id, "eof": true}));
    let read = client.call("read_output", &json!({"sessionId": id, "timeout": 20_000}));
    assert_eq!((&read.fields["state"], &read.fields["exit_code"]), (&json!("exited"), &json!(1)));
}

#[test]
fn output_is_searched_and_read_in_parts() {
    let mut client = Client::open(&[]);
    let id = start(&mut client, &json!({"command": "seq 1 30; echo err >&2"}));
    client.call("wait_command", &json!({"sessionId": id, "until": {"exit": true}}));
    let found = client.call("read_output", &json!({"sessionId": id, "offset": 0, "grep": "^2.$"}));
    assert_eq!(found.fields["stdout"].as_str().unwrap().lines().count(), 10);
    assert_eq!(found.fields["stdout_offsets"][0], 48);
    let id = start(&mut client, &json!({"command": "seq 1 200"}));
    client.call("wait_command", &json!({"sessionId": id, "until": "exit"}));
    let part = client.call("read_output", &json!({"sessionId": id, "offset": 0, "max_chars": 200}));
    let shown = part.fields["stdout"].as_str().unwrap();
    assert!(shown.starts_with("1\n2\n") && shown.ends_with('\n') && shown.len() < 200, "{shown}");
    assert_eq!(part.fields["next_offset"], json!({"stdout": shown.len()}));
    assert_eq!(part.fields["stdout_left"], json!(692 - shown.len()));
    let id = start(&mut client, &json!({"command": "echo err >&2"}));
    client.call("wait_command", &json!({"sessionId": id, "until": "exit"}));
    let error = client.call("read_output", &json!({"sessionId": id, "offset": 0, "stream": "stderr"}));
    assert_eq!(error.fields["stderr"], "err\n");
    assert!(error.fields.get("stdout").is_none());
}

#[test]
fn a_terminal_shows_states_and_a_screen() {
    let mut client = Client::open(&[]);
    let id = start(
        &mut client,
        &json!({"command": "printf 'name? '; read n; read -s p; printf '10%%\\r99%%\\n'; cat", "pty": true, "rows": 10, "cols": 40}),
    );
    let met = client.call("wait_command", &json!({"sessionId": id, "until": {"output": "name\\? $"}}));
    assert_eq!(met.fields["met"], "output");
    let met = client.call("wait_command", &json!({"sessionId": id, "until": {"input": true}}));
    assert_eq!((&met.fields["met"], &met.fields["state"]), (&json!("input"), &json!("waiting_input")));
    client.call("write_input", &json!({"sessionId": id, "input": "me", "keys": ["enter"]}));
    testkit::until("it waits for a password", || {
        client.call("read_output", &json!({"sessionId": id})).fields["state"] == "waiting_password"
    });
    client.call("write_input", &json!({"sessionId": id, "input": "secret", "newline": true}));
    client.call("wait_command", &json!({"sessionId": id, "until": {"output": "99%"}}));
    let read = client.call("read_output", &json!({"sessionId": id, "screen": true}));
    assert_eq!(read.fields["screen"].as_str().unwrap().trim_end(), "name? me\n99%");
    let keys = client.call("write_input", &json!({"sessionId": id, "keys": ["hyper-x"]}));
    assert!(keys.is_error && keys.text.contains("`hyper-x`"), "{}", keys.text);
    client.call("write_input", &json!({"sessionId": id, "keys": ["ctrl-c"]}));
    let met = client.call("wait_command", &json!({"sessionId": id, "until": {"exit": true}}));
    assert_eq!(met.fields["state"], "exited");
}

#[test]
fn waiting_meets_quiet_and_ports_and_running_out_of_time_is_no_error() {
    let mut client = Client::open(&[]);
    let serve = "import socket,time; s=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(300)";
    let called = client.call(
        "start_command",
        &json!({"command": format!("exec python3 -c \"{serve}\""), "timeout": 20_000}),
    );
    let id = called.fields["sessionId"].as_str().unwrap().to_owned();
    let port: u64 = called.fields["stdout"].as_str().unwrap().trim().parse().unwrap();
    let mut wait = |until: Value, timeout: u64| {
        client.call("wait_command", &json!({"sessionId": id, "until": until, "timeout": timeout})).fields["met"].clone()
    };
    assert_eq!(wait(json!({"port": port}), 20_000), "port");
    assert_eq!(wait(json!({"idle_ms": 50}), 20_000), "idle_ms");
    assert_eq!(wait(json!({"output": "never"}), 50), "timeout");
}

#[test]
fn stopping_ends_the_whole_tree_and_reports_the_ending() {
    let (mut client, mark) = (Client::open(&[]), TreeMark::new());
    let command = format!("setsid sleep {0} & sleep {0} & echo up; wait", mark.text());
    let id = start(&mut client, &json!({"command": command, "timeout": 20_000}));
    let stopped = client.call("stop_command", &json!({"sessionId": id}));
    assert_eq!((&stopped.fields["success"], &stopped.fields["exit_code"]), (&json!(true), &Value::Null));
    assert_eq!(
        (&stopped.fields["signal"], &stopped.fields["stopped"]),
        (&json!("SIGTERM"), &json!("caller"))
    );
    assert_eq!(mark.carriers(), [0_u32; 0]);
    let again = client.call("stop_command", &json!({"sessionId": id, "signal": "SIGKILL"}));
    assert_eq!(again.fields, stopped.fields, "a finished session stays as it is");
    let wrong = client.call("stop_command", &json!({"sessionId": id, "signal": "SIGNOPE"}));
    assert!(wrong.is_error && wrong.text.contains("SIGNOPE"));
}

#[test]
fn a_deadline_stops_a_session() {
    let mut client = Client::open(&[]);
    let id = start(&mut client, &json!({"command": "sleep 300", "deadline_ms": 100}));
    let met = client.call("wait_command", &json!({"sessionId": id, "until": {"exit": true}}));
    assert_eq!((&met.fields["exit_code"], &met.fields["timed_out"]), (&json!(124), &json!(true)));
}

#[test]
fn sessions_are_listed_with_their_names() {
    let mut client = Client::open(&[]);
    assert_eq!(client.call("list_commands", &json!({})).text, "commands: []\n");
    let id = start(&mut client, &json!({"command": "sleep 300", "name": "a: nap"}));
    start(&mut client, &json!({"command": "echo hi; exit 2", "timeout": 20_000}));
    testkit::until("the second one has ended", || {
        client.call("list_commands", &json!({})).fields["commands"][1]["state"] == "exited"
    });
    let listed = client.call("list_commands", &json!({}));
    let commands = &listed.fields["commands"];
    assert_eq!((&commands[0]["sessionId"], &commands[0]["name"]), (&json!(id), &json!("a: nap")));
    assert_eq!((&commands[1]["exit_code"], &commands[1]["stdout_bytes"]), (&json!(2), &json!(3)));
    assert_eq!(yaml(&listed)["commands"][0]["name"], "a: nap");
    let unknown = client.call("list_commands", &json!({"all": true}));
    assert!(unknown.is_error && unknown.text.contains("`all`"));
}

#[test]
fn what_is_not_a_session_of_this_client_is_not_found() {
    let place = Place::open();
    let (mut one, mut two) = (Client::connect(&place), Client::connect(&place));
    let id = start(&mut one, &json!({"command": "sleep 300"}));
    for (tool, arguments) in [
        ("read_output", json!({"sessionId": id})),
        ("write_input", json!({"sessionId": id, "input": "x"})),
        ("stop_command", json!({"sessionId": id})),
        ("wait_command", json!({"sessionId": id, "until": {"exit": true}})),
    ] {
        let called = two.call(tool, &arguments);
        assert!(
            called.is_error && called.text.starts_with(&format!("Session not found: {id}")),
            "{}",
            called.text
        );
        assert_eq!(called.fields["error"]["code"], "session.unknown");
    }
    let injected = one.call("read_output", &json!({"sessionId": "'; touch pwned; '"}));
    assert!(injected.text.starts_with("Session not found: '; touch pwned; '"));
}

#[test]
fn the_sixty_fifth_session_is_refused_with_the_list() {
    let mut client = Client::open(&[]);
    let ids: Vec<String> = (0..64).map(|_| start(&mut client, &json!({"command": "sleep 300"}))).collect();
    let refused = client.call("start_command", &json!({"command": "sleep 300"}));
    assert!(refused.is_error && refused.text.contains(&ids[0]), "{}", refused.text);
    assert_eq!(refused.fields["error"]["code"], "engine.busy");
}

#[test]
fn a_person_can_see_and_end_a_session_from_outside() {
    let place = Place::open();
    let mut client = Client::connect(&place);
    let id = start(&mut client, &json!({"command": "sleep 300", "name": "nap"}));
    let mut said = String::new();
    testkit::until("the session is shown", || {
        let output = place.command(&testkit::binary("runward"), &["ps"]).output().unwrap();
        said = String::from_utf8(output.stdout).unwrap();
        said.contains("nap")
    });
    assert!(place.command(&testkit::binary("runward"), &["kill", "nap"]).status().unwrap().success());
    let met = client.call("wait_command", &json!({"sessionId": id, "until": {"exit": true}}));
    assert_eq!((&met.fields["exit_code"], &met.fields["signal"]), (&Value::Null, &json!("SIGTERM")));
    assert_eq!(client.close(), Some(0));
    let run = place.env().into_iter().find(|(name, _)| *name == "RUNWARD_STATE_DIR").unwrap().1;
    let left = std::fs::read_dir(std::path::Path::new(&run).join("run")).unwrap().count();
    assert_eq!(left, 0, "the socket goes with the server");
}
