//! Runward on poor hosts: few descriptors, few processes, little memory, a small stack. Every verb works, or ends with 125
//! and words that name the limit and what is needed. Never a panic, never a hang.

use crate::runner::{Place, Said, said};
use std::process::{Command, Output};

const VERBS: &[&[&str]] = &[
    &["--version"],
    &["--help"],
    &["exec", "--", "echo", "hi"],
    &["exec", "--json", "--", "echo", "hi"],
    &["exec", "--stdin", "-", "--", "cat"],
    &["explain", "--", "echo", "hi"],
    &["resolve", "sh"],
    &["doctor"],
    &["log"],
    &["log", "--verify"],
    &["ps"],
    &["approvals"],
    &["logs", "nothing"],
    &["attach", "nothing"],
    &["config", "show"],
    &["policy", "check", "--", "ls"],
    &["flows"],
    &["run", "nothing.md"],
    &["gateway"],
    &["mcp", "--http", "127.0.0.1:0", "--workspace", "no/such/folder"],
];

/// What was wrong with an answer, if anything was.
fn wrong(what: &str, output: &Output) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (shown, words) = (text(&output.stdout), text(&output.stderr));
    let told = words.contains("runward:") || words.contains("error:");
    let told = told || shown.contains("{\"error\":{") || shown.starts_with("broken   starting");
    let answered = match output.status.code() {
        Some(0) => true,
        Some(125) => told,
        // A list of rules that allows nothing.
        Some(126) => shown.contains("refused:"),
        _ => false,
    };
    let odd =
        ["panicked", "went wrong", "Tokio", "context was found"].iter().any(|word| words.contains(word));
    (!answered || odd).then(|| format!("{what}: {:?} {shown} {words}", output.status))
}

