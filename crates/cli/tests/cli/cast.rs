//! `runward log ID --cast`: what appeared on a session's terminal, as a recording that players read.

use crate::agent::Agent;
use crate::runner::Place;
use serde_json::{Value, json};

fn only(place: &Place) -> String {
    let said = place.run(["log", "--json"]);
    let one: Value = serde_json::from_str(said.stdout.trim()).unwrap_or_else(|_| panic!("{said:?}"));
    one["id"].as_str().unwrap().to_owned()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs this on a terminal to its end, and gives the recording of it.
fn recorded(place: &Place, command: &str) -> (Vec<Value>, Vec<u8>) {
    let mut agent = Agent::serve(place, &["mcp"], &[]);
    let arguments = json!({"command": command, "pty": true, "cols": 93, "rows": 31});
    let session = agent.calls("start_command", &arguments)["sessionId"].clone();
    let typed = json!({"sessionId": session, "input": "typed", "newline": true});
    agent.calls("wait_command", &json!({"sessionId": session, "until": {"output": "begun"}}));
    agent.calls("write_input", &typed);
    agent.calls("wait_command", &json!({"sessionId": session, "until": {"exit": true}}));
    drop(agent);
    let id = only(place);
    let said = place.run(["log", &id, "--cast"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    let output = place.command(["log", &id, "--output"]).output().unwrap();
    (lines(&said.stdout), output.stdout)
}

#[test]
fn a_pty_session_is_exported_as_asciicast_v2_whose_texts_joined_are_what_was_printed() {
    let place = Place::new();
    let command = "printf 'begun \\033[1mbold ü\\033[0m\\n'; read line; echo \"got $line\"; stty size; printf 'cut \\303'";
    let (lines, output) = recorded(&place, command);
    let (head, events) = lines.split_first().unwrap();
    assert_eq!(
        (&head["version"], &head["width"], &head["height"]),
        (&json!(2), &json!(93), &json!(31)),
        "{head}"
    );
    assert!(head["timestamp"].as_u64().unwrap() > 1_700_000_000 && head["title"] == command, "{head}");
    let mut before = 0.0;
    let mut text = String::new();
    for event in events {
        let [at, kind, shown] = &event.as_array().unwrap()[..] else { panic!("{event}") };
        assert!(at.as_f64().unwrap() >= before && kind == "o", "{event}");
        before = at.as_f64().unwrap();
        text.push_str(shown.as_str().unwrap());
    }
    // What was typed came back as an echo; the last byte is half a letter.
    assert_eq!(text, "begun \u{1b}[1mbold ü\u{1b}[0m\r\ntyped\r\ngot typed\r\n31 93\r\ncut \\xc3");
    assert_eq!(output, [text.trim_end_matches("\\xc3").as_bytes(), b"\xc3"].concat());
}

#[test]
fn a_recording_that_is_larger_than_memory_keeps_is_whole() {
    let place = Place::new();
    let command = "echo begun; read line; seq 1 300000; echo over";
    let (lines, output) = recorded(&place, command);
    let text: String = lines[1..].iter().map(|event| event[2].as_str().unwrap()).collect();
    assert!(
        text.starts_with("begun\r\ntyped\r\n1\r\n2\r\n") && text.ends_with("300000\r\nover\r\n"),
        "{}",
        text.len()
    );
    assert!(text.as_bytes() == output, "{} and {} bytes", text.len(), output.len());
}
