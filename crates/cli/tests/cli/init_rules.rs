//! The rules that init writes, in force: presets and levels of `runward mcp`, and what a project may do about them.

use crate::agent::Agent;
use crate::runner::Place;
use serde_json::json;

fn may(agent: &mut Agent, line: &str) -> bool {
    agent.calls("execute_command", &json!({"command": line}))["exit_code"].is_i64()
}

#[test]
fn a_level_is_the_presets_it_stands_for() {
    let place = Place::new();
    let mut look = Agent::serve_bare(&place, &["mcp", "--level", "look"], &[]);
    assert!(may(&mut look, "ls") && !may(&mut look, "python3 -m unittest") && !may(&mut look, "touch x"));
    let mut build = Agent::serve_bare(&place, &["mcp", "--level", "build"], &[]);
    assert!(
        may(&mut build, "ls")
            && may(&mut build, "echo 1 | python3 -m json.tool")
            && !may(&mut build, "touch x")
    );
}

#[test]
fn a_preset_or_level_that_is_not_there_starts_nothing_and_names_those_that_are() {
    let place = Place::new();
    let said = place.run(["mcp", "--preset", "nosuch"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("readonly") && said.stderr.contains("build"), "{}", said.stderr);
    let said = place.run(["mcp", "--level", "nosuch"]);
    assert_eq!(said.code, 125);
    assert!(["look", "build", "work"].iter().all(|level| said.stderr.contains(level)), "{}", said.stderr);
}

#[test]
fn a_project_may_take_away_what_the_command_line_allows() {
    let place = Place::new();
    place.project("[policy]\npresets = []\n");
    let mut agent = Agent::serve_bare(&place, &["mcp", "--preset", "readonly"], &[]);
    assert!(!may(&mut agent, "ls"));
    drop(agent);
    place.project("[policy]\npresets = [\"readonly\"]\n");
    let mut agent = Agent::serve_bare(&place, &["mcp", "--level", "build"], &[]);
    assert!(may(&mut agent, "ls") && !may(&mut agent, "echo 1 | python3 -m json.tool"));
    drop(agent);
    // It can give nothing: without the command line's, it would loosen.
    let said = place.run(["mcp"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("would loosen"), "{}", said.stderr);
}

#[test]
fn a_list_besides_governs_alone_and_that_is_said() {
    let place = Place::new();
    let mut agent = Agent::serve_bare(&place, &["mcp", "--level", "build"], &[("ALLOWED_COMMANDS", "pwd")]);
    assert!(may(&mut agent, "pwd") && !may(&mut agent, "ls"));
    drop(agent);
    let told = std::fs::read_to_string(place.home().join("stderr")).unwrap();
    assert!(told.contains("`--level` adds nothing here"), "{told}");
}

/// The level is kept by the sandbox, so it is tried in a place that the sandbox does not replace.
#[cfg(target_os = "linux")]
#[test]
fn work_writes_in_the_workspace_alone_and_connects_to_nothing() {
    let place = Place::aside();
    place.file("s.py", "import socket\ntry:\n    socket.create_connection(('127.0.0.1', 9), 1)\n    print('connected')\nexcept OSError as error:\n    print('no network', error.errno)\n");
    place.file(
        "test_s.py",
        &format!(
            "import unittest, s\nclass T(unittest.TestCase):\n    def test(self):\n        open('inside', 'w')\n        with self.assertRaises(OSError):\n            open('{}', 'w')\n",
            place.home().join("outside").display()
        ),
    );
    let mut agent = Agent::serve_bare(&place, &["mcp", "--level", "work"], &[]);
    let answer = agent.calls("execute_command", &json!({"command": "python3 -m unittest"}));
    assert_eq!(answer["exit_code"], 0, "{answer}");
    assert!(answer.to_string().contains("no network"), "{answer}");
    assert!(place.work().join("inside").exists() && !place.home().join("outside").exists());
    assert!(may(&mut agent, "touch x && chmod +x x && ./x"), "whatever no rule speaks about");
    drop(agent);
    place.owner("[policy]\nask_timeout_ms = 200\nask = [\"touch\"]\ndeny = [\"chmod\"]\n");
    let mut ruled = Agent::serve_bare(&place, &["mcp", "--level", "work"], &[]);
    assert!(may(&mut ruled, "cp s.py t.py"));
    for told in ["touch x", "chmod +x x", "sh -c 'chmod +x x'", "$(echo chmod) +x x"] {
        assert!(!may(&mut ruled, told), "{told}");
    }
}

/// At the level `work` variables that look secret stay outside, and the hosts of what lies in the folder are told.
#[cfg(target_os = "linux")]
#[test]
fn work_keeps_secrets_outside_and_tells_its_hosts() {
    let place = Place::aside();
    place.file("Cargo.toml", "");
    let secrets = [("GITHUB_TOKEN", "ghp_of_a_person"), ("STRIPE_KEY", "sk_of_a_person"), ("PLAIN", "seen")];
    let mut agent = Agent::serve_bare(&place, &["mcp", "--level", "work"], &secrets);
    let answer = agent.calls("execute_command", &json!({"command": "env"}));
    assert_eq!(answer["exit_code"], 0, "{answer}");
    let said = answer.to_string();
    assert!(
        said.contains("PLAIN=seen") && !said.contains("GITHUB_TOKEN") && !said.contains("STRIPE_KEY"),
        "{said}"
    );
    drop(agent);
    let told = std::fs::read_to_string(place.home().join("stderr")).unwrap();
    assert!(
        told.contains("it may connect to github.com:22,443, ") && told.contains("(for github.com)"),
        "{told}"
    );
}

/// The owner's own list is the one that holds.
#[cfg(target_os = "linux")]
#[test]
fn work_takes_the_list_of_the_owner_where_there_is_one() {
    let place = Place::aside();
    place.file("Cargo.toml", "");
    place.owner("[sandbox]\nmode = \"workspace-write\"\nnetwork = [\"registry.example\"]\n");
    let mut agent = Agent::serve_bare(&place, &["mcp", "--level", "work"], &[]);
    assert!(may(&mut agent, "true"));
    drop(agent);
    let told = std::fs::read_to_string(place.home().join("stderr")).unwrap();
    assert!(told.contains("it may connect to registry.example (sandbox.network)"), "{told}");
}
