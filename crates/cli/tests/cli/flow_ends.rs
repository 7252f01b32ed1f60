//! Signals that ask us to end, and processes that outlive an agent: none.

use crate::runner::{Place, program};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Child;
use testkit::until;

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(program(Path::new("kill")).args(["-s", name, &pid]).status().unwrap().success());
}

/// Whether a process is there. A zombie is none.
fn lives(pid: &str) -> bool {
    let output = program(Path::new("ps")).args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
    let state = String::from_utf8(output.stdout).unwrap();
    !state.trim().is_empty() && !state.starts_with('Z')
}

#[test]
fn a_request_to_end_reaches_the_agent() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let place = Place::new();
        let script = "trap 'echo goodbye; exit 7' TERM; echo ready; while :; do sleep 0.02; done";
        place.file("a.sh.md", &format!("---\nc: true\n---\n{script}\n"));
        let mut child = place.start(["run", "a.sh.md"]);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "ready");
        signal(&child, name);
        assert_eq!(lines.next().unwrap().unwrap(), "goodbye");
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
    }
}

#[test]
fn twice_kills_it_at_once() {
    let place = Place::new();
    // With a minute of grace, only the second request can be what ends it.
    place.owner("limits.kill_grace_ms = 60_000");
    let script = "trap 'echo asked' TERM; echo ready; while :; do sleep 0.02; done";
    place.file("a.sh.md", &format!("---\nc: true\n---\n{script}\n"));
    let mut child = place.start(["run", "a.sh.md"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for wanted in ["ready", "asked"] {
        assert_eq!(lines.next().unwrap().unwrap(), wanted);
        signal(&child, "INT");
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn everything_before_the_agent_can_be_interrupted() {
    let busy = "echo $$ > ../pid.part; mv ../pid.part ../pid; exec sleep 1000";
    for (what, text) in [
        ("hook", format!("---\npre: {busy}\n---\nmade\n")),
        ("inline", format!("made !`{busy}`\n")),
        ("fence", format!("made\n\n```\n#!/bin/sh\n{busy}\n```\n")),
        ("step", "---\n_steps:\n  - id: one\n    command: ./busy\n    run: x\n---\nmade\n".to_owned()),
    ] {
        let place = Place::new();
        let inner = place.work().join("inner");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("a.touch.md"), text).unwrap();
        std::fs::write(inner.join("busy"), format!("#!/bin/sh\n{busy}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(inner.join("busy"), mode).unwrap();
        let mut child = place.command(["run", "a.touch.md"]).current_dir(&inner).spawn().unwrap();
        let file = place.work().join("pid");
        until("it runs", || file.exists());
        signal(&child, "INT");
        assert_eq!(child.wait().unwrap().code(), Some(130), "{what}");
        let pid = std::fs::read_to_string(&file).unwrap();
        until("it is gone", || !lives(&pid));
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 2, "{what}: the agent never began");
    }
}

#[test]
fn an_input_that_nobody_ends_can_be_interrupted() {
    let place = Place::new();
    place.file("a.echo.md", "x");
    let (reader, writer) = std::io::pipe().unwrap();
    let mut child = place.command(["run", "a.echo.md"]).stdin(reader).spawn().unwrap();
    // Once all of it is taken, the binary reads, and waits for more.
    std::io::Write::write_all(&mut &writer, &vec![b'x'; 1 << 20]).unwrap();
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(writer);
}

#[test]
fn the_hook_after_is_told_of_an_interrupt_and_can_be_interrupted_itself() {
    let place = Place::new();
    let after = "echo $RUNWARD_EXIT_CODE > after.part; mv after.part after; exec sleep 1000";
    place.file("a.sh.md", &format!("---\nc: true\npost: {after}\n---\necho ready; exec sleep 1000\n"));
    let mut child = place.start(["run", "a.sh.md"]);
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).unwrap();
    signal(&child, "INT");
    let file = place.work().join("after");
    until("the hook runs", || file.exists());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "130\n");
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn grandchildren_of_a_timed_out_agent_are_gone() {
    let place = Place::new();
    // One child in the group, one in a session of its own with a parent that is gone at once.
    let script = "sh -c 'echo $$ > one; exec sleep 1000' & setsid -f sh -c 'echo $$ > two; exec sleep 1000'; echo begun; wait";
    place.file("a.sh.md", &format!("---\nc: true\n_timeout: 3\n---\n{script}\n"));
    let said = place.run(["run", "a.sh.md"]);
    assert_eq!((said.code, said.stdout.as_str()), (124, "begun\n"));
    assert!(said.stderr.starts_with("runward: stopped at its time limit of 3s\n"), "{}", said.stderr);
    for file in ["one", "two"] {
        let pid = std::fs::read_to_string(place.work().join(file)).unwrap();
        assert!(!lives(&pid), "{file} is left");
    }
}

/// A file with this many commands that have told their pid and would go on for long, after these first ones.
fn sleepers(place: &Place, first: &str, count: usize) {
    let one = |n: usize| format!("!`echo $$ > pid.{n}; echo begun > gate.{n}; exec sleep 1000`\n");
    let text: String = (1..=count).map(one).collect();
    place.file("a.touch.md", &format!("{first}{text}"));
    let gates = (1..=count).map(|n| format!("gate.{n}"));
    assert!(program(Path::new("mkfifo")).args(gates).current_dir(place.work()).status().unwrap().success());
}

fn pids(place: &Place, count: usize) -> Vec<String> {
    (1..=count).map(|n| std::fs::read_to_string(place.work().join(format!("pid.{n}"))).unwrap()).collect()
}

#[test]
fn all_commands_that_run_at_once_are_interrupted() {
    let place = Place::new();
    sleepers(&place, "", 10);
    let mut child = place.start(["run", "a.touch.md"]);
    for n in 1..=10 {
        // Opened only when the command has begun.
        std::fs::read(place.work().join(format!("gate.{n}"))).unwrap();
    }
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(pids(&place, 10).iter().all(|pid| !lives(pid)), "all ended before we did");
}

#[test]
fn a_failure_among_commands_that_run_at_once_ends_the_others_and_each_is_recorded() {
    let place = Place::new();
    let wait: String = (1..=9).map(|n| format!("cat gate.{n}; ")).collect();
    sleepers(&place, &format!("!`{wait}exit 9`\n"), 9);
    let said = place.run(["run", "a.touch.md"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.starts_with("runward: a.touch.md:1:1: ") && said.stderr.contains("exit code 9"));
    assert!(pids(&place, 9).iter().all(|pid| !lives(pid)), "all ended before we did");
    let log = place.run(["log", "--json"]).stdout;
    let all: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(all.len(), 10, "{log}");
    assert!(all.iter().all(|one| one["state"] == "ended"), "{log}");
    // Begun in the order of the text, and recorded so.
    let number = |one: &serde_json::Value| (1..=9).find(|n| one.to_string().contains(&format!("pid.{n};")));
    let order: Vec<_> = all.iter().map(number).collect();
    assert_eq!(order, [None].into_iter().chain((1..=9).map(Some)).collect::<Vec<_>>());
}
