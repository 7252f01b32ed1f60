//! `runward hook`, as clients call it: an event on standard input, words on standard output, 0 or 2.

use crate::runner::{Place, Said, program, said};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

const POLICY: &str = "policy.presets = [\"readonly\"]\npolicy.allow = [\"echo\", \"bash\", \"sleep\", \"printf\", \"sh\", \"kill\"]\npolicy.ask = [\"touch\"]\npolicy.deny = [\"rm\"]\n";

fn start(place: &Place, args: &[&str], input: &[u8]) -> Child {
    let mut command = place.command(["hook"].iter().chain(args));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // One that ends before it has read everything is what is tested.
    let _ = child.stdin.take().unwrap().write_all(input);
    child
}

fn hook(place: &Place, args: &[&str], input: &[u8]) -> Said {
    said(&start(place, args, input).wait_with_output().unwrap())
}

/// An event as Claude Code and Codex write it.
fn event(place: &Place, command: &Value, call: &str) -> Value {
    json!({
        "session_id": "s1", "cwd": place.work(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command, "description": "a test"}, "tool_use_id": call,
    })
}

fn judge(place: &Place, client: &str, command: &str) -> Said {
    hook(place, &["--client", client], event(place, &command.into(), "c1").to_string().as_bytes())
}

fn place() -> Place {
    let place = Place::new();
    place.owner(POLICY);
    place
}

/// The text that the client is told to run instead.
pub(crate) fn wrapped(place: &Place, client: &str, command: &str, call: &str) -> String {
    let input = event(place, &command.into(), call).to_string();
    let said = hook(place, &["--client", client, "--mode", "wrap"], input.as_bytes());
    let answer: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"));
    let updated = &answer["hookSpecificOutput"]["updatedInput"];
    assert_eq!(updated["description"], "a test", "{said:?}");
    updated["command"].as_str().unwrap_or_else(|| panic!("{said:?}")).to_owned()
}

/// What a client's own shell makes of a text, both streams in one file.
pub(crate) fn in_shell(place: &Place, text: &str, folder: &Path) -> (i32, String) {
    let mut shell = program(Path::new("/bin/bash"));
    let text = format!("exec 2>&1\n{text}");
    let shell = shell.arg("-c").arg(text).env_clear().envs(place.env()).current_dir(folder);
    let output = shell.stdin(Stdio::null()).output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn what_is_allowed_is_left_to_the_client_and_what_is_denied_is_told() {
    let place = place();
    for client in ["claude-code", "codex"] {
        let said = judge(&place, client, "git status");
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""), "{client}");
    }
    let said = judge(&place, "claude-code", "ls; rm -rf x");
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    let output = &answer["hookSpecificOutput"];
    assert_eq!((said.code, &output["permissionDecision"]), (0, &"deny".into()));
    let why = output["permissionDecisionReason"].as_str().unwrap();
    assert!(why.contains("[policy.denied]") && why.contains("\nhint: "), "{why}");
    let said = judge(&place, "codex", "ls; rm -rf x");
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("[policy.denied]") && said.stderr.contains("hint: "), "{said:?}");
}

#[test]
fn whatever_cannot_be_judged_ends_with_two_and_a_sentence() {
    let place = place();
    let mut inputs: Vec<Vec<u8>> =
        [json!(null), json!(3), json!([["rm"]]), json!({}), json!("a\u{0}b"), json!("")]
            .iter()
            .map(|command| event(&place, command, "c").to_string().into_bytes())
            .collect();
    inputs.extend([
        b"".to_vec(),
        b"[]".to_vec(),
        b"{\"a\"".to_vec(),
        b"\xff\xfe".to_vec(),
        vec![b' '; 2 << 20],
    ]);
    inputs.push(
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"l\ud800s"}}"#
            .to_vec(),
    );
    inputs.push(br#"{"hook_event_name":"Stop","session_id":"x"}"#.to_vec());
    inputs.push(br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm x"}}"#.to_vec());
    for input in &inputs {
        for client in ["claude-code", "codex"] {
            let said = hook(&place, &["--client", client], input);
            assert_eq!(
                (said.code, said.stdout.as_str()),
                (2, ""),
                "{}",
                input[..input.len().min(99)].escape_ascii()
            );
            assert!(said.stderr.starts_with("runward: the hook could not judge this command: "), "{said:?}");
            assert!(said.stderr.contains("[hook.failed]"), "{said:?}");
        }
    }
    for args in [&["--client", "nobody"][..], &[], &["--mode", "x", "--client", "codex"]] {
        let said = hook(&place, args, b"");
        assert!(said.code == 2 && !said.stderr.is_empty(), "{said:?}");
    }
}

#[test]
fn tools_that_run_nothing_and_our_own_tools_pass_in_silence_and_unknown_ones_are_judged() {
    let place = place();
    let tool = |name: &str, input: Value| {
        let mut event = event(&place, &"x".into(), "c1");
        event["tool_name"] = name.into();
        event["tool_input"] = input;
        hook(&place, &["--client", "codex"], event.to_string().as_bytes())
    };
    for (name, input) in [
        ("Read", json!({"file_path": "/x"})),
        ("Edit", json!({"file_path": "/x", "old_string": "rm"})),
        ("mcp__runward__execute_command", json!({"command": "rm x"})),
    ] {
        let said = tool(name, input);
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""), "{name}");
    }
    for name in ["shell", "local_shell", "container.exec", "exec_command", "Unheard"] {
        assert_eq!(tool(name, json!({"command": ["bash", "-lc", "rm x"]})).code, 2, "{name}");
        assert_eq!(tool(name, json!({"cmd": "rm x"})).code, 2, "{name}");
    }
    assert_eq!(tool("shell", json!({"command": ["ls", "-la"]})).code, 0);
}

