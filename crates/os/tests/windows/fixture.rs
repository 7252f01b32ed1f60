//! What the tests' own program does when it is started as a fixture: it plays the part that its environment
//! names, inside the one test that exists for this.

use crate::drive::{self, numbers};
use runward_core::spec::CommandSpec;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

const PART: &str = "FIXTURE_PART";

/// This program, playing a part.
pub(crate) fn spec(part: &str) -> CommandSpec {
    let own = std::env::current_exe().unwrap();
    CommandSpec::exec(own).args(["--exact", "fixture::play", "--nocapture", "--"]).env(PART, part)
}

fn command(part: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "fixture::play", "--nocapture"]).env(PART, part);
    command
}

#[test]
fn play() {
    let Some(part) = std::env::var_os(PART) else { return };
    println!();
    match part.to_str().unwrap() {
        "arguments" => {
            std::env::args()
                .skip_while(|word| word != "--")
                .skip(1)
                .for_each(|word| println!("word: {word}"));
        }
        "surroundings" => {
            println!("cwd: {}", std::env::current_dir().unwrap().display());
            println!("WORD: {}", std::env::var("WORD").unwrap());
        }
        "echo" => drop(std::io::copy(&mut std::io::stdin(), &mut std::io::stdout())),
        "sleep" => std::thread::sleep(Duration::from_secs(60)),
        "branch" => drop(child("sleep", "pid: ").wait()),
        "tree" => tree(),
        "runward" => runward(),
        other => panic!("no such part: {other}"),
    }
    std::io::stdout().flush().unwrap();
    // At once: the harness would only say more.
    std::process::exit(0);
}

/// Starts a part and tells its pid.
fn child(part: &str, mark: &str) -> std::process::Child {
    let child = command(part).stdin(Stdio::null()).spawn().unwrap();
    println!("{mark}{}", child.id());
    std::io::stdout().flush().unwrap();
    child
}

/// A child and a grandchild, both of which would stay for a minute.
#[expect(clippy::zombie_processes, reason = "leaving them behind is what this part is for")]
fn tree() {
    let mut branch = child("branch", "pid: ");
    if std::env::var_os("FIXTURE_LEAVES").is_some() {
        // Long enough for the grandchild to have been started and told of.
        std::thread::sleep(Duration::from_secs(2));
        return;
    }
    branch.wait().unwrap();
}

/// Launches a tree and passes on what it prints, until it is killed.
fn runward() {
    drive::block_on(async {
        let mut child = drive::launch(&spec("tree")).await;
        for pid in drive::read_until(&mut child, "pid: ", 2).await {
            println!("pid: {pid}");
        }
        std::io::stdout().flush().unwrap();
        std::future::pending::<()>().await;
    });
}

/// Starts a process that runs a tree, kills that process, and tells the pids of the tree.
pub(crate) fn kill_a_runward() -> Vec<u32> {
    let mut runward = command("runward").stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut text = String::new();
    let mut byte = [0];
    let stdout = runward.stdout.as_mut().unwrap();
    while numbers(&text, "pid: ").len() < 2 && stdout.read(&mut byte).unwrap() == 1 {
        text.push(char::from(byte[0]));
    }
    let pids = numbers(&text, "pid: ");
    runward.kill().unwrap();
    runward.wait().unwrap();
    pids
}
