//! Clients whose own shell tool hands its commands to Runward: what the model sees is what it would have seen without, and
//! what was refused, asked about or lost on the way does not run.

use crate::hooks::install;
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;
use testkit::agents::{AgentClient, AgentKind};
use testkit::model::ModelScript;
use testkit::{TreeMark, until};

const RULES: &str = "[policy]\nallow = [\"*\"]\nask = [\"mkdir\"]\ndeny = [\"rm\"]\n";

/// A client's own shell tool, in its own words.
struct OwnShell {
    kind: AgentKind,
    /// Its name as Runward calls it.
    name: &'static str,
    tools: &'static [&'static str],
    /// The argument that the command is.
    key: &'static str,
}

const CLAUDE: OwnShell =
    OwnShell { kind: AgentKind::Claude, name: "claude-code", tools: &["Bash"], key: "command" };
const CODEX: OwnShell =
    OwnShell { kind: AgentKind::Codex, name: "codex", tools: &["exec_command"], key: "cmd" };
const GEMINI: OwnShell =
    OwnShell { kind: AgentKind::Gemini, name: "gemini", tools: &["run_shell_command"], key: "command" };
const OPENCODE: OwnShell =
    OwnShell { kind: AgentKind::OpenCode, name: "opencode", tools: &["bash"], key: "command" };

/// A client with the hook in wrap mode, and the folders that outlive it.
struct WrappedClient {
    shell: OwnShell,
    client: AgentClient,
    work: TempDir,
    state: TempDir,
}

