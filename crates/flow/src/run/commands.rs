//! Commands inside a markdown agent: run along the road, each answer put where the command stood.
//!
//! What they print is data: nobody looks through it again.

use super::at_once::{Halt, in_order};
use super::keep;
use super::road::{Printed, Road, called_off};
use crate::FlowError;
use crate::build::BuiltCommand;
use crate::imports::{EmbeddedCommand, EmbeddedKind};
use crate::template::FilledPart;
use runward_engine::core::spec::ShellChoice;
use runward_engine::{Code, CommandSpec, Program, StopCause, Streams, Wish};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::sync::Semaphore;

/// How long a command inside the text may take.
const LONGEST: Duration = Duration::from_secs(30);

/// Characters of what it prints, at the most.
const MOST: usize = 100_000;

/// Bytes that are kept of what a hook or a step prints. Nobody could read a prompt with more.
pub(super) const MOST_KEPT: u64 = 64 * 1024 * 1024;

/// Where commands of one agent run, and with which variables.
#[derive(Debug, Clone)]
pub(super) struct CommandPlace {
    pub(super) cwd: PathBuf,
    pub(super) env: Vec<(String, String)>,
    /// How long each of them may take.
    pub(super) wall: Wish<Duration>,
    /// One for each command inside the text that may run at the same time.
    pub(super) slots: Arc<Semaphore>,
}

impl CommandPlace {
    /// What the engine is asked to run for a command that was built.
    pub(super) fn lower(&self, built: &BuiltCommand) -> CommandSpec {
        self.set(CommandSpec::exec(&built.executable).args(&built.args))
    }

    /// A command at this place.
    pub(super) fn set(&self, mut spec: CommandSpec) -> CommandSpec {
        spec.cwd = Some(self.cwd.clone());
        spec.limits.wall = self.wall;
        self.env.iter().fold(spec, |spec, (name, value)| spec.env(name, value))
    }
}

/// The text of `sh`, whatever the host's own shell is: files are written for one shell.
pub(super) fn shell(text: &str) -> CommandSpec {
    let mut spec = CommandSpec::shell(text);
    if let Program::Shell { shell, .. } = &mut spec.program {
        *shell = ShellChoice::Named { name: "sh".into(), before: vec!["-c".into()] };
    }
    spec
}

/// Runs every command in a filled text, as many at once as the file may have, and joins all of it in its order.
pub(super) async fn run<R: Road>(
    parts: Vec<FilledPart>,
    place: &CommandPlace,
    road: &R,
) -> Result<String, FlowError> {
    let pieces = in_order(parts, |part, halt| async move {
        match part {
            FilledPart::Text(piece) => Ok(piece),
            FilledPart::Command(command) => one(command, place, road, halt).await,
        }
    });
    Ok(pieces.await?.concat())
}

/// The same text with commands named instead of run.
pub(super) fn rehearse(parts: Vec<FilledPart>) -> String {
    let shown = |part| match part {
        FilledPart::Text(piece) => piece,
        FilledPart::Command(command) => format!("[{} is not run by --dry-run]", named(&command, "!")),
    };
    parts.into_iter().map(shown).collect()
}

/// A command as people know it; what stands before its backticks is said with it.
fn named(command: &EmbeddedCommand, before: &str) -> String {
    match command.kind {
        EmbeddedKind::Inline => format!("{before}`{}`", command.text.trim()),
        EmbeddedKind::Fence => format!("the fence for `{}`", command.interpreter()),
    }
}

async fn one<R: Road>(
    command: EmbeddedCommand,
    place: &CommandPlace,
    road: &R,
    halt: Halt,
) -> Result<String, FlowError> {
    let halt = halt.called();
    tokio::pin!(halt);
    // Given in the order of asking, so commands begin in the order of the text. Held until the command is over.
    let _slot = tokio::select! {
        biased;
        () = &mut halt => return Err(called_off()),
        slot = place.slots.acquire() => slot,
    };
    // Held until the command is over.
    let (spec, _script) = match command.kind {
        EmbeddedKind::Inline => (shell(&command.text), None),
        EmbeddedKind::Fence => fence(command.interpreter(), &command.text)?,
    };
    let mut spec = place.set(spec).timeout(LONGEST);
    spec.streams = Streams::Joined;
    let printed = road.run_until(spec, halt).await.map_err(|error| error.at(command.mark.clone()))?;
    answer(&printed, &named(&command, "")).map_err(|error| error.at(command.mark))
}

