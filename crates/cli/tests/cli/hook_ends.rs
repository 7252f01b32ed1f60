//! `runward hook` where its ends fail: nobody reads what it says, or it was stopped while it thought.

use crate::runner::{Place, program, said};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

const POLICY: &str = "policy.allow = [\"echo\"]\npolicy.ask = [\"touch\"]\n";

fn place() -> Place {
    let place = Place::new();
    place.owner(POLICY);
    place
}

fn event(place: &Place, client: &str, command: &str) -> String {
    let (moment, tool) = match client {
        "gemini" => ("BeforeTool", "run_shell_command"),
        _ => ("PreToolUse", "Bash"),
    };
    json!({
        "session_id": "s1", "cwd": place.work(), "hook_event_name": moment, "tool_name": tool,
        "tool_input": {"command": command}, "tool_use_id": "c1",
    })
    .to_string()
}

/// The hook behind a shell that gives it another standard output.
fn with_output(place: &Place, client: &str, mode: &str, output: &str, command: &str) -> (i32, String) {
    let mut shell = program(Path::new("/bin/sh"));
    let runward = env!("CARGO_BIN_EXE_runward");
    shell.arg("-c").arg(format!("exec '{runward}' hook --client {client} --mode {mode} {output}"));
    let shell = shell.env_clear().envs(place.env()).current_dir(place.work());
    let mut child =
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event(place, client, command).as_bytes()).unwrap();
    let told = said(&child.wait_with_output().unwrap());
    assert_eq!(told.stdout, "", "{output}");
    (told.code, told.stderr)
}

/// Clients that read a no on standard output run the command when there is none.
#[cfg(target_os = "linux")]
#[test]
fn a_no_that_nobody_can_read_is_the_status_two_with_words() {
    for output in [">&-", ">/dev/null", "1</dev/null", ">/dev/full"] {
        let place = place();
        // Silence needs no reader.
        assert_eq!(with_output(&place, "claude-code", "judge", output, "echo x"), (0, String::new()));
        for client in ["claude-code", "gemini"] {
            let (code, told) = with_output(&place, client, "judge", output, "rm x");
            assert_eq!(code, 2, "{client} {output}: {told}");
            assert!(told.contains("[hook.failed]") && told.contains("`rm x`"), "{client} {output}: {told}");
        }
        let (code, told) = with_output(&place, "claude-code", "judge", output, "touch x");
        assert!(code == 2 && told.contains("\"ask\""), "{output}: {told}");
        let (code, told) = with_output(&place, "claude-code", "wrap", output, "echo x");
        assert!(code == 2 && told.contains("[hook.failed]"), "{output}: {told}");
    }
}

#[test]
fn a_no_whose_reader_is_gone_is_the_status_two_with_words() {
    let place = place();
    let mut child = begun(&place, "claude-code");
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(event(&place, "claude-code", "rm x").as_bytes()).unwrap();
    let told = said(&child.wait_with_output().unwrap());
    assert!(told.code == 2 && told.stderr.contains("[hook.failed]"), "{told:?}");
}

fn begun(place: &Place, client: &str) -> Child {
    let mut command = place.command(["hook", "--client", client]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What has been judged by then comes too late, whichever thread goes on first.
#[cfg(target_os = "linux")]
#[test]
fn a_hook_that_was_stopped_ends_with_its_deadline() {
    let place = place();
    let hooks: Vec<Child> = (0..10).map(|_| begun(&place, "claude-code")).collect();
    for hook in &hooks {
        testkit::until("its deadline is set", || has_thread(hook.id(), "deadline"));
        signal("STOP", hook.id());
        testkit::until("it is stopped", || condition(hook.id()) == Some('T'));
    }
    let stopped = std::time::Instant::now();
    let commands = ["rm x", "echo x"].into_iter().cycle();
    let hooks: Vec<(Child, &str)> = hooks
        .into_iter()
        .zip(commands)
        .map(|(mut hook, command)| {
            hook.stdin.take().unwrap().write_all(event(&place, "claude-code", command).as_bytes()).unwrap();
            (hook, command)
        })
        .collect();
    testkit::until("their deadlines are over", || stopped.elapsed().as_secs() >= 3);
    for (hook, command) in hooks {
        signal("CONT", hook.id());
        let told = said(&hook.wait_with_output().unwrap());
        assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{command}: {told:?}");
        assert!(told.stderr.contains("it took longer than 2 s [hook.failed]"), "{told:?}");
    }
}

#[cfg(target_os = "linux")]
fn has_thread(pid: u32, name: &str) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
        .any(|comm| comm.trim() == name)
}

#[cfg(target_os = "linux")]
fn condition(pid: u32) -> Option<char> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("State:")?.trim().chars().next())
}

#[cfg(target_os = "linux")]
fn signal(name: &str, pid: u32) {
    let sent = program(Path::new("/bin/kill")).arg(format!("-{name}")).arg(pid.to_string()).status();
    assert!(sent.unwrap().success());
}
