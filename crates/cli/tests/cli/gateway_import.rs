//! `runward gateway import`: what it finds, what it writes, what it never shows.

use crate::runner::Place;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A home with files of clients, relative to it. `config` is where this home keeps settings.
fn home(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    for (name, text) in files {
        let path = place.home().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    place
}

fn list(place: &Place) -> PathBuf {
    place.home().join("config/runward/servers.json")
}

fn servers(place: &Place) -> Value {
    serde_json::from_str::<Value>(&std::fs::read_to_string(list(place)).unwrap()).unwrap()["mcpServers"]
        .take()
}

const CURSOR: (&str, &str) = (
    ".cursor/mcp.json",
    r#"{"mcpServers": {
        "git": {"command": "uvx", "args": ["git", "--token", "hunter2"], "env": {"GIT_KEY": "hunter2"}},
        "self": {"command": "runward", "args": ["mcp"]},
        "odd": {"command": "x", "args": ["${input:key}"]}
    }}"#,
);
const CODEX: (&str, &str) = (
    ".codex/config.toml",
    "[mcp_servers.git]\ncommand = \"npx\"\nargs = [\"git\"]\n[mcp_servers.far]\nurl = \"https://u:hunter2@example.com/hunter2\"\n",
);
const CLAUDE: (&str, &str) = (
    ".claude.json",
    r#"{"mcpServers": {"git": {"command": "uvx", "args": ["git", "--token", "hunter2"], "env": {"GIT_KEY": "${GIT_KEY}"}}}}"#,
);

#[test]
fn servers_of_all_clients_come_into_one_private_list_and_no_value_is_shown() {
    let place = home(&[CURSOR, CODEX, CLAUDE]);
    let said = place.run(["gateway", "import"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{}", said.stdout);
    assert!(!said.stdout.contains("hunter2"), "{}", said.stdout);
    let shown = said.stdout.replace(&place.home().display().to_string(), "~");
    insta::assert_snapshot!(shown);
    let servers = servers(&place);
    let keys: Vec<&String> = servers.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["git", "far", "git-codex"]);
    assert_eq!(servers["git"]["env"]["GIT_KEY"], "${GIT_KEY}", "variables stay as they were written");
    assert_eq!(servers["far"]["url"], "https://u:hunter2@example.com/hunter2");
    assert_eq!(std::fs::metadata(list(&place)).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_the_list_has_stays_and_a_second_time_adds_nothing() {
    let mine = "{\n  // mine\n  \"mcpServers\": {\"git\": {\"command\": \"my-git\"}},\n}\n";
    let place = home(&[CODEX, ("config/runward/servers.json", mine)]);
    assert_eq!(place.run(["gateway", "import"]).code, 0);
    let text = std::fs::read_to_string(list(&place)).unwrap();
    assert!(
        text.starts_with("{\n  // mine\n  \"mcpServers\": {\"git\": {\"command\": \"my-git\"},\n"),
        "{text}"
    );
    assert!(text.contains("\"git-codex\"") && text.contains("\"far\""), "{text}");
    let said = place.run(["gateway", "import"]);
    assert!(said.stdout.contains("nothing new for "), "{}", said.stdout);
    assert_eq!(std::fs::read_to_string(list(&place)).unwrap(), text);
    assert_eq!(place.run(["gateway", "import", "--force"]).code, 0);
    assert!(!std::fs::read_to_string(list(&place)).unwrap().contains("my-git"));
}

#[test]
fn a_list_that_is_wrong_is_left_alone() {
    for (text, code) in [("{\"mcpServers\": {\"a\": 1}}", "gateway.bad-config"), ("{}", "gateway.bad-config")]
    {
        let place = home(&[CODEX, ("config/runward/servers.json", text)]);
        let said = place.run(["gateway", "import"]);
        assert_eq!(said.code, 125, "{}", said.stdout);
        assert!(said.stderr.contains(code), "{}", said.stderr);
        assert_eq!(std::fs::read_to_string(list(&place)).unwrap(), text);
    }
}

#[test]
fn a_rehearsal_writes_nothing() {
    let place = home(&[CODEX]);
    let said = place.run(["gateway", "import", "--dry-run"]);
    assert!(said.stdout.contains("2 servers would be added to "), "{}", said.stdout);
    assert!(!list(&place).exists() && !place.state().exists());
}

#[test]
fn what_came_with_the_folder_is_taken_only_when_asked_for() {
    let place = home(&[("work/.mcp.json", r#"{"mcpServers": {"p": {"command": "evil"}}}"#)]);
    let said = place.run(["gateway", "import"]);
    assert!(
        said.stdout.contains("left out: it came with this folder; take it with `--project`"),
        "{}",
        said.stdout
    );
    assert!(!list(&place).exists());
    assert_eq!(place.run(["gateway", "import", "--project"]).code, 0);
    assert_eq!(servers(&place)["p"]["command"], "evil");
}

#[test]
fn only_the_clients_that_are_named_are_looked_at_and_the_list_may_be_elsewhere() {
    let place = home(&[CURSOR, CODEX]);
    let said = place.run(["gateway", "import", "--from", "codex", "--out", "s.json", "--json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(!said.stdout.contains("hunter2"), "{}", said.stdout);
    let view: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&view["added"], &view["written"]), (&2.into(), &true.into()));
    assert_eq!(view["sources"].as_array().unwrap().len(), 1);
    assert_eq!(view["sources"][0]["servers"][0]["fate"], "added");
    assert!(place.work().join("s.json").is_file() && !list(&place).exists());
    assert_eq!(place.run(["gateway", "import", "--from", "emacs"]).code, 125);
}

#[test]
fn a_broken_file_is_told_and_keeps_no_other_from_being_read() {
    let place = home(&[CODEX, (".cursor/mcp.json", "{"), (".gemini/settings.json", "{}")]);
    let said = place.run(["gateway", "import"]);
    assert_eq!(said.code, 0);
    assert!(said.stdout.contains("  broken: line 1, column 1: expected JSON: "), "{}", said.stdout);
    assert!(said.stdout.contains("2 servers added to "), "{}", said.stdout);
}

#[test]
fn without_any_client_nothing_is_written() {
    let place = Place::new();
    let said = place.run(["gateway", "import"]);
    let (first, places) = said.stdout.split_once('\n').unwrap();
    assert_eq!((said.code, first), (0, "no client's list of servers was found; looked for:"));
    assert!(places.lines().any(|line| line.ends_with("/.cursor/mcp.json")), "{places}");
    assert!(places.lines().any(|line| line.ends_with("/.codex/config.toml")), "{places}");
    assert!(!list(&place).exists());
}
