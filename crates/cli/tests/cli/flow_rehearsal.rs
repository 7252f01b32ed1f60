//! `--dry-run` shows everything and starts nothing.

use crate::runner::{Place, program};
use serde_json::{Value, json};
use std::path::Path;

/// A file in which everything would run something.
const BUSY: &str = "---
pre: touch made-by-hook
post: touch made-by-hook
model: opus
env: {A: 1}
_steps:
  - id: one
    command: touch
    run: made-by-step
---
{{ name }} !`touch made-by-inline` {{ steps.one.stdout }} @git:status @./data.txt

```
#!/bin/sh
touch made-by-fence
```
";

fn place() -> Place {
    let place = Place::new();
    place.file("busy.touch.md", BUSY);
    place.file("data.txt", "imported\n");
    place
}

#[test]
fn nothing_is_started() {
    let place = place();
    let mut traced = program(Path::new("strace"));
    traced.args(["-f", "-qq", "-e", "trace=process", "-o", "trace", env!("CARGO_BIN_EXE_runward")]);
    traced.args(["run", "busy.touch.md", "--dry-run", "--name", "x"]);
    traced.env_clear().envs(place.env()).current_dir(place.work()).stdin(std::process::Stdio::null());
    let output = traced.output().expect("strace is here: see `cargo xtask install`");
    assert!(output.status.success(), "{output:?}");
    let trace = std::fs::read_to_string(place.work().join("trace")).unwrap();
    let calls = |names: &[&str]| -> Vec<String> {
        let is = |line: &&str| names.iter().any(|name| line.contains(&format!(" {name}(")));
        trace.lines().filter(is).map(str::to_owned).collect()
    };
    // The first is the tracer's own: it starts the binary.
    assert_eq!(calls(&["execve", "execveat"]).len(), 1, "{trace}");
    let started = calls(&["clone", "clone3", "fork", "vfork"]);
    // A question to the kernel whether a call is there is answered with an error, and starts nothing.
    let processes = started.iter().filter(|call| !call.contains("CLONE_THREAD") && !call.contains("= -1 E"));
    assert_eq!(processes.count(), 0, "{trace}");
    let mut names: Vec<_> =
        std::fs::read_dir(place.work()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["busy.touch.md", "data.txt", "trace"]);
}

#[test]
fn the_command_the_prompt_and_its_size_are_printed() {
    let place = Place::new();
    place.file("a.claude.md", "---\nmodel: opus\n---\nSay \"{{ what }}\" to me.\n");
    let said = place.run(["run", "a.claude.md", "--what", "it's", "--dry-run"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert_eq!(
        said.stdout,
        "Command:\nclaude --print --model opus 'Say \"it'\\''s\" to me.'\n\n\
         Prompt:\nSay \"it's\" to me.\n\n\
         Estimated tokens: 5\n"
    );
}

#[test]
fn one_object_has_everything() {
    let place = place();
    let said = place.run(["run", "--dry-run", "busy.touch.md", "--json", "--name", "x"]);
    let object: Value = serde_json::from_str(&said.stdout).unwrap();
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    let mut wanted =
        ["command", "args", "env", "cwd", "prompt", "estimatedTokens", "imports", "variables"].to_vec();
    wanted.sort_unstable();
    let mut found = keys.clone();
    found.sort_unstable();
    assert_eq!(found, wanted);
    let prompt = object["prompt"].as_str().unwrap();
    assert_eq!((&object["command"], &object["env"]), (&json!("touch"), &json!({"A": "1"})));
    assert_eq!(object["args"], json!(["--model", "opus", prompt]));
    assert_eq!(object["cwd"], json!(place.work().to_str()));
    assert_eq!(object["variables"], json!({"name": "x"}));
    let imports = object["imports"].as_array().unwrap();
    assert!(imports.iter().any(|import| import["what"] == "@./data.txt"), "{imports:?}");
    assert!(
        prompt.starts_with("[the hook before is not run by --dry-run]\nx [!`touch made-by-inline`"),
        "{prompt}"
    );
}

#[test]
fn a_command_that_is_not_here_can_be_rehearsed() {
    let place = Place::new();
    place.file("a.no-such-program.md", "x");
    assert_eq!(place.run(["run", "a.no-such-program.md", "--dry-run"]).code, 0);
}