fn answer(printed: &Printed, name: &str) -> Result<String, FlowError> {
    let output = limited(&anstream::adapter::strip_str(&printed.stdout).to_string(), printed.left_out);
    if printed.stopped == Some(StopCause::Timeout) {
        let message = format!("{name} was stopped after {} s", LONGEST.as_secs());
        let hint = format!(
            "Make it faster, or run it before and import what it wrote. It printed: {}",
            output.trim()
        );
        return Err(FlowError::new(Code::FlowCommandFailed, message).hint(hint));
    }
    if printed.exit_code != 0 {
        let said = if output.trim().is_empty() { "nothing".to_owned() } else { output.trim().to_owned() };
        let message = format!("{name} failed with exit code {}; it printed: {said}", printed.exit_code);
        let hint = "Mend the command, or add `|| true` to go on without it.";
        return Err(FlowError::new(Code::FlowCommandFailed, message).hint(hint));
    }
    // The line's end belongs to the command, not to the sentence around it.
    Ok(output.trim_end_matches('\n').to_owned())
}

fn limited(output: &str, left_out: u64) -> String {
    match output.char_indices().nth(MOST) {
        None => output.to_owned(),
        Some((at, _)) => {
            let left = output[at..].chars().count();
            // Of what is not even kept, nobody knows how many characters it was.
            let about = if left_out > 0 { "more than " } else { "" };
            format!("{}\n[… {about}{left} more characters were left out]", &output[..at])
        }
    }
}

/// Shells whose text the policy reads.
const READ_SHELLS: &[&str] = &["sh", "bash"];

/// The longest text that is given as a word.
const LONGEST_WORD: usize = 100_000;

/// A fence's command, and the file that its script lies in.
///
/// For a shell the script is a word of the command: the policy reads it there, as it reads every other text. What it
/// does in a file, nobody would see.
fn fence(interpreter: &str, text: &str) -> Result<(CommandSpec, Option<NamedTempFile>), FlowError> {
    // The file may be written with the line ends of Windows; its scripts are for interpreters that stumble over them.
    let text = &text.replace("\r\n", "\n");
    let (program, words) = started(interpreter);
    let spec = CommandSpec::exec(program).args(&words);
    let name = Path::new(program).file_name().unwrap_or_default();
    let is_options = words.iter().all(|word| word.starts_with('-') || *word == "pipefail");
    if is_options && READ_SHELLS.iter().any(|shell| name == *shell) && text.len() <= LONGEST_WORD {
        return Ok((spec.arg("-c").arg(text), None));
    }
    let script = keep::aside("runward-fence-", "", text).map_err(|error| {
        FlowError::new(Code::FlowCommandFailed, format!("a fence's script could not be written: {error}"))
            .hint("Make room in the folder for temporary files.")
    })?;
    Ok((spec.arg(script.path()), Some(script)))
}

/// The interpreter with its words, as the kernel would start it.
fn started(interpreter: &str) -> (&str, Vec<&str>) {
    let mut words = interpreter.split_whitespace();
    let first = words.next().unwrap_or("sh");
    // `env` finds the program by its name, which we do ourselves: then it is judged by its name too.
    if Path::new(first).file_name() == Some("env".as_ref()) {
        let mut rest = words.filter(|word| *word != "-S");
        return (rest.next().unwrap_or("sh"), rest.collect());
    }
    (first, words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(exit_code: i32, stdout: &str) -> Printed {
        Printed { exit_code, stdout: stdout.to_owned(), ..Printed::default() }
    }

    #[test]
    fn colours_and_the_last_line_end_are_left_out() {
        assert_eq!(answer(&printed(0, "\x1b[31mred\x1b[0m\n\n"), "`x`").unwrap(), "red");
    }

    #[test]
    fn much_output_is_cut_with_a_notice() {
        let cut = answer(&printed(0, &"é".repeat(MOST + 5)), "`x`").unwrap();
        assert!(cut.ends_with("é\n[… 5 more characters were left out]"));
        assert_eq!(cut.matches('é').count(), MOST);
    }

    #[test]
    fn a_failure_shows_what_was_printed() {
        let error = answer(&printed(3, "no such thing\n"), "`x`").unwrap_err();
        assert_eq!(error.to_string(), "`x` failed with exit code 3; it printed: no such thing");
    }

    #[test]
    fn a_fence_is_started_as_the_kernel_would() {
        assert_eq!(started("/bin/bash"), ("/bin/bash", vec![]));
        assert_eq!(started("/usr/bin/env python3"), ("python3", vec![]));
        assert_eq!(started("/usr/bin/env -S deno run -A"), ("deno", vec!["run", "-A"]));
    }

    #[test]
    fn only_a_shells_script_is_a_word() {
        let words = |interpreter: &str| match fence(interpreter, "#!x\nls").unwrap().0.program {
            Program::Exec { args, .. } => args,
            Program::Shell { .. } => panic!("no shell"),
        };
        assert_eq!(words("/bin/bash -euo pipefail"), ["-euo", "pipefail", "-c", "#!x\nls"]);
        assert_eq!(words("/usr/bin/env sh"), ["-c", "#!x\nls"]);
        assert_eq!(words("/usr/bin/python3 -u").len(), 2);
        assert_eq!(words("/bin/sh other.sh").len(), 2);
    }
}
