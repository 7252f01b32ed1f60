//! What was typed for a markdown agent, taken apart: the file, our options, and what is for the file.

use crate::args::{RunArgs, SandboxArgs};
use crate::output::Format;
use runward::Code;
use runward::core::render::word;
use runward_flow::FlowError;
use runward_flow::words::{Ours, Switch, take_ours};
use std::ffi::OsString;

/// A run, as asked for.
#[derive(Debug)]
pub(super) struct Asked {
    /// The file, as typed.
    pub(super) name: String,
    /// Our options.
    pub(super) ours: Ours,
    /// Everything else after the file.
    pub(super) words: Vec<String>,
    /// How it is told.
    pub(super) way: Way,
    /// What is kept around everything that runs.
    pub(super) sandbox: SandboxArgs,
}

/// How a run is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Its output is ours.
    Plain,
    /// One object at the end.
    Json,
    /// One object per line while it runs.
    Events,
}

impl Way {
    /// How a failure is told, where it is told once and at the end.
    pub(super) fn format(self) -> Format {
        match self {
            Way::Json => Format::Json,
            Way::Plain | Way::Events => Format::Plain,
        }
    }
}

impl Asked {
    /// Takes apart what was typed. What is wrong is told in the way that was asked for, as far as that can be seen.
    pub(super) fn read(args: &RunArgs) -> Result<Self, (FlowError, Way)> {
        Self::take(args).map_err(|error| (error, seen(args)))
    }

    fn take(args: &RunArgs) -> Result<Self, FlowError> {
        let words = text(&args.words)?;
        let Some((name, rest)) = words.split_first() else {
            return Err(wrong("no file is named", "Name a markdown file: `runward run a.md`."));
        };
        let typed = [text(&args.typed_before())?, rest.to_vec()].concat();
        let (ours, words) = take_ours(&typed)?;
        Ok(Self { name: name.clone(), way: way(&ours)?, ours, words, sandbox: args.sandbox.clone() })
    }

    /// Whether nothing is to run.
    pub(super) fn is_rehearsal(&self) -> bool {
        self.ours.has(Switch::DryRun)
    }
}

/// How it is to be told, by words of which one cannot be used.
fn seen(args: &RunArgs) -> Way {
    let ours = || args.words.iter().take_while(|word| *word != "--");
    let asked = |switch: &str, before: bool| before || ours().any(|word| word == switch);
    if asked("--json", args.telling.json) {
        Way::Json
    } else if asked("--events", args.telling.events) {
        Way::Events
    } else {
        Way::Plain
    }
}

fn way(ours: &Ours) -> Result<Way, FlowError> {
    match (ours.has(Switch::Json), ours.has(Switch::Events), ours.has(Switch::DryRun)) {
        (true, true, _) => {
            Err(wrong("`--json` and `--events` are two ways to tell one run", "Leave one of them out."))
        }
        (_, true, true) => Err(wrong(
            "`--events` tells what happens, and nothing does with `--dry-run`",
            "Use `--dry-run --json` for one object.",
        )),
        (true, false, _) => Ok(Way::Json),
        (false, true, false) => Ok(Way::Events),
        (false, false, _) => Ok(Way::Plain),
    }
}

fn text(words: &[OsString]) -> Result<Vec<String>, FlowError> {
    let each = words.iter().map(|typed| {
        typed.to_str().map(str::to_owned).ok_or_else(|| {
            let message = format!("the argument `{}` is not UTF-8 text", word(typed));
            wrong(&message, "Give it in UTF-8: prompts and variables are text.")
        })
    });
    each.collect()
}

fn wrong(message: &str, hint: &str) -> FlowError {
    FlowError::new(Code::FlowBadArgument, message).hint(hint)
}