#[test]
fn without_a_configuration_nothing_is_allowed_and_a_broken_one_judges_nothing() {
    let place = Place::new();
    let said = judge(&place, "codex", "ls");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("[policy.denied]") && said.stderr.contains("ls"), "{said:?}");
    place.owner("policy.allow = 3");
    let said = judge(&place, "claude-code", "ls");
    assert!(said.code == 2 && said.stderr.contains("[hook.failed]"), "{said:?}");
    place.owner("hook.on_failure = \"client\"");
    let said = hook(&place, &["--client", "claude-code"], b"nonsense");
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""));
}

#[test]
fn a_hook_that_hangs_ends_itself_with_a_no() {
    let place = place();
    let mut command = place.command(["hook", "--client", "claude-code"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Its standard input stays open, so that only the deadline can end it.
    let mut child = child;
    let held = child.stdin.take();
    let told = said(&child.wait_with_output().unwrap());
    drop(held);
    assert!(told.code == 2 && told.stderr.contains("it took longer than 2 s [hook.failed]"), "{told:?}");
}

#[test]
fn claude_asks_its_own_person_and_codex_waits_in_approvals() {
    let place = place();
    let asked = judge(&place, "claude-code", "touch made");
    assert!(asked.code == 0 && asked.stdout.contains("\"permissionDecision\":\"ask\""), "{asked:?}");
    for (verb, code) in [("approve", 0), ("decline", 2)] {
        let input = event(&place, &"touch made".into(), "c2").to_string();
        let waiting = start(&place, &["--client", "codex"], input.as_bytes());
        let mut id = String::new();
        testkit::until("the question waits", || {
            let open: Value =
                serde_json::from_str(&place.run(["approvals", "--json"]).stdout).unwrap_or_default();
            id = open[0]["id"].as_str().unwrap_or_default().to_owned();
            !id.is_empty()
        });
        assert_eq!(place.run([verb, id.as_str()]).code, 0);
        let told = said(&waiting.wait_with_output().unwrap());
        assert_eq!((told.code, told.stdout.as_str()), (code, ""), "{verb}: {told:?}");
    }
    assert!(!place.work().join("made").exists(), "a hook starts nothing");
    place.owner(&format!("{POLICY}hook.ask_wait_ms = 50\n"));
    let said = judge(&place, "codex", "touch made");
    assert!(said.code == 2 && said.stderr.contains("nobody answered within"), "{said:?}");
}

#[test]
fn what_was_judged_is_in_the_journal_masked_and_chained() {
    let place = place();
    judge(&place, "claude-code", "ls");
    judge(&place, "codex", "rm --password=hunter2hunter2 x");
    let said = place.run(["log", "--json"]);
    let all: Vec<Value> = said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(all.len(), 2, "{said:?}");
    let judged = all.iter().find(|one| one["state"] == "judged").unwrap();
    assert_eq!(
        (&judged["door"], &judged["client"], &judged["told"]),
        (&"hook".into(), &"claude-code".into(), &"pass".into())
    );
    assert_eq!((&judged["session"], &judged["call"]), (&"s1".into(), &"c1".into()));
    assert!(all.iter().any(|one| one["state"] == "refused" && one["client"] == "codex"), "{said:?}");
    assert!(!said.stdout.contains("hunter2"), "{said:?}");
    assert_eq!(place.run(["log", "--verify"]).code, 0);
    assert_eq!(place.run(["log", "--door", "hook", "--json"]).stdout.lines().count(), 2);
}

#[test]
fn watching_changes_nothing_and_pairs_what_is_asked_with_what_came_of_it() {
    let place = place();
    let mut one = event(&place, &"rm -rf x".into(), "c9");
    let watch = |one: &Value| {
        hook(&place, &["--client", "claude-code", "--mode", "watch"], one.to_string().as_bytes())
    };
    let said = watch(&one);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""));
    one["hook_event_name"] = "PostToolUseFailure".into();
    one["error"] = "Exit code 3\nx".into();
    assert_eq!(watch(&one).code, 0);
    assert_eq!(hook(&place, &["--client", "claude-code", "--mode", "watch"], b"nonsense").code, 0);
    let line: Value = serde_json::from_str(place.run(["log", "--json"]).stdout.trim()).unwrap();
    assert_eq!(
        (&line["told"], &line["exit_code"], &line["state"]),
        (&"watch".into(), &3.into(), &"ended".into())
    );
    assert!(line["duration_ms"].is_u64(), "{line}");
}