fn all_answer(what: &str, commands: impl IntoIterator<Item = (String, Command)>) {
    let wrong: Vec<String> = commands
        .into_iter()
        .filter_map(|(name, mut command)| wrong(&format!("{what} {name}"), &command.output().unwrap()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn under(place: &Place, limit: &str, args: &[&str]) -> Said {
    said(&place.behind(&["prlimit", limit], args).output().unwrap())
}

#[test]
fn a_command_works_or_names_the_number_under_every_small_limit_on_open_files() {
    let place = Place::new();
    let mut worked = false;
    for files in 5..=40 {
        let said = under(&place, &format!("--nofile={files}:{files}"), &["exec", "--", "echo", "hi"]);
        if said.code == 0 {
            assert_eq!(said.stdout, "hi\n", "{files}: {said:?}");
            worked = true;
            continue;
        }
        assert_eq!(said.code, 125, "{files}: {said:?}");
        assert!(said.stderr.contains("[spawn.resources]"), "{files}: {said:?}");
        assert!(said.stderr.contains(&format!("`ulimit -n` is {files} here")), "{files}: {said:?}");
        assert!(!worked, "{files}: what worked with less works with more: {said:?}");
        assert!(files < 32, "what is needed is what the words say: {said:?}");
    }
}

#[test]
fn every_verb_answers_with_few_descriptors() {
    let place = Place::new();
    for files in [5, 6, 7, 8, 10, 14] {
        let limit = format!("--nofile={files}:{files}");
        let command = |args: &[&str]| (args.join(" "), place.behind(&["prlimit", &limit], args));
        all_answer(&limit, VERBS.iter().map(|args| command(args)));
    }
}

/// A user of whom nothing else runs, and the folder that is theirs.
struct Ordinary {
    folder: tempfile::TempDir,
    user: u32,
}

impl Ordinary {
    fn new(user: u32) -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_runward"), folder.path().join("runward")).unwrap();
        std::os::unix::fs::chown(folder.path(), Some(user), Some(user)).unwrap();
        Self { folder, user }
    }

    /// The binary for a user who may have so many processes and threads.
    fn command(&self, processes: u32, args: &[&str]) -> Command {
        let (user, limit) = (self.user.to_string(), format!("--nproc={processes}:{processes}"));
        let mut command = crate::runner::program(std::path::Path::new("setpriv"));
        command.args(["--reuid", &user, "--regid", &user, "--clear-groups", "prlimit", &limit]);
        command.arg(self.folder.path().join("runward")).args(args);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", self.folder.path());
        command.current_dir(self.folder.path()).stdin(std::process::Stdio::null());
        command
    }
}

#[test]
fn a_command_works_or_names_the_number_under_every_small_limit_on_processes() {
    let nobody = Ordinary::new(54_321);
    let mut worked = false;
    for processes in 0..=12 {
        let output = nobody.command(processes, &["exec", "--", "echo", "hi"]).output().unwrap();
        let said = said(&output);
        if said.code == 0 {
            assert_eq!(said.stdout, "hi\n", "{processes}: {said:?}");
            worked = true;
            continue;
        }
        assert_eq!(said.code, 125, "{processes}: {said:?}");
        assert!(said.stderr.contains("[spawn.resources]"), "{processes}: {said:?}");
        assert!(said.stderr.contains(&format!("`ulimit -u` is {processes} here")), "{processes}: {said:?}");
        assert!(processes < 8, "what is needed is what the words say: {said:?}");
    }
    assert!(worked);
}

#[test]
fn every_verb_answers_with_few_processes() {
    let nobody = Ordinary::new(54_322);
    for processes in [0, 1, 2, 3, 5] {
        let command = |args: &[&str]| (args.join(" "), nobody.command(processes, args));
        all_answer(&format!("nproc {processes}"), VERBS.iter().map(|args| command(args)));
    }
    let http = nobody.command(1, &["mcp", "--http", "127.0.0.1:0"]).output().unwrap();
    assert_eq!(wrong("http", &http), None);
    assert_eq!(http.status.code(), Some(125), "{http:?}");
}

/// The kernel ends a program for which it finds no room, and the loader says what it cannot map: before either is done,
/// nothing of Runward runs. So the search begins where it has begun to run, which its own words show.
#[test]
fn every_verb_answers_with_little_memory() {
    let place = Place::new();
    for resource in ["as", "data"] {
        let limit = |kilobytes: u64| format!("--{resource}={0}:{0}", kilobytes << 10);
        let begins = |kilobytes: &u64| {
            let output = place.behind(&["prlimit", &limit(*kilobytes)], ["--version"]).output().unwrap();
            [Some(0), Some(125)].contains(&output.status.code())
        };
        let least = (0..1000).map(|step| 1024 + step * 256).find(begins).expect("it runs with 256 MiB");
        // Nearer to the least, a stack that may not grow any more is ended by the kernel, before a word can be printed.
        for more in [4096, 6144, 8192, 16_384, 65_536] {
            let limit = limit(least + more);
            let some = VERBS.iter().filter(|args| ["exec", "log", "doctor", "ps"].contains(&args[0]));
            let command = |args: &[&str]| (args.join(" "), place.behind(&["prlimit", &limit], args));
            all_answer(&limit, some.map(|args| command(args)));
        }
    }
}

#[test]
fn a_small_stack_is_told_with_the_size_that_is_needed() {
    let place = Place::new();
    for size in [128, 256, 384, 512, 768, 1024] {
        let limit = format!("--stack={0}:{0}", size << 10);
        let command = |args: &[&str]| (args.join(" "), place.behind(&["prlimit", &limit], args));
        all_answer(&limit, VERBS.iter().map(|args| command(args)));
        let said = under(&place, &limit, &["--version"]);
        assert_eq!(said.code == 0, size >= 512, "{size}: {said:?}");
    }
}

#[test]
fn files_that_may_not_grow_are_told_by_every_verb() {
    let place = Place::new();
    let command = |args: &[&str]| (args.join(" "), place.behind(&["prlimit", "--fsize=0:0"], args));
    all_answer("fsize", VERBS.iter().map(|args| command(args)));
}
