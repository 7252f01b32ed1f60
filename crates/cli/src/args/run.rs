//! The arguments of `run`. May not know the inputs of the markdown file: its arguments are kept as they are.

use super::SandboxArgs;
use clap::{Args, ValueHint};
use runward_flow::lookup::looks_like_a_flow;
use std::ffi::OsString;

pub(super) const USAGE: &str =
    "runward run [OPTIONS] FILE [ARGS]...\n       runward FILE.md [OPTIONS] [ARGS]...";

pub(super) const EXAMPLES: &str = "Examples:
  runward run review.claude.md src/main.rs
  git diff | runward run review.claude.md
  runward run summarise.md --command codex --dry-run
  runward run ask.claude.md 'one question' | runward run translate.claude.md --lang de
  runward review.claude.md --model opus
  runward run task.claude.md --json -- --json
  runward run --sandbox workspace-write task.claude.md

The first word without a dash is the file: a path, a name in `flows` or `.runward/flows` here, in
your own folder of flows or on PATH (`.md` may be left out), or a URL. Everything after it goes to
the file, except the options above, which may stand anywhere; `--` ends them. Only `--sandbox` and
`--network` must stand before the file: after it they belong to the command, as codex has a
`--sandbox` of its own. They apply to everything that the file runs.

The command comes from `--command`, RUNWARD_COMMAND, the file's name (`task.claude.md` is for
`claude`), `engine` in its front matter, or the configuration. Standard input is put before the
prompt. A file that begins with `#!/usr/bin/env -S runward run` is a program once it is executable.

Exit status: the command's own; 124 at its time limit, 125 for a file that cannot be run or a
failure of runward itself, 126 refused or not executable, 127 not found, 128+n when signal n ended it.";

/// A markdown agent, and the arguments for it.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Use this command instead of the file's own
    #[arg(long, short, value_name = "NAME", value_hint = ValueHint::CommandName)]
    pub(crate) command: Option<OsString>,
    #[command(flatten)]
    pub(crate) telling: TellingArgs,
    /// Give the command the terminal: standard input, output and error
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Reuse the results of steps that the last run finished
    #[arg(long)]
    pub(crate) resume: bool,
    /// Run a remote file this once, without asking for approval
    #[arg(long)]
    pub(crate) trust: bool,
    /// The file, and the arguments for it
    #[arg(value_name = "FILE ARGS", required = true, trailing_var_arg = true, value_hint = ValueHint::FilePath)]
    pub(crate) words: Vec<OsString>,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// How a run is reported.
#[derive(Debug, Args)]
pub(crate) struct TellingArgs {
    /// Print the command, the prompt and its size, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object at the end
    #[arg(long)]
    pub(crate) json: bool,
    /// Print one JSON object per line while it runs
    #[arg(long)]
    pub(crate) events: bool,
}

impl RunArgs {
    /// The options that stood before the file, as they were typed.
    pub(crate) fn typed_before(&self) -> Vec<OsString> {
        let switches = [
            ("--dry-run", self.telling.dry_run),
            ("--json", self.telling.json),
            ("--events", self.telling.events),
            ("--interactive", self.interactive),
            ("--resume", self.resume),
            ("--trust", self.trust),
        ];
        let mut typed: Vec<OsString> =
            switches.iter().filter(|(_, typed)| *typed).map(|(switch, _)| OsString::from(switch)).collect();
        if let Some(command) = &self.command {
            typed.extend(["--command".into(), command.clone()]);
        }
        typed
    }
}

/// Options with a value that may stand before a file.
const VALUED: [&str; 5] = ["--config", "--command", "-c", "--sandbox", "--network"];

/// Options without one.
const SWITCHES: [&str; 6] = ["--dry-run", "--json", "--events", "--interactive", "--resume", "--trust"];

/// `runward FILE.md …` means `runward run FILE.md …`, and `run -- FILE …` means `run FILE -- …`, so that the parser does
/// not keep the `--` for itself; everything else stays as it was typed.
pub(crate) fn spelled_out(mut typed: Vec<OsString>) -> Vec<OsString> {
    // Half of all programs print their version for the one, half for the other.
    if word(&typed, 1) == Some("-v") && typed.len() == 2 {
        return vec![typed.swap_remove(0), "--version".into()];
    }
    let at = behind_options(&typed, 1);
    if word(&typed, at).is_some_and(looks_like_a_flow) {
        typed.insert(1, "run".into());
    } else if word(&typed, at) == Some("run") {
        let at = behind_options(&typed, at + 1);
        let is_file = |word: &str| !word.starts_with('-');
        if word(&typed, at) == Some("--") && word(&typed, at + 1).is_some_and(is_file) {
            typed.swap(at, at + 1);
        }
    }
    typed
}

fn word(typed: &[OsString], at: usize) -> Option<&str> {
    typed.get(at)?.to_str()
}

/// The index of the first word, from here on, that is not an option of ours.
fn behind_options(typed: &[OsString], mut at: usize) -> usize {
    while let Some(word) = word(typed, at) {
        let name = word.split('=').next().unwrap_or(word);
        at += match (VALUED.contains(&name), SWITCHES.contains(&word)) {
            (true, _) if name == word => 2,
            (true, _) | (_, true) => 1,
            (false, false) => break,
        };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = spelled_out(words).into_iter().map(|word| word.into_string().unwrap());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_file_alone_means_run() {
        for line in [
            "r a.md",
            "r a.claude.md x --json",
            "r https://e.org/a.md",
            "r --config c.toml a.md",
            "r --config=c.toml -c cat --dry-run a.md",
            "r --sandbox read-only --network=off a.md",
        ] {
            assert_eq!(spelled(line), line.replacen("r ", "r run ", 1));
        }
    }

    #[test]
    fn what_ends_our_options_is_kept_for_the_files_words() {
        assert_eq!(spelled("r run -- a.md --json"), "r run a.md -- --json");
        assert_eq!(spelled("r --config x run --json -- a -c"), "r --config x run --json a -- -c");
    }

    #[test]
    fn a_verb_stays_a_verb() {
        for line in [
            "r exec -- cat a.md",
            "r run a.md",
            "r a",
            "r --help a.md",
            "r",
            "r --config a.md",
            "r run -- -a.md",
            "r -- a.md",
        ] {
            assert_eq!(spelled(line), line);
        }
    }
}