#[test]
fn a_folder_is_carried_on_and_one_record_says_who_asked() {
    let place = place();
    std::fs::create_dir(place.work().join("sub")).unwrap();
    let line = wrapped(&place, "codex", "cd sub && pwd", "c1");
    let sub = place.work().join("sub").display().to_string();
    assert_eq!(in_shell(&place, &format!("{line}\npwd"), &place.work()), (0, format!("{sub}\n{sub}\n")));
    let record: Value = serde_json::from_str(place.run(["log", "--json"]).stdout.trim()).unwrap();
    assert_eq!(
        (&record["door"], &record["client"], &record["exit_code"]),
        (&"hook".into(), &"codex".into(), &0.into())
    );
    let input = event(&place, &"pwd; cd sub".into(), "c2").to_string();
    let said = hook(&place, &["--client", "codex", "--mode", "wrap"], input.as_bytes());
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "judged, and not wrapped");
    assert!(place.run(["log", "--json"]).stdout.contains("not wrapped: it changes the folder"));
}

#[test]
fn a_ticket_is_good_once_for_its_text_in_its_folder() {
    let bad = |place: &Place, line: &str, folder: &Path, why: &str| {
        let (code, told) = in_shell(place, line, folder);
        assert_eq!(code, 126, "{told}");
        assert!(told.contains("[hook.bad-ticket]") && told.contains(why), "{told}");
    };
    let first = place();
    let line = wrapped(&first, "claude-code", "echo once", "c1");
    assert_eq!(in_shell(&first, &line, &first.work()), (0, "once\n".to_owned()));
    bad(&first, &line, &first.work(), "was used already");
    bad(&first, &line.replace("--ticket ", "--ticket 0"), &first.work(), "unknown");
    let said = first.run(["exec", "--ticket", "x", "--shell", "ls", "--env", "A=b"]);
    assert!(said.code != 0 && said.stderr.contains("cannot be used with"), "{said:?}");
    let second = place();
    let line = wrapped(&second, "claude-code", "echo x", "c1");
    bad(&second, &line.replace("echo x", "echo y"), &second.work(), "another text");
    bad(&second, &line, &second.work(), "was used already");
    let (third, elsewhere) = (place(), tempfile::tempdir().unwrap());
    bad(&third, &wrapped(&third, "claude-code", "echo x", "c1"), elsewhere.path(), "another folder");
}

#[test]
fn rules_that_changed_since_the_ticket_judge_again() {
    let place = place();
    let line = wrapped(&place, "claude-code", "echo x", "c1");
    place.owner("policy.deny = [\"echo\"]");
    let (code, told) = in_shell(&place, &line, &place.work());
    assert!(code == 126 && told.contains("[policy.denied]"), "{told}");
}