impl OwnShell {
    fn wrapped(self) -> WrappedClient {
        let (work, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut client =
            AgentClient::new(self.kind).env("RUNWARD_STATE_DIR", state.path()).folder(work.path());
        if self.kind == AgentKind::Codex {
            client = client.arg("--dangerously-bypass-hook-trust");
        }
        let client = install(client, RULES, self.name, &["--wrap"]);
        WrappedClient { shell: self, client, work, state }
    }

    fn call(&self, script: ModelScript, text: &str) -> ModelScript {
        let mut arguments = json!({"description": "a test"});
        arguments[self.key] = text.into();
        script.call_own(self.tools, arguments)
    }
}

impl WrappedClient {
    /// What the model is shown of each command, and the folders.
    fn plays(self, texts: &[&str]) -> (Vec<String>, TempDir, TempDir) {
        let script = texts.iter().fold(ModelScript::new(), |script, text| self.shell.call(script, text));
        let report = self.client.start(script).finish();
        let shown = report.record.texts();
        assert_eq!(shown.len(), texts.len(), "{shown:?} {:?} {}", report.record.missing, report.stderr);
        // A terminal ends its lines in two signs.
        (shown.iter().map(|text| text.replace('\r', "")).collect(), self.work, self.state)
    }
}

/// Every record of the commands that ran or did not.
fn records(state: &Path) -> Vec<Value> {
    let anybody = AgentClient::new(AgentKind::Claude).env("RUNWARD_STATE_DIR", state);
    let said = anybody.beside(&testkit::binary("runward")).args(["log", "--json"]).output().unwrap();
    assert!(said.status.success(), "{}", said.stderr.escape_ascii());
    let text = String::from_utf8(said.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The command ran once, through Runward, and the model saw what it printed.
fn runs_through_runward(shell: OwnShell) {
    let name = shell.name;
    let wrapped = shell.wrapped();
    let init = wrapped.client.beside(Path::new("git")).args(["init", "--quiet"]).status();
    assert!(init.unwrap().success());
    let (shown, _work, state) = wrapped.plays(&["git status"]);
    assert!(shown[0].contains("No commits yet"), "{shown:?}");
    let all = records(state.path());
    let [record] = all.as_slice() else { panic!("{all:#?}") };
    assert_eq!(
        (&record["door"], &record["client"], &record["exit_code"]),
        (&json!("hook"), &json!(name), &json!(0)),
        "{record}"
    );
}

#[test]
fn claude_code_runs_git_status_through_runward() {
    runs_through_runward(CLAUDE);
}

#[test]
fn codex_runs_git_status_through_runward() {
    runs_through_runward(CODEX);
}

#[test]
fn gemini_cli_runs_git_status_through_runward() {
    runs_through_runward(GEMINI);
}

#[test]
fn opencode_runs_git_status_through_runward() {
    runs_through_runward(OPENCODE);
}

/// Once proves little about an order.
const TIMES: usize = 100;

/// What a client shows of a command does not depend on whether Runward ran it.
fn ends_and_speaks_as_it_would(shell: OwnShell) {
    let mut texts = vec!["echo a; echo b >&2; echo c"; TIMES];
    texts.extend(["echo x; exit 3", "bash -c 'kill -SEGV $$'; echo \"it was $?\""]);
    let (shown, ..) = shell.wrapped().plays(&texts);
    for text in &shown[..TIMES] {
        assert!(text.contains("a\nb\nc"), "{text:?}");
    }
    let [three, fault] = &shown[TIMES..] else { panic!("{shown:?}") };
    assert!(three.contains("code 3") || three.contains("code: 3"), "{three}");
    assert!(fault.contains("Segmentation fault") && fault.contains("it was 139"), "{fault}");
}

#[test]
fn in_claude_code_lines_keep_their_order_and_ends_are_the_commands_own() {
    ends_and_speaks_as_it_would(CLAUDE);
}

#[test]
fn in_codex_lines_keep_their_order_and_ends_are_the_commands_own() {
    ends_and_speaks_as_it_would(CODEX);
}

#[test]
fn a_folder_is_carried_on_and_what_is_left_behind_is_ended() {
    let wrapped = CLAUDE.wrapped();
    let mark = TreeMark::new();
    std::fs::create_dir(wrapped.work.path().join("sub")).unwrap();
    // It refuses a command that begins with `sleep` by itself.
    let background = format!("bash -c 'exec sleep {}' & echo started", mark.text());
    let (shown, work, _state) = wrapped.plays(&["cd sub && pwd", "pwd", &background]);
    let sub = std::fs::canonicalize(work.path().join("sub")).unwrap().display().to_string();
    assert!(shown[0].contains(&sub) && shown[1].contains(&sub), "{shown:?}");
    assert!(shown[2].contains("started") && shown[2].contains("outlived the command"), "{shown:?}");
    until("nothing is left of it", || mark.carriers().is_empty());
}

/// In print mode nobody is there to answer.
#[test]
fn a_question_in_claude_code_without_a_person_is_a_no() {
    let (shown, work, _state) = CLAUDE.wrapped().plays(&["mkdir made", "echo fine"]);
    assert!(!work.path().join("made").exists(), "{shown:?}");
    assert!(shown[1].contains("fine"), "{shown:?}");
}

#[test]
fn a_rule_of_claude_codes_own_still_holds_for_what_is_wrapped() {
    let settings = json!({"permissions": {"deny": ["Bash(printf *)"]}});
    let (work, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = AgentClient::new(AgentKind::Claude)
        .env("RUNWARD_STATE_DIR", state.path())
        .folder(work.path())
        .file("claude/settings.json", &settings.to_string());
    let client = install(client, RULES, "claude-code", &["--wrap"]);
    let wrapped = WrappedClient { shell: CLAUDE, client, work, state };
    let (shown, ..) = wrapped.plays(&["printf seen", "echo fine"]);
    assert!(!shown[0].contains("seen") || shown[0].contains("Bash(printf *)"), "{shown:?}");
    assert!(shown[1].contains("fine"), "{shown:?}");
}

#[test]
fn a_rule_of_codex_own_still_holds_for_what_is_wrapped() {
    let rule = "prefix_rule(pattern = [\"printf\"], decision = \"forbidden\")\n";
    let (work, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let client = AgentClient::new(AgentKind::Codex)
        .env("RUNWARD_STATE_DIR", state.path())
        .folder(work.path())
        .file("codex/rules/default.rules", rule)
        .arg("--dangerously-bypass-hook-trust");
    let client = install(client, RULES, "codex", &["--wrap"]);
    let wrapped = WrappedClient { shell: CODEX, client, work, state };
    let (shown, ..) = wrapped.plays(&["printf s%sn ee", "echo fine"]);
    assert!(!shown[0].contains("seen"), "{shown:?}");
    assert!(shown[1].contains("fine"), "{shown:?}");
}

/// Changes the settings of Claude Code as the installed hook left them.
fn resettled(wrapped: &WrappedClient, change: impl Fn(&mut Value)) {
    let file = wrapped.client.home().join("claude/settings.json");
    let mut settings: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    change(&mut settings["hooks"]["PreToolUse"]);
    std::fs::write(&file, settings.to_string()).unwrap();
}

/// A hook of somebody else that answers this.
fn another(answer: &Value) -> Value {
    let output = json!({"hookSpecificOutput": answer}).to_string();
    json!({"matcher": "Bash", "hooks": [{"type": "command", "command": format!("cat > /dev/null; echo '{output}'")}]})
}

#[test]
fn beside_a_hook_that_denies_nothing_runs() {
    let wrapped = CLAUDE.wrapped();
    let deny = json!({
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not today"
    });
    resettled(&wrapped, |hooks| hooks.as_array_mut().unwrap().push(another(&deny)));
    let (shown, work, _state) = wrapped.plays(&["touch made"]);
    assert!(shown[0].contains("not today") && !work.path().join("made").exists(), "{shown:?}");
}

#[test]
fn beside_a_hook_that_rewrites_too_what_goes_round_runward_is_found_and_the_next_command_refused() {
    let wrapped = CLAUDE.wrapped();
    let rewrite = json!({
        "hookEventName": "PreToolUse", "permissionDecision": "allow",
        "updatedInput": {"command": "touch around", "description": "theirs"}
    });
    resettled(&wrapped, |hooks| hooks.as_array_mut().unwrap().push(another(&rewrite)));
    let (shown, work, state) = wrapped.plays(&["touch through", "touch next"]);
    let (around, through) = (work.path().join("around").exists(), work.path().join("through").exists());
    assert!(around != through, "one of the two texts ran: {shown:?}");
    if around {
        assert!(shown[1].contains("drops rewritten commands"), "{shown:?}");
        assert!(!work.path().join("next").exists(), "{shown:?}");
        let all = records(state.path());
        assert!(all.iter().any(|record| record.to_string().contains("hook.bypassed")), "{all:#?}");
    }
}

/// Its own deadline cannot help a hook that is stopped: then the client's limit, and what the entry says about it, do.
#[test]
fn claude_code_takes_a_hook_that_it_had_to_give_up_on_for_a_no() {
    let wrapped = CLAUDE.wrapped();
    resettled(&wrapped, |hooks| {
        let hook = &mut hooks[0]["hooks"][0];
        assert_eq!(hook["onFailure"], "block", "{hook}");
        hook["timeout"] = 1.into();
        hook["command"] = "/bin/sh".into();
        hook["args"] = json!(["-c", "kill -STOP $$"]);
    });
    let (shown, work, _state) = wrapped.plays(&["touch made"]);
    assert!(!work.path().join("made").exists(), "{shown:?}");
}
