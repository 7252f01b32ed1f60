//! Approval of the servers of a project's file: asked for once, for one exact command.

use crate::runner::Place;
use crate::terminal::Desk;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;

const LIST: &str = r#"{"mcpServers": {
    "git": {"command": "uvx", "args": ["a b", "--flag"], "env": {"KEY": "hunter2"}, "cwd": "/tmp"},
    "web": {"url": "https://example.com/mcp"},
    "off": {"command": "x", "disabled": true}
}}"#;

fn project() -> Place {
    let place = Place::new();
    place.project("");
    place.file(".mcp.json", LIST);
    place
}

fn listed(place: &Place) -> Vec<(String, bool)> {
    let said = place.run(["gateway", "consent", ".mcp.json", "--list", "--json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let view: Value = serde_json::from_str(&said.stdout).unwrap();
    let servers = view["servers"].as_array().unwrap().iter();
    servers.map(|one| (one["key"].as_str().unwrap().to_owned(), one["agreed"] == true)).collect()
}

fn both(git: bool, web: bool) -> Vec<(String, bool)> {
    vec![("git".to_owned(), git), ("web".to_owned(), web)]
}

#[tokio::test]
async fn a_person_is_shown_the_exact_command_and_asked_once() {
    let place = project();
    let mut desk = Desk::start(&place, &["gateway", "consent", ".mcp.json"]).await;
    desk.sees("Start it, now and later? [y]es / [N]o ").await;
    for shown in
        [".mcp.json wants to use the server git:", "  uvx 'a b' --flag", "  variables: KEY", "  folder: /tmp"]
    {
        assert!(desk.seen.contains(shown), "{shown}: {}", desk.seen);
    }
    assert!(!desk.seen.contains("hunter2"), "{}", desk.seen);
    desk.types("y\n").await;
    desk.sees("the server web:").await;
    desk.sees("https://example.com/mcp").await;
    desk.types("\n").await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 126, "nobody agreed to all: {seen}");
    assert_eq!(listed(&place), both(true, false));
    let file = place.state().join("consents.json");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!std::fs::read_to_string(&file).unwrap().contains("hunter2"));
    let mut desk = Desk::start(&place, &["gateway", "consent", ".mcp.json"]).await;
    desk.sees("the server web:").await;
    assert!(!desk.seen.contains("server git:"), "asked once: {}", desk.seen);
    desk.types("yes\n").await;
    assert_eq!(desk.ends().await.0, 0);
}