#[test]
fn a_client_that_drops_what_it_is_told_is_found_and_refused() {
    let place = place();
    wrapped(&place, "claude-code", "echo secretly", "c1");
    let mut after = event(&place, &"echo secretly".into(), "c1");
    after["hook_event_name"] = "PostToolUse".into();
    let wrap = ["--client", "claude-code", "--mode", "wrap"];
    assert_eq!(hook(&place, &wrap, after.to_string().as_bytes()).code, 0);
    let next = event(&place, &"echo next".into(), "c2").to_string();
    let said = hook(&place, &wrap, next.as_bytes());
    assert!(
        said.stdout.contains("this client drops rewritten commands")
            && said.stdout.contains("[hook.bypassed]"),
        "{said:?}"
    );
    assert!(place.run(["log", "--json"]).stdout.contains("\"hook.bypassed\""));
    let mut other = event(&place, &"echo next".into(), "c3");
    other["session_id"] = "s2".into();
    assert!(
        hook(&place, &wrap, other.to_string().as_bytes()).stdout.contains("updatedInput"),
        "another session"
    );
    place.owner(&format!("{POLICY}hook.on_bypass = \"tell\"\n"));
    assert!(hook(&place, &wrap, next.as_bytes()).stdout.contains("updatedInput"));
}

#[test]
fn rules_of_the_client_are_taken_over_or_nothing_is_wrapped() {
    let place = place();
    let settings = place.home().join(".claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, r#"{"permissions": {"deny": ["Bash(printf *)", "Bash(x*y)"]}}"#).unwrap();
    let install = ["hook", "install", "--client", "claude-code", "--wrap", "--yes"];
    let said = place.run(install);
    assert!(said.stderr.contains("1 rule of Claude Code would stop working: deny Bash(x*y)"), "{said:?}");
    let before = r#"{"permissions": {"deny": ["Bash(printf *)"]}}"#;
    std::fs::write(&settings, before).unwrap();
    let said = place.run(install);
    assert_eq!(said.code, 0, "{said:?}");
    let input = |command: &str| event(&place, &command.into(), "c1").to_string();
    let wrap = ["--client", "claude-code", "--mode", "wrap"];
    let told = hook(&place, &wrap, input("printf x").as_bytes());
    assert!(told.stdout.contains("\"deny\"") && told.stdout.contains("Bash(printf *)"), "{told:?}");
    assert!(hook(&place, &wrap, input("echo x").as_bytes()).stdout.contains("updatedInput"));
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("\"Bash(printf *)\"", "\"Bash(printf *)\", \"Bash(echo *)\""))
        .unwrap();
    let told = hook(&place, &wrap, input("echo x").as_bytes());
    assert_eq!((told.code, told.stdout.as_str()), (0, ""), "judged, and left to the client's own rules");
    std::fs::write(&settings, text).unwrap();
    assert_eq!(place.run(["hook", "install", "--client", "claude-code", "--remove", "--yes"]).code, 0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), before);
}

#[test]
fn installing_twice_is_once_and_removing_gives_every_byte_back() {
    for client in ["claude-code", "codex", "gemini", "opencode", "cursor", "copilot", "cline"] {
        let place = place();
        let said = place.run(["hook", "install", "--client", client, "--dry-run"]);
        assert!(said.code == 0 && said.stdout.contains("+ "), "{said:?}");
        let yes = ["hook", "install", "--client", client, "--yes"];
        let first = place.run(yes);
        assert_eq!(first.code, 0, "{first:?}");
        assert!(first.stdout.contains("would be told about"), "{first:?}");
        assert_eq!(first.stdout.contains("type `/hooks`"), client == "codex");
        assert!(place.run(yes).stdout.contains("has the hook already") || client == "cline");
        let said = place.run(["hook", "install", "--client", client, "--remove", "--yes"]);
        assert_eq!(said.code, 0, "{said:?}");
        let again = place.run(["hook", "install", "--client", client, "--remove", "--yes"]);
        assert!(again.stdout.contains("no hook"), "{client}: {again:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_runward_runs_cannot_install_a_hook() {
    let place = place();
    let runward = env!("CARGO_BIN_EXE_runward");
    let said = place.run(["exec", "--", runward, "hook", "install", "--client", "codex", "--yes"]);
    assert!(said.code != 0 && said.stderr.contains("may not change a client's hooks"), "{said:?}");
    assert!(!place.home().join(".codex/hooks.json").exists());
}

#[test]
fn broken_events_through_the_binary_end_with_zero_or_two() {
    let place = place();
    let whole = event(&place, &"rm -rf x".into(), "c1").to_string();
    for cut in (1..whole.len()).step_by(9) {
        let mut bytes = whole.as_bytes().to_vec();
        bytes[cut] = b'"';
        for input in [&whole.as_bytes()[..cut], &bytes] {
            let said = hook(&place, &["--client", "codex"], input);
            assert!(said.code == 2 && !said.stderr.is_empty(), "{}: {said:?}", input.escape_ascii());
        }
    }
}
