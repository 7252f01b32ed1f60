//! The launcher of npm, on both of its ways: it becomes the binary, or it starts it.

use super::answer::{end_of, lines, next_line, program};
use super::{Trial, ensure, npm};
use crate::{ChoreResult, node};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Takes away what newer versions of node have.
const OLDER: &str = "process.execve = undefined;\n";

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let folder = trial.folder("launcher")?;
    let older = folder.join("older.js");
    fs::write(&older, OLDER).map_err(|error| error.to_string())?;
    let plain = folder.join("no-program");
    fs::write(&plain, "").map_err(|error| error.to_string())?;
    let binary = program(&trial.binary, &folder);
    let becomes = launched(trial, &folder, None);
    let starts = launched(trial, &folder, Some(&older));
    for (words, code) in cases(&plain) {
        let want = end_of(again(&binary).args(&words))?;
        ensure(want.code == Some(code), || format!("{words:?} ended {want:?}, not with {code}"))?;
        for way in [&becomes, &starts] {
            let end = end_of(again(way).args(&words))?;
            ensure(end.code == want.code, || {
                format!("{way:?} {words:?} ended {end:?}, the binary {want:?}")
            })?;
        }
    }
    for (way, seconds) in [(&binary, "86401"), (&becomes, "86402"), (&starts, "86403")] {
        terminated(trial, &mut again(way), seconds)?;
    }
    became(trial, &mut again(&becomes))
}

/// One command line for each code that means something.
fn cases(plain: &Path) -> Vec<(Vec<String>, i32)> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    vec![
        (words("exec -- true"), 0),
        (words("exec -- sh -c exit\t7").iter().map(|word| word.replace('\t', " ")).collect(), 7),
        (words("exec --timeout 100ms -- sleep 60"), 124),
        (words("exec --no-such-flag"), 125),
        (vec!["exec".to_owned(), "--".to_owned(), plain.display().to_string()], 126),
        (words("exec -- no-such-program-anywhere"), 127),
    ]
}

fn launched(trial: &Trial<'_>, folder: &Path, before: Option<&PathBuf>) -> Command {
    let mut command = program(trial.root.join(node::PROGRAM), folder);
    if let Some(file) = before {
        command.arg("--require").arg(file);
    }
    command.arg(npm::launcher(trial));
    command
}

/// The same command, not yet run.
fn again(command: &Command) -> Command {
    let mut same = Command::new(command.get_program());
    same.args(command.get_args());
    command.get_current_dir().map(|folder| same.current_dir(folder));
    same
}

/// A command that is running when the launcher is told to end, and what is left of it then.
fn terminated(trial: &Trial<'_>, command: &mut Command, seconds: &str) -> ChoreResult {
    let shown = format!("{command:?}");
    command
        .args(["exec", "--timeout", "0", "--", "sh", "-c"])
        .arg(format!("echo ready; exec sleep {seconds}"));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let said = lines(&mut child).and_then(|lines| next_line(&lines));
    let told = end_of(program("kill", &trial.place).args(["-TERM", &child.id().to_string()]));
    let status = child.wait().map_err(|error| error.to_string())?;
    ensure(said == Ok("ready".to_owned()), || format!("{shown} said {said:?}"))?;
    told?;
    // By the signal itself, or by the code that stands for it.
    ensure(matches!(status.code(), Some(143) | None), || format!("{shown} ended with {status}"))?;
    let all = end_of(program("ps", &trial.place).args(["-eo", "args"]))?.stdout;
    let left: Vec<_> = all.lines().filter(|line| line.contains(seconds)).collect();
    ensure(left.is_empty(), || format!("{shown} left {left:?}"))
}

/// The process that was started as node is the binary.
fn became(trial: &Trial<'_>, command: &mut Command) -> ChoreResult {
    command.args(["exec", "--timeout", "0", "--", "sh", "-c", "echo ready; exec sleep 86404"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let said = lines(&mut child).and_then(|lines| next_line(&lines));
    let program_of = fs::read_link(format!("/proc/{}/exe", child.id()));
    end_of(program("kill", &trial.place).args(["-TERM", &child.id().to_string()]))?;
    child.wait().map_err(|error| error.to_string())?;
    said?;
    let is_ours = program_of.as_ref().is_ok_and(|path| path.ends_with("bin/runward"));
    ensure(is_ours, || format!("the launcher is {program_of:?}, not the binary"))
}
