//! `runward hook` before the clients' own shell tools: what may not run does not, and the model is told why.

use serde_json::{Value, json};
use testkit::agents::{AgentClient, AgentKind};
use testkit::model::ModelScript;

/// A client whose settings have the hook, installed as a person would.
fn hooked(kind: AgentKind, name: &str, more: &[&str]) -> AgentClient {
    install(AgentClient::new(kind), "[policy]\nallow = [\"echo\", \"pwd\"]\n", name, more)
}

/// Puts the hook into a client's settings, with these rules.
pub(crate) fn install(client: AgentClient, rules: &str, name: &str, more: &[&str]) -> AgentClient {
    let client = client.file("config/runward/runward.toml", rules);
    let mut init = client.beside(&testkit::binary("runward"));
    let installed = init.args(["init", "--hook", name, "--yes"]).args(more).output().unwrap();
    assert!(installed.status.success(), "{}", installed.stderr.escape_ascii());
    client
}

/// Plays one command that may run and one that may not, each in the words of the client's own tool.
fn judged(client: AgentClient, tools: &[&str], call: impl Fn(&str) -> Value) {
    // The client's home goes with it, and this folder does not.
    let work = tempfile::tempdir().unwrap();
    let script = ModelScript::new()
        .call_own(tools, call("echo fine"))
        .call_own(tools, call("touch made && echo done"));
    let report = client.folder(work.path()).start(script).finish();
    let texts = report.record.texts();
    assert_eq!(texts.len(), 2, "{texts:?} {}", report.stderr);
    assert!(texts[0].contains("fine"), "{texts:?}");
    assert!(texts[1].contains("touch") && texts[1].contains("not allowed"), "{texts:?}");
    assert!(!work.path().join("made").exists(), "the command ran: {texts:?}");
}

#[test]
fn claude_codes_own_shell_is_judged() {
    let client = hooked(AgentKind::Claude, "claude-code", &[]);
    judged(client, &["Bash"], |text| json!({"command": text, "description": "a test"}));
}

#[test]
fn claude_code_runs_what_it_may_through_runward() {
    let client = hooked(AgentKind::Claude, "claude-code", &["--wrap"]);
    judged(client, &["Bash"], |text| json!({"command": text, "description": "a test"}));
}

#[test]
fn codex_own_shell_is_judged() {
    let client = hooked(AgentKind::Codex, "codex", &[]).arg("--dangerously-bypass-hook-trust");
    judged(client, &["exec_command"], |text| json!({"cmd": text}));
}

#[test]
fn gemini_clis_own_shell_is_judged() {
    let client = hooked(AgentKind::Gemini, "gemini", &[]);
    judged(client, &["run_shell_command"], |text| json!({"command": text}));
}

#[test]
fn opencodes_own_shell_is_judged() {
    let client = hooked(AgentKind::OpenCode, "opencode", &[]);
    judged(client, &["bash"], |text| json!({"command": text, "description": "a test"}));
}
