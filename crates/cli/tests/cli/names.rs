//! What the name of a program allows, over MCP with the real programs of this host, and `--preset`.

use crate::agent::Agent;
use crate::runner::Place;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn asks(agent: &mut Agent, command: &str) -> Value {
    agent.calls("execute_command", &json!({"command": command}))
}

fn program(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn ran(answer: &Value) -> bool {
    answer["exit_code"].is_i64()
}

/// The words of an answer: a refusal's hint is in them alone.
fn words(agent: &mut Agent, command: &str) -> String {
    let asked = json!({"name": "execute_command", "arguments": {"command": command}});
    agent.asks("tools/call", &asked)["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_listed_name_is_the_program_with_its_job() {
    let place = Place::new();
    let bin = place.home().join("bin");
    for name in ["npm", "cargo"] {
        program(&bin.join(name), &format!("echo {name} \"$@\""));
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let list = [("ALLOWED_COMMANDS", "npm,git,python3,cargo"), ("PATH", path.as_str())];
    let mut agent = Agent::serve(&place, &["mcp"], &list);
    for command in ["npm run build", "python3 -c 'print(1)'", "cargo test", "git log"] {
        let answer = asks(&mut agent, command);
        assert!(ran(&answer), "{command}: {answer}");
    }
    for command in ["git -c alias.x='!touch y' x", "git grep -iO./x hi", "declare -a PATH; git status"] {
        let answer = asks(&mut agent, command);
        assert_eq!(answer["error"]["code"], "policy.denied", "{command}: {answer}");
    }
    assert!(!place.work().join("y").exists());
}

#[test]
fn a_program_on_the_path_of_the_operator_is_that_program_wherever_it_lies() {
    let place = Place::new();
    let node = place.work().join(".nvm/versions/node/v20/bin");
    program(&node.join("npm"), "echo 10.0.0");
    let venv = place.work().join(".venv/bin");
    program(&venv.join("python"), "echo python");
    program(&venv.join("pytest"), "echo pytest");
    let usual = std::env::var("PATH").unwrap();
    let path = format!("{}:{}:{usual}", node.display(), venv.display());
    let list = [("ALLOWED_COMMANDS", "npm,python,pytest"), ("PATH", path.as_str())];
    let mut agent = Agent::serve(&place, &["mcp"], &list);
    for (command, said) in [("npm -v", "10.0.0\n"), ("python x.py", "python\n"), ("pytest -q", "pytest\n")] {
        assert_eq!(asks(&mut agent, command)["stdout"], said, "{command}");
    }
    assert!(!ran(&asks(&mut agent, "./.venv/bin/other")));
}

#[test]
fn a_program_that_stands_before_the_systems_is_refused_with_the_line_that_would_allow_it() {
    let place = Place::new();
    let bin = place.work().join("bin");
    program(&bin.join("git"), "echo planted");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut agent = Agent::serve(&place, &["mcp"], &[("ALLOWED_COMMANDS", "git"), ("PATH", path.as_str())]);
    let said = words(&mut agent, "git status");
    let file = bin.join("git").display().to_string();
    assert!(said.contains(&format!("add `{file}` to ALLOWED_COMMANDS")), "{said}");
    let listed = [("ALLOWED_COMMANDS", file.as_str()), ("PATH", path.as_str())];
    let mut agent = Agent::serve(&place, &["mcp"], &listed);
    assert_eq!(asks(&mut agent, "git status")["stdout"], "planted\n");
}

#[test]
fn a_preset_is_the_operators_word() {
    let place = Place::new();
    let mut agent = Agent::serve_bare(&place, &["mcp", "--preset", "readonly"], &[]);
    assert!(ran(&asks(&mut agent, "ls | wc -l")));
    let answer = asks(&mut agent, "touch x");
    assert_eq!(answer["error"]["code"], "policy.denied", "{answer}");
    let mut agent = Agent::serve_bare(&place, &["mcp", "--preset", "readonly", "--preset", "build"], &[]);
    assert!(ran(&asks(&mut agent, "echo 1 | python3 -m json.tool")));
    drop(agent);
    // The list alone governs, and that is said.
    let mut agent =
        Agent::serve_bare(&place, &["mcp", "--preset", "readonly"], &[("ALLOWED_COMMANDS", "pwd")]);
    assert!(!ran(&asks(&mut agent, "ls")));
    drop(agent);
    let told = std::fs::read_to_string(place.home().join("stderr")).unwrap();
    assert!(told.contains("`--preset` adds nothing here"), "{told}");
}

#[test]
fn a_server_that_would_refuse_everything_says_so_at_once() {
    let place = Place::new();
    let mut agent = Agent::serve_bare(&place, &["mcp"], &[]);
    assert!(
        agent.instructions.contains("No rules are set, so every command is refused."),
        "{}",
        agent.instructions
    );
    let answer =
        agent.asks("tools/call", &json!({"name": "execute_command", "arguments": {"command": "ls"}}));
    assert!(!ran(&answer["result"]["structuredContent"]), "{answer}");
    assert!(answer.to_string().contains("reading and building with: runward init"), "{answer}");
    drop(agent);
    let told = std::fs::read_to_string(place.home().join("stderr")).unwrap();
    assert_eq!(told.matches("No rules are set").count(), 1, "{told}");
    let agent = Agent::serve_bare(&place, &["mcp", "--preset", "readonly"], &[]);
    assert!(!agent.instructions.contains("No rules are set"), "{}", agent.instructions);
}

#[test]
fn whoever_names_a_preset_is_held_to_it() {
    let place = Place::new();
    assert_eq!(place.run(["exec", "--preset", "readonly", "--", "ls"]).code, 0);
    let said = place.run(["exec", "--preset", "readonly", "--", "touch", "x"]);
    assert_eq!(said.code, 126, "{}", said.stderr);
    assert!(!place.work().join("x").exists());
    let said = place.run(["exec", "--preset", "nonsense", "--", "ls"]);
    assert!(said.code != 0 && said.stderr.contains("readonly, build"), "{}", said.stderr);
}

#[test]
fn names_that_run_code_are_told() {
    let place = Place::new();
    let said = |args: &[&str]| {
        let output =
            place.command(args).env("ALLOWED_COMMANDS", "ls,python3,npm run build").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let told = said(&["policy", "check", "python3 -c 1; ls"]);
    assert_eq!(told.matches("runs code: a caller that may run it may run anything").count(), 1, "{told}");
    let told = said(&["doctor"]);
    assert!(told.contains("`python3` run code: a caller that may run them may run anything"), "{told}");
    assert!(!told.contains("`ls`") && !told.contains("`npm"), "{told}");
}