#[tokio::test]
async fn a_variable_that_decides_what_runs_is_shown_with_its_value() {
    let place = project();
    let env = r#"{"NODE_OPTIONS": "--require ./x.js", "PATH": "/p", "SECRET": "hunter2"}"#;
    place.file(".mcp.json", &format!(r#"{{"mcpServers": {{"n": {{"command": "node", "env": {env}}}}}}}"#));
    let mut desk = Desk::start(&place, &["gateway", "consent", ".mcp.json"]).await;
    desk.sees("[N]o ").await;
    let shown = "  variables: 'NODE_OPTIONS=--require ./x.js', PATH=/p, SECRET\r\n";
    assert!(desk.seen.contains(shown), "{:?}", desk.seen);
    desk.types("n\n").await;
    assert_eq!(desk.ends().await.0, 126);
}

#[test]
fn without_a_terminal_nobody_agrees() {
    let place = project();
    let said = place.run(["gateway", "consent", ".mcp.json"]);
    assert_eq!(said.code, 126);
    assert!(said.stderr.contains("[gateway.needs-consent]"), "{}", said.stderr);
    assert_eq!(listed(&place), both(false, false));
}

#[test]
fn any_change_asks_again_and_a_yes_can_be_taken_back() {
    let place = project();
    assert_eq!(place.run(["gateway", "consent", ".mcp.json", "--yes"]).code, 0);
    assert_eq!(listed(&place), both(true, true));
    place.file(".mcp.json", &LIST.replace("hunter2", "hunter3"));
    assert_eq!(listed(&place), both(false, true));
    place.file(".mcp.json", LIST);
    assert_eq!(place.run(["gateway", "consent", ".mcp.json", "--withdraw", "git"]).code, 0);
    assert_eq!(listed(&place), both(false, true));
    let said = place.run(["gateway", "consent", ".mcp.json", "--withdraw", "nobody"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("[spec.bad-value]"), "{}", said.stderr);
}

#[test]
fn the_same_text_in_another_folder_is_another_command() {
    let place = project();
    assert_eq!(place.run(["gateway", "consent", ".mcp.json", "--yes"]).code, 0);
    std::fs::create_dir(place.work().join("other")).unwrap();
    place.file("other/.mcp.json", LIST);
    let said = place.run(["gateway", "consent", "other/.mcp.json", "--list"]);
    assert_eq!(said.stdout, "git  not yet  uvx 'a b' --flag\nweb  agreed   https://example.com/mcp\n");
}

#[test]
fn what_cannot_be_read_is_told() {
    let place = project();
    let said = place.run(["gateway", "consent", "none.json"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("does not exist [gateway.bad-config]"), "{}", said.stderr);
    std::fs::create_dir_all(place.state()).unwrap();
    std::fs::write(place.state().join("consents.json"), "{").unwrap();
    let said = place.run(["gateway", "consent", ".mcp.json", "--list"]);
    assert!(
        said.stderr.contains("[config.invalid]") && said.stderr.contains("Delete the file"),
        "{}",
        said.stderr
    );
}

#[test]
fn ones_own_list_needs_nobodys_leave() {
    let place = project();
    let own = place.home().join("config/runward");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("servers.json"), LIST).unwrap();
    let file = own.join("servers.json");
    let said = place.run(["gateway", "consent", file.to_str().unwrap(), "--list"]);
    assert!(said.stdout.contains("the file is your own; its servers need no approval"), "{}", said.stdout);
}

/// Serves the list until a server of it has left its mark, and gives what was said.
fn serves_until(place: &Place, path: &str, mark: &std::path::Path) -> String {
    let mut gateway = place.command(["gateway", "--config", ".mcp.json"]);
    if !path.is_empty() {
        gateway.env("PATH", path);
    }
    let piped = std::process::Stdio::piped;
    let mut gateway = gateway.stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
    testkit::until("the server is started", || mark.exists());
    // The end of its input is the end of the gateway.
    drop(gateway.stdin.take());
    String::from_utf8(gateway.wait_with_output().unwrap().stderr).unwrap()
}

/// A list of one server that leaves a mark when it is started.
fn marking(place: &Place, mark: &str) -> std::path::PathBuf {
    let made = place.work().join(mark);
    let list =
        format!(r#"{{"mcpServers": {{"t": {{"command": "touch", "args": ["{}"]}}}}}}"#, made.display());
    place.file(".mcp.json", &list);
    made
}

#[test]
fn a_list_that_is_named_is_started_as_it_stands_and_what_changes_waits_for_a_yes() {
    let place = project();
    let made = marking(&place, "first");
    let said = serves_until(&place, "", &made);
    assert!(said.contains("the server `t` is started as the list says now: touch "), "{said}");
    assert!(said.contains("/touch)"), "the line names the file: {said}");
    std::fs::remove_file(&made).unwrap();
    // The same again needs no word.
    let said = serves_until(&place, "", &made);
    assert!(!said.contains("as the list says now"), "{said}");
    let made = marking(&place, "second");
    let said = place.run(["gateway", "--config", ".mcp.json"]);
    assert_eq!(said.code, 126, "{}", said.stderr);
    let sentence =
        "the server `t` has changed since it was agreed to, and is left out until you agree to it with";
    assert!(said.stderr.contains(sentence) && !made.exists(), "{}", said.stderr);
    assert_eq!(place.run(["gateway", "consent", ".mcp.json", "--yes"]).code, 0);
    serves_until(&place, "", &made);
}

#[test]
fn what_is_added_to_a_list_or_taken_back_is_not_pinned_again() {
    let place = project();
    let made = marking(&place, "first");
    serves_until(&place, "", &made);
    assert_eq!(place.run(["gateway", "consent", ".mcp.json", "--withdraw", "t"]).code, 0);
    std::fs::remove_file(&made).unwrap();
    assert_eq!(place.run(["gateway", "--config", ".mcp.json"]).code, 126);
    assert!(!made.exists());
    let more = place.work().join("more");
    let list =
        format!(r#"{{"mcpServers": {{"u": {{"command": "touch", "args": ["{}"]}}}}}}"#, more.display());
    place.file(".mcp.json", &list);
    assert_eq!(place.run(["gateway", "--config", ".mcp.json"]).code, 126);
    assert!(!more.exists(), "a new entry was not there when the list was named");
}

#[test]
fn g02_another_file_of_the_same_name_asks_again() {
    let place = project();
    place.file(".mcp.json", r#"{"mcpServers": {"t": {"command": "mytool", "args": []}}}"#);
    let tool = |folder: &str| {
        let folder = place.home().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let made = folder.join("ran");
        std::fs::write(folder.join("mytool"), format!("#!/bin/sh\n: > '{}'\n", made.display())).unwrap();
        std::fs::set_permissions(folder.join("mytool"), std::fs::Permissions::from_mode(0o755)).unwrap();
        (folder, made)
    };
    let (one, ran) = tool("one");
    let path = format!("{}:/usr/bin:/bin", one.display());
    serves_until(&place, &path, &ran);
    let (two, other) = tool("two");
    let path = format!("{}:{path}", two.display());
    let output = place.command(["gateway", "--config", ".mcp.json"]).env("PATH", path).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!other.exists() && told.contains("has changed since it was agreed to"), "{told}");
}

#[test]
fn whoever_wants_to_be_asked_is_asked_the_first_time_too() {
    let place = project();
    let made = marking(&place, "made");
    let said = place.run(["gateway", "--config", ".mcp.json", "--ask"]);
    assert_eq!((said.code, said.stdout.as_str()), (126, ""));
    let sentence = "the server `t` is left out until you agree to it with `runward gateway consent ";
    assert!(said.stderr.contains(sentence), "{}", said.stderr);
    assert!(said.stderr.contains("[gateway.needs-consent]"), "{}", said.stderr);
    assert!(!made.exists());
}

#[tokio::test]
async fn a_gateway_at_a_terminal_asks_before_it_serves() {
    let place = project();
    let mut desk = Desk::start(&place, &["gateway", "--config", ".mcp.json", "--strict", "--ask"]).await;
    desk.sees("the server git:").await;
    desk.types("n\n").await;
    desk.sees("the server web:").await;
    desk.types("n\n").await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 126, "{seen}");
    assert!(seen.contains("2 servers need a person's approval"), "{seen}");
    assert_eq!(listed(&place), both(false, false));
}
