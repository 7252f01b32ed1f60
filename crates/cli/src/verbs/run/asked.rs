//! What was typed for a markdown agent, taken apart: the file, our options, and what is for the file.

use crate::args::RunArgs;
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
    /// Takes apart what was typed.
    pub(super) fn read(args: &RunArgs) -> Result<Self, (FlowError, Way)> {
        let plain = |error| (error, if args.telling.json { Way::Json } else { Way::Plain });
        let (name, rest) = match text(&args.words).map_err(plain)?.split_first() {
            Some((name, rest)) => (name.clone(), rest.to_vec()),
            None => {
                return Err(plain(wrong("no file is named", "Name a markdown file: `runward run a.md`.")));
            }
        };
        let typed = [text(&args.typed_before()).map_err(plain)?, rest].concat();
        let (ours, words) = take_ours(&typed).map_err(plain)?;
        let way = way(&ours).map_err(plain)?;
        Ok(Self { name, ours, words, way })
    }

    /// Whether nothing is to run.
    pub(super) fn is_rehearsal(&self) -> bool {
        self.ours.has(Switch::DryRun)
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
