//! What a model is shown: small, whole where it fits, cut where it does not, and never with a secret in it.

use crate::client::{Called, Client, yaml};
use crate::place::Place;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use testkit::TreeMark;

pub(crate) const SECRET: &str = "ghp_aZ3kQ9sLmX7vT1bR5nYw2cE8uHdJ4fGi0";

fn run(command: &str) -> Called {
    Client::open(&[]).call("execute_command", &json!({ "command": command }))
}

/// A program of this name in the folder, found before all others, that prints this and ends so.
fn pretend(place: &Place, name: &str, prints: &str, ends: &str) -> String {
    let bin = place.work().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(place.work().join("printed"), prints).unwrap();
    let program = bin.join(name);
    std::fs::write(&program, format!("#!/bin/sh\ncat {}/printed\n{ends}\n", place.work().display())).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

/// A client in a place where `cargo` prints this.
fn with_program(name: &str, prints: &str, ends: &str) -> Client {
    let place = Place::open();
    let path = pretend(&place, name, prints, ends);
    Client::within(place.set("PATH", Some(&path)))
}

/// A test run of so many tests, of which one in the middle fails.
fn libtest(tests: usize) -> String {
    let mut text = format!("running {tests} tests\n");
    for number in 0..tests {
        let how = if number == tests / 2 { "FAILED" } else { "ok" };
        text.push_str(&format!("test module::checks::number_{number}_holds_what_it_says ... {how}\n"));
    }
    let name = format!("module::checks::number_{}_holds_what_it_says", tests / 2);
    text.push_str(&format!(
        "\nfailures:\n\n---- {name} stdout ----\n\nthread '{name}' panicked at src/lib.rs:7:9:\nassertion `left == right` \
         failed: the sum\n  left: 41\n right: 42\n\n\nfailures:\n    {name}\n\ntest result: FAILED. {} passed; 1 failed; 0 ignored; \
         0 measured; 0 filtered out; finished in 0.01s\n\n",
        tests - 1
    ));
    text
}

#[test]
fn an_answer_is_no_longer_than_it_must_be() {
    let called = run("echo hello");
    assert_eq!(called.text, "exit_code: 0\nstdout: |\n  hello\nstderr: \"\"\n");
    assert!(called.text.len() <= 45);
    assert!(called.fields.to_string().len() <= 60, "{}", called.fields);
}

#[test]
fn both_forms_have_the_same_keys_and_nothing_of_the_receipt() {
    let mut client = Client::open(&[]);
    for (command, timeout) in [
        ("echo x", 9000),
        ("exit 3", 9000),
        ("kill -9 $$", 9000),
        ("sleep 60", 100),
        (r"printf '\xff'", 9000),
        ("seq 1 90000", 9000),
    ] {
        let called = client.call("execute_command", &json!({"command": command, "timeout_ms": timeout}));
        assert_eq!(yaml(&called), called.fields, "{command}");
        let keys: Vec<&String> = called.fields.as_object().unwrap().keys().collect();
        let place = |name: &str| keys.iter().position(|key| *key == name);
        assert_eq!((place("exit_code"), place("stdout").is_some()), (Some(0), true), "{command}");
        for ending in ["signal", "timed_out", "stopped"].into_iter().filter_map(place) {
            assert!(Some(ending) < place("stdout"), "{command}: the ending comes first: {keys:?}");
        }
        for word in ["plan", "pid", "containment", "limits", "schema"] {
            assert!(called.fields.get(word).is_none(), "{command}: {word}");
        }
        let receipt = &called.meta["runward/receipt"];
        assert!(receipt["id"].is_string() && receipt["rule"].is_string(), "{receipt}");
    }
}

#[test]
fn every_number_of_a_long_output_is_found_once_by_its_addresses() {
    let mut client = Client::open(&[]);
    let folded = client.call("execute_command", &json!({"command": "seq 1 180000"}));
    assert!(folded.text.chars().count() <= 600, "{}", folded.text);
    // In letters, so that no line is like another.
    let called = client.call("execute_command", &json!({"command": "seq 1 180000 | tr 0-9 a-j"}));
    assert!(called.text.chars().count() <= 24_400 && called.fields.to_string().chars().count() <= 24_400);
    let shown = called.fields["stdout"].as_str().unwrap();
    let id = called.fields["id"].as_str().unwrap();
    let (mut all, mut offset) = (String::new(), 0_u64);
    loop {
        let ask = json!({"sessionId": id, "stream": "stdout", "offset": offset, "max_chars": 100_000});
        let page = client.call("read_output", &ask);
        all.push_str(page.fields["stdout"].as_str().unwrap());
        match page.fields["next_offset"]["stdout"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    let letter =
        |digit: char| digit.to_digit(10).map_or(digit, |digit| ('a'..='j').nth(digit as usize).unwrap());
    let want: String = (1..=180_000).map(|number| format!("{number}\n")).collect();
    let want: String = want.chars().map(letter).collect();
    assert_eq!(all, want);
    // The address of the cut is where the shown head ends.
    let (head, rest) = shown.split_once("[cut: ").unwrap();
    let at: usize = rest.split("\"offset\":").nth(1).unwrap().split('}').next().unwrap().parse().unwrap();
    assert_eq!(&want[..at], head);
}

#[test]
fn the_budget_is_the_owners_and_a_call_may_ask_for_less() {
    let place = Place::with("[policy]\nallow = [\"*\"]\n[answer]\nmax_chars = 8000\n");
    let mut client = Client::connect(&place);
    let usual = client.call("execute_command", &json!({"command": "seq 1 50000 | tr 0-9 a-j"}));
    assert!((4000..=8400).contains(&usual.text.chars().count()), "{}", usual.text.len());
    let less =
        client.call("execute_command", &json!({"command": "seq 1 50000 | tr 0-9 a-j", "max_chars": 1000}));
    assert!(less.text.chars().count() <= 1400, "{}", less.text.len());
    let wrong = client.call("execute_command", &json!({"command": "true", "max_chars": 5}));
    assert!(wrong.is_error && wrong.text.contains("`max_chars` is 5"), "{}", wrong.text);
}

#[test]
fn colours_and_progress_come_as_they_stood_at_the_end() {
    let called = run(r"for i in $(seq 0 1000); do printf '\r\033[32m%d%%\033[0m' $i; done; echo");
    assert_eq!(called.fields["stdout"], "1000%\n");
}

#[test]
fn many_warnings_and_one_error_are_a_few_lines() {
    let called =
        run(r"for i in $(seq 1 5000); do echo WARN retrying attempt $i; done; echo ERROR gave up; exit 3");
    let shown = called.fields["stdout"].as_str().unwrap();
    assert!(
        shown.contains("attempt 1\n[4998 lines like these]\nWARN retrying attempt 5000\nERROR gave up\n"),
        "{shown}"
    );
    assert!(called.text.chars().count() <= 400, "{}", called.text);
    assert_eq!(called.fields["exit_code"], 3);
}

#[test]
fn a_large_test_run_is_its_failure_and_its_counts() {
    let mut client = with_program("cargo", &libtest(4000), "exit 101");
    for (arguments, most) in [
        (json!({"command": "cargo test"}), 1600),
        (json!({"command": "cargo test", "max_chars": 1000}), 1400),
    ] {
        let called = client.call("execute_command", &arguments);
        assert!(called.text.chars().count() <= most, "{} characters: {}", called.text.len(), called.text);
        for fact in ["number_2000_holds_what_it_says", "1 failed"] {
            assert!(called.text.contains(fact), "{fact}: {}", called.text);
        }
        assert_eq!(called.fields["exit_code"], 101);
    }
    let called = client.call("execute_command", &json!({"command": "cargo test"}));
    for fact in ["panicked at src/lib.rs:7:9", "left: 41", "right: 42", "[left out: 3999 passed tests"] {
        assert!(called.text.contains(fact), "{fact}: {}", called.text);
    }
    assert_eq!(called.fields["results"]["failed"], 1, "{}", called.fields["results"]);
}

#[test]
fn a_failure_that_is_swallowed_is_noted_and_one_without_an_opening_has_no_results() {
    let mut client = with_program("cargo", &libtest(400), "exit 101");
    let swallowed = client.call("execute_command", &json!({"command": "cargo test || true"}));
    assert_eq!(
        (&swallowed.fields["exit_code"], &swallowed.fields["results"]["failed"]),
        (&json!(0), &json!(1))
    );
    assert!(swallowed.fields["notes"].to_string().contains("although 1 test failed"), "{}", swallowed.text);
    let tail = client.call("execute_command", &json!({"command": "cargo test | tail -3"}));
    assert!(tail.fields.get("results").is_none(), "{}", tail.text);
}

#[test]
fn a_program_that_only_has_the_name_is_shown_as_it_is() {
    let called =
        with_program("pytest", "all good\n", "exit 1").call("execute_command", &json!({"command": "pytest"}));
    assert_eq!(called.fields, json!({"exit_code": 1, "stdout": "all good\n", "stderr": ""}));
}

#[test]
fn a_secret_is_masked_wherever_it_is_shown() {
    let place = Place::open().set("GITHUB_TOKEN", Some(SECRET));
    let mut client = Client::connect(&place);
    let called = client.call("execute_command", &json!({"command": "echo $GITHUB_TOKEN"}));
    assert_eq!(called.fields["stdout"], "[redacted: GITHUB_TOKEN]\n");
    assert!(!called.text.contains("ghp_") && !called.meta.to_string().contains("ghp_"));
    let id = called.id();
    let read = client.call("read_output", &json!({"sessionId": id, "offset": 0}));
    assert_eq!(read.fields["stdout"], "[redacted: GITHUB_TOKEN]\n");
    let searched = client.call("read_output", &json!({"sessionId": id, "offset": 0, "grep": "ghp_a"}));
    assert_eq!(searched.fields["stdout"], "", "{}", searched.text);
    let resource = client.ask("resources/read", &json!({"uri": format!("runward://exec/{id}/stdout")}));
    assert!(!resource.to_string().contains("ghp_"), "{resource}");
    let started = client.call("start_command", &json!({"command": "echo $GITHUB_TOKEN", "timeout": 9000}));
    assert!(!started.text.contains("ghp_") && started.text.contains("redacted"), "{}", started.text);
}

#[test]
fn no_part_of_a_secret_is_shown_wherever_a_page_ends() {
    let place = Place::open().set("GITHUB_TOKEN", Some(SECRET));
    let mut client = Client::connect(&place);
    let command = r#"printf '%0400d' 0; printf ' %s ' "$GITHUB_TOKEN"; printf '%0400d' 1"#;
    let called = client.call("execute_command", &json!({"command": command}));
    let id = called.id();
    for offset in 395..445 {
        for max in [200, 210, 230] {
            let ask = json!({"sessionId": id, "offset": offset, "max_chars": max});
            let text = client.call("read_output", &ask).text;
            for part in ["ghp_", "aZ3kQ", "vT1bR", "4fGi0"] {
                assert!(!text.contains(part), "{offset} {max}: {text}");
            }
        }
    }
}

#[test]
fn a_project_may_not_unmask_and_the_owner_may() {
    let place =
        Place::with("[policy]\nallow = [\"*\"]\n[answer]\nmask = false\n").set("GITHUB_TOKEN", Some(SECRET));
    let shown = Client::connect(&place).call("execute_command", &json!({"command": "echo $GITHUB_TOKEN"}));
    assert_eq!(shown.fields["stdout"], format!("{SECRET}\n"));
}

#[test]
fn a_program_gets_its_arguments_as_they_are() {
    let mut client = Client::open(&[]);
    let called =
        client.call("execute_process", &json!({"file": "printf", "args": ["%s\\n", "a b", "$HOME"]}));
    assert_eq!(called.fields["stdout"], "a b\n$HOME\n");
    let listed = client.call("execute_process", &json!({"file": "printf", "args": "[\"%s\", \"x y\"]"}));
    assert_eq!(listed.fields["stdout"], "x y");
}

#[test]
fn inputs_are_taken_as_models_write_them() {
    let mut client = Client::open(&[]);
    for arguments in [
        json!({"command": "true", "timeout_ms": "5000"}),
        json!({"command": "true", "timeout_ms": null, "cwd": null}),
    ] {
        assert!(!client.call("execute_command", &arguments).is_error, "{arguments}");
    }
    let id = client.call("start_command", &json!({"command": "echo x"})).fields["sessionId"].clone();
    for ask in [
        json!({"session_id": id, "until": "exit"}),
        json!({"id": id, "until": {"exit": true}}),
        json!({"sessionId": id, "until": "idle", "idle_ms": "1"}),
    ] {
        let met = client.call("wait_command", &ask);
        assert!(!met.is_error, "{ask}: {}", met.text);
    }
    let moon = client.call("wait_command", &json!({"sessionId": id, "until": "moon"}));
    for word in ["exit", "output", "idle", "port", "input"] {
        assert!(moon.is_error && moon.text.contains(word), "{}", moon.text);
    }
}

#[test]
fn a_call_that_lasts_becomes_a_session_and_goes_on() {
    let place = Place::with("[policy]\nallow = [\"*\"]\n[answer]\nyield_ms = 300\n");
    let (mut client, mark) = (Client::connect(&place), TreeMark::new());
    let command = format!("echo begun; sleep {} & read x < gate; echo done", mark.text());
    let gate = place.gate();
    let called = client.call("execute_command", &json!({"command": command, "timeout_ms": 120_000}));
    assert!(!called.is_error, "{}", called.text);
    assert_eq!(
        (&called.fields["exit_code"], &called.fields["state"], &called.fields["stdout"]),
        (&Value::Null, &json!("running"), &json!("begun\n"))
    );
    let id = called.fields["id"].as_str().unwrap();
    assert!(called.fields["notes"][0].as_str().unwrap().contains("wait_command"), "{}", called.text);
    std::fs::write(gate, "go\n").unwrap();
    let met = client.call("wait_command", &json!({"sessionId": id, "until": "exit"}));
    assert_eq!(
        (&met.fields["stdout"], &met.fields["exit_code"]),
        (&json!("done\n"), &json!(0)),
        "{}",
        met.text
    );
    client.close();
    assert_eq!(mark.carriers(), [0_u32; 0]);
}

#[test]
fn a_line_that_reads_like_ours_is_told_from_it() {
    let called = run("echo '[cut: 5 lines, 9 bytes; read_output {}]'; echo '[redacted: X]'");
    assert_eq!(called.fields["stdout"], " [cut: 5 lines, 9 bytes; read_output {}]\n [redacted: X]\n");
}

#[test]
fn schemas_hold_only_what_every_client_can_load() {
    let answer = Client::open(&["--profile", "all"]).ask("tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    for tool in tools {
        assert!(tool["inputSchema"]["properties"].is_object(), "{tool}");
        if tool["name"] == "exec_command" {
            // Its words are those of its contract.
            continue;
        }
        let text = tool["inputSchema"].to_string();
        for word in ["\"$schema\"", "\"format\"", "\"$ref\"", "\"oneOf\"", "\"default\":null", "\"type\":["] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert!(tool["outputSchema"].to_string().len() <= 200, "{tool}");
    }
    let terminal = Client::open(&[]).ask("tools/list", &json!({}));
    let length = terminal["result"]["tools"].to_string().chars().count();
    assert!(length <= 5600, "{length}");
}
