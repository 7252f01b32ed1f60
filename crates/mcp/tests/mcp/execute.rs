//! `execute_command`, every promise of its description.

use crate::client::{Client, yaml};
use crate::place::Place;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use testkit::TreeMark;

fn run(arguments: &Value) -> crate::client::Called {
    Client::open(&[]).call("execute_command", arguments)
}

#[test]
fn the_first_three_keys_are_exit_code_stdout_stderr() {
    let called = run(&json!({"command": "echo one; echo two; echo three >&2; exit 3"}));
    assert!(!called.is_error, "a non-zero exit is an answer");
    assert_eq!(called.text, "exit_code: 3\nstdout: |\n  one\n  two\nstderr: |\n  three\n");
    assert_eq!(called.fields, json!({"exit_code": 3, "stdout": "one\ntwo\n", "stderr": "three\n"}));
}

#[test]
fn output_comes_back_exactly_or_plain() {
    let command = json!({"command": r"printf 'a \t\r\n\n  b: c\n---\n\033[1mx\033[0m\n\xf0\x9f\x98\x80'"});
    let place = Place::with("[policy]\nallow = [\"*\"]\n[answer]\nplain = false\n");
    let exact = Client::connect(&place).call("execute_command", &command);
    for (called, want) in [
        (run(&command), "a \t\n\n  b: c\n---\nx\n😀"),
        (exact, "a \t\r\n\n  b: c\n---\n\u{1b}[1mx\u{1b}[0m\n😀"),
    ] {
        assert_eq!(yaml(&called)["stdout"], want);
        assert_eq!(called.fields["stdout"], want);
    }
}

#[test]
fn what_is_not_utf8_is_shown_with_escapes() {
    let called = run(&json!({"command": r"printf 'a\xff\x5cb'"}));
    assert_eq!(yaml(&called)["stdout"], "a\\xff\\x5cb");
    assert_eq!(yaml(&called)["stdout_encoding"], "binary");
    assert_eq!(called.fields["stdout_encoding"], "binary");
    assert!(yaml(&called).get("stderr_encoding").is_none());
}

#[test]
fn a_timeout_is_an_error_with_what_was_printed() {
    let mark = TreeMark::new();
    let begun = Instant::now();
    let command = format!("echo begun; sleep {0} & sleep {0}", mark.text());
    let called = run(&json!({"command": command, "timeout_ms": 1000}));
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
    assert!(called.is_error);
    let yaml = yaml(&called);
    assert_eq!(
        (&yaml["exit_code"], &yaml["stdout"], &yaml["timed_out"]),
        (&json!(124), &json!("begun\n"), &json!(true))
    );
    let error = yaml["error"].as_str().unwrap();
    assert!(error.contains("Timed out after 1000ms"), "{error}");
    assert!(
        error.contains("may be waiting for input") && error.contains("`start_command` instead"),
        "{error}"
    );
    assert_eq!(called.fields, yaml);
    assert_eq!(mark.carriers(), [0_u32; 0]);
}

/// The digit that was written as this letter.
fn digit(letter: char) -> char {
    ('a'..='j')
        .position(|one| one == letter)
        .map_or(letter, |digit| char::from(b'0' + u8::try_from(digit).unwrap()))
}

#[test]
fn long_output_keeps_head_and_tail_and_says_where_the_rest_is() {
    let place = Place::open();
    let mut client = Client::connect(&place);
    let command = json!({"command": "seq 1 200000 | tr 0-9 a-j", "max_chars": 200_000});
    let called = client.call("execute_command", &command);
    let yaml = yaml(&called);
    let stdout = yaml["stdout"].as_str().unwrap();
    assert!(stdout.starts_with("b\nc\n") && stdout.contains("\nbjjjjj\ncaaaaa\n[whole: "), "{stdout:.80}");
    assert!(called.text.chars().count() <= 200_400, "{}", called.text.len());
    assert_eq!(called.fields, yaml);
    let id = yaml["id"].as_str().unwrap();
    let uri = format!("runward://exec/{id}/stdout?offset=100000&length=50");
    let read = client.ask("resources/read", &json!({"uri": uri}));
    let whole: String = (1..=200_000).map(|n| format!("{n}\n")).collect();
    let digits: String = read["result"]["contents"][0]["text"].as_str().unwrap().chars().map(digit).collect();
    assert_eq!(digits, whole[100_000..100_050]);
}

