//! What `runward init` writes is what real clients read: each lists Runward afterwards, and not once it is taken out.

use std::path::Path;
use std::process::{Command, Output};
use testkit::agents::AgentKind;

/// A program in a scratch home, from which no other host can be reached.
#[expect(clippy::disallowed_methods, reason = "a test starts the client and the product, as a person would")]
fn run(program: &Path, args: &[&str], home: &Path) -> Output {
    let mut command = Command::new(program);
    command.args(args).env_clear().current_dir(home);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", home);
    for (name, value) in [
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ("GEMINI_CLI_NO_RELAUNCH", "true"),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("HTTP_PROXY", "http://127.0.0.1:9"),
        ("HTTPS_PROXY", "http://127.0.0.1:9"),
        ("http_proxy", "http://127.0.0.1:9"),
        ("https_proxy", "http://127.0.0.1:9"),
        ("NO_PROXY", "127.0.0.1,localhost"),
    ] {
        command.env(name, value);
    }
    command.output().unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()))
}

/// Everything that a client says about its servers.
fn listed(kind: AgentKind, home: &Path) -> String {
    let words = kind.program();
    let more: Vec<String> = words[1..].iter().map(|word| word.display().to_string()).collect();
    let args: Vec<&str> = more.iter().map(String::as_str).chain(["mcp", "list"]).collect();
    let said = run(&words[0], &args, home);
    [said.stdout, said.stderr].concat().escape_ascii().to_string()
}

fn lists_runward(kind: AgentKind, name: &str) {
    let home = tempfile::tempdir().unwrap();
    let init = |words: &[&str]| {
        let said = run(&testkit::binary("runward"), &[&["init", name, "--yes"], words].concat(), home.path());
        assert!(said.status.success(), "{}", said.stderr.escape_ascii());
    };
    let runward = testkit::binary("runward").display().to_string();
    init(&["--level", "look"]);
    let said = listed(kind, home.path());
    assert!(said.contains("runward") && said.contains(&runward), "{said}");
    init(&["--remove"]);
    let said = listed(kind, home.path());
    assert!(!said.contains(&runward), "{said}");
}

#[test]
fn claude_code_lists_runward_after_init() {
    lists_runward(AgentKind::Claude, "claude-code");
}

#[test]
fn codex_lists_runward_after_init() {
    lists_runward(AgentKind::Codex, "codex");
}

#[test]
fn gemini_cli_lists_runward_after_init() {
    lists_runward(AgentKind::Gemini, "gemini");
}

#[test]
fn opencode_lists_runward_after_init() {
    lists_runward(AgentKind::OpenCode, "opencode");
}
