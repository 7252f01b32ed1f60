//! Splits the arguments of `run`: the file, our options, and the arguments for the file.

use crate::args::{RunArgs, SandboxArgs};
use crate::output::OutputFormat;
use runward::Code;
use runward::core::render::word;
use runward_flow::FlowError;
use runward_flow::words::{OwnOptions, Switch, take_ours};
use std::ffi::OsString;

/// A run, as asked for.
#[derive(Debug)]
pub(super) struct RunRequest {
    /// The file, as typed.
    pub(super) name: String,
    /// Our options.
    pub(super) ours: OwnOptions,
    /// Everything else after the file.
    pub(super) words: Vec<String>,
    /// How it is reported.
    pub(super) way: RunView,
    /// The sandbox of everything that runs.
    pub(super) sandbox: SandboxArgs,
}

/// How a run is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunView {
    /// Its output is passed through.
    Plain,
    /// One object at the end.
    Json,
    /// One object per line while it runs.
    Events,
}

impl RunView {
    /// How a failure is reported, where it is reported once and at the end.
    pub(super) fn format(self) -> OutputFormat {
        match self {
            RunView::Json => OutputFormat::Json,
            RunView::Plain | RunView::Events => OutputFormat::Plain,
        }
    }
}

impl RunRequest {
    /// Splits the arguments. An error is reported in the form that was asked for, as far as that can be known.
    pub(super) fn read(args: &RunArgs) -> Result<Self, (FlowError, RunView)> {
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

/// The form that was asked for, from arguments of which one is not valid.
fn seen(args: &RunArgs) -> RunView {
    let ours = || args.words.iter().take_while(|word| *word != "--");
    let asked = |switch: &str, before: bool| before || ours().any(|word| word == switch);
    if asked("--json", args.telling.json) {
        RunView::Json
    } else if asked("--events", args.telling.events) {
        RunView::Events
    } else {
        RunView::Plain
    }
}

fn way(ours: &OwnOptions) -> Result<RunView, FlowError> {
    match (ours.has(Switch::Json), ours.has(Switch::Events), ours.has(Switch::DryRun)) {
        (true, true, _) => {
            Err(wrong("`--json` and `--events` cannot be used together", "Leave one of them out."))
        }
        (_, true, true) => Err(wrong(
            "`--events` reports what runs, and `--dry-run` runs nothing",
            "Use `--dry-run --json` for one object.",
        )),
        (true, false, _) => Ok(RunView::Json),
        (false, true, false) => Ok(RunView::Events),
        (false, false, _) => Ok(RunView::Plain),
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
