//! The sandbox behind the other doors: code, markdown agents, and the tools of a server.

use crate::agent::Agent;
use crate::runner::Place;
use serde_json::{Value, json};

fn layers() -> Value {
    json!(["namespaces", "landlock", "seccomp"])
}

#[test]
fn code_runs_in_it() {
    let place = Place::aside();
    let said = place.run(["code", "bash", "--sandbox", "read-only", "-c", "echo x > made"]);
    assert_ne!(said.code, 0, "{said:?}");
    assert!(!place.work().join("made").exists());
    let text = "import pathlib; pathlib.Path('made').write_text('x')";
    let said = place.run(["code", "python", "--sandbox", "workspace-write", "-c", text]);
    assert_eq!((said.code, place.work().join("made").exists()), (0, true), "{said:?}");
}

#[test]
fn everything_that_a_markdown_agent_runs_runs_in_it() {
    let place = Place::aside();
    place.file("b.echo.md", "before !`(echo x > inline) 2> /dev/null || echo refused` after\n");
    let said = place.run(["run", "--sandbox", "read-only", "b.echo.md"]);
    assert_eq!((said.code, said.stdout.trim()), (0, "before refused after"), "{said:?}");
    let free = place.run(["run", "b.echo.md"]);
    assert_eq!((free.code, free.stdout.trim()), (0, "before  after"), "{free:?}");
    assert!(place.work().join("inline").exists());
    place.file("made.touch.md", "made\n");
    let said = place.run(["run", "--sandbox", "read-only", "made.touch.md"]);
    assert_eq!((said.code, place.work().join("made").exists()), (1, false), "{said:?}");
}

#[test]
fn a_system_prompt_in_a_file_is_seen_in_it() {
    let place = Place::aside();
    place.file("a.codex.md", "---\n_system-prompt: Be brief.\n---\nhello\n");
    let show = "#!/bin/sh\nfor word; do case $word in model_instructions_file=*) \
                file=${word#*=\\\"}; cat \"${file%\\\"}\";; esac; done\n";
    let program = place.file("codex", show);
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let said = place.run(["run", "--sandbox", "read-only", "a.codex.md", "-c", "./codex"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "Be brief."), "{said:?}");
}

#[test]
fn behind_the_file_the_options_are_the_commands_own() {
    let place = Place::aside();
    place.file("a.echo.md", "hello\n");
    let said = place.run(["run", "a.echo.md", "--sandbox", "danger-full-access"]);
    assert_eq!((said.code, said.stdout.trim()), (0, "hello --sandbox danger-full-access"), "{said:?}");
    let said = place.run(["--sandbox", "read-only", "a.echo.md", "--network", "x"]);
    assert_eq!((said.code, said.stdout.trim()), (0, "hello --network x"), "{said:?}");
}

#[test]
fn tools_of_a_server_run_in_it_and_name_the_layers() {
    let place = Place::aside();
    place.owner("sandbox.mode = \"workspace-write\"\n");
    let mut agent = Agent::serve(&place, &["mcp", "--profile", "all"], &[]);
    let outside = format!("echo x > '{}'", place.home().join("made").display());
    let asked = json!({"name": "execute_command", "arguments": {"command": outside}});
    let ran = agent.asks("tools/call", &asked)["result"].take();
    assert_eq!(ran["_meta"]["runward/receipt"]["sandbox"], layers(), "{ran}");
    assert_ne!(ran["structuredContent"]["exit_code"], 0, "{ran}");
    let inside = agent.calls("execute_command", &json!({"command": "echo x > made"}));
    assert_eq!(inside["exit_code"], 0, "{inside}");
    let mut meta = |tool: &str, arguments: Value| {
        let answer = agent.asks("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"]["_meta"]["sandbox"].clone()
    };
    assert_eq!(meta("exec", json!({"lang": "bash", "code": "true"})), layers());
    assert_eq!(meta("exec_command", json!({"cwd": place.work(), "command": ["true"]})), layers());
    assert!(place.work().join("made").exists() && !place.home().join("made").exists());
}

#[test]
fn the_workspace_of_a_server_is_what_may_be_written() {
    let place = Place::aside();
    std::fs::create_dir(place.home().join("project")).unwrap();
    place.owner("sandbox.mode = \"workspace-write\"\n");
    let mut agent = Agent::serve(&place, &["mcp", "--workspace", "../project"], &[]);
    let project = place.home().join("project");
    let write = |path: std::path::PathBuf| json!({"command": format!("echo x > '{}'", path.display())});
    assert_eq!(agent.calls("execute_command", &write(project.join("made")))["exit_code"], 0);
    let elsewhere = agent.calls("execute_command", &write(place.work().join("made")));
    assert_ne!(elsewhere["exit_code"], 0, "where the server was started is another place: {elsewhere}");
}

#[test]
fn child_servers_of_a_gateway_run_in_it() {
    let place = Place::aside();
    place.owner("sandbox.mode = \"workspace-write\"\n");
    let (outside, inside) = (place.home().join("made"), place.work().join("made"));
    let child = testkit::seen(&testkit::binary("scripted-child"), place.home());
    let text = format!(
        "echo x > '{}'; echo x > '{}'; exec '{}'",
        outside.display(),
        inside.display(),
        child.display()
    );
    let list = json!({"mcpServers": {"one": {"command": "sh", "args": ["-c", text]}}});
    std::fs::write(place.home().join("config/runward/servers.json"), list.to_string()).unwrap();
    let mut agent = Agent::serve(&place, &["gateway"], &[]);
    let tools = agent.asks("tools/list", &json!({}));
    assert!(tools.to_string().contains("one__echo"), "{tools}");
    assert_eq!((outside.exists(), inside.exists()), (false, true));
}