#[test]
fn the_worst_output_fits_into_a_frame() {
    let command = "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero | tr '\\0' '\\377' >&2";
    let mut client = Client::open(&[]);
    let id = client.send_call("execute_command", &json!({"command": command}));
    let answer = client.answer(id);
    assert!(answer.to_string().len() < 16 * 1024 * 1024);
    assert_eq!(answer["result"]["structuredContent"]["stderr_encoding"], "binary");
}

#[test]
fn what_outlives_the_command_is_killed_and_counted() {
    let mark = TreeMark::new();
    let called = run(&json!({"command": format!("setsid sleep {} & echo started", mark.text())}));
    assert_eq!(yaml(&called)["leftovers"], 1);
    assert_eq!(mark.carriers(), [0_u32; 0]);
}

#[test]
fn a_signal_is_named() {
    let called = run(&json!({"command": "kill -9 $$"}));
    for answer in [yaml(&called), called.fields] {
        assert_eq!((&answer["exit_code"], &answer["signal"]), (&Value::Null, &json!("SIGKILL")));
    }
}

#[test]
fn a_refusal_is_an_answer_that_says_why_and_what_to_do() {
    let place = Place::with("[policy]\ndeny = [\"rm\"]\nallow = [\"*\"]\n");
    let mut client = Client::connect(&place);
    let called = client.call("execute_command", &json!({"command": "rm -rf x"}));
    assert!(called.is_error);
    let error = &called.fields["error"];
    assert_eq!(error["code"], "policy.denied");
    let message = error["message"].as_str().unwrap();
    assert!(called.text.starts_with(message) && called.text.len() > message.len(), "{}", called.text);
    assert!(error.get("hint").is_none(), "the hint is in the text alone");
    let logged = client.heard.iter().find(|message| message["method"] == "notifications/message").unwrap();
    assert_eq!(
        (&logged["params"]["level"], &logged["params"]["data"]["tool"]),
        (&json!("warning"), &json!("execute_command"))
    );
}

#[test]
fn wrong_arguments_are_told_to_the_model() {
    let mut client = Client::open(&[]);
    for (arguments, named) in [
        (json!({"command": "ls", "shell": "zsh"}), "there is no `shell`"),
        (json!({"cwd": "/"}), "`command` is missing"),
        (json!({"command": ["ls"]}), "`command` is"),
        (
            json!({"command": "ls", "timeout_ms": "soon"}),
            "`timeout_ms` is \"soon\", which is not a whole number",
        ),
        (json!({"command": "ls", "timeout": 30}), "`timeout_ms` is in milliseconds"),
        (json!({"cmd": "ls"}), "did you mean `command`?"),
        (json!({"command": "ls", "timeout_ms": 0}), "`timeout_ms` is 0, which is not between 1 and 600000"),
        (json!({"command": "ls", "timeout_ms": 600_001}), "between 1 and 600000"),
        (json!({"command": ""}), "empty"),
        (json!({"command": "a\u{0}b"}), "NUL"),
    ] {
        let called = client.call("execute_command", &arguments);
        assert!(called.is_error && called.text.contains(named), "{arguments}: {}", called.text);
        assert!(called.fields["error"]["code"].as_str().unwrap().starts_with("spec."), "{}", called.fields);
    }
    assert!(
        !client.call("execute_command", &json!({"command": "true", "cwd": null, "input": null})).is_error
    );
}

#[test]
fn a_command_that_had_to_be_killed_harms_none_that_follow() {
    let mut client = Client::open(&[]);
    let stubborn = json!({"command": "trap '' TERM; sleep 300; sleep 300", "timeout_ms": 100});
    assert_eq!(client.call("execute_command", &stubborn).fields["exit_code"], 124);
    for _ in 0..3 {
        assert_eq!(
            client.call("execute_command", &json!({"command": "echo alive"})).fields["stdout"],
            "alive\n"
        );
    }
}
