//! Our own options, wherever they stand. May not know what the file takes.

use crate::FlowError;
use runward_engine::Code;
use std::collections::BTreeSet;

/// An option of ours that takes no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// `--dry-run`: say what would run, and run nothing.
    DryRun,
    /// `--json`: one object at the end.
    Json,
    /// `--events`: one object per line while it runs.
    Events,
    /// `--trust`: run a remote file this once.
    Trust,
    /// `--interactive`: the program gets the terminal.
    Interactive,
    /// `--resume`: use the steps that are done.
    Resume,
}

/// How each switch is spelled. The spellings with an underscore are those of files written for mdflow.
const SWITCHES: &[(&str, Switch)] = &[
    ("--dry-run", Switch::DryRun),
    ("--json", Switch::Json),
    ("--events", Switch::Events),
    ("--trust", Switch::Trust),
    ("--interactive", Switch::Interactive),
    ("--_interactive", Switch::Interactive),
    ("--_i", Switch::Interactive),
    ("--resume", Switch::Resume),
];

/// The option of ours that is spelled so without its underscore, if one is.
pub(crate) fn switch_like(name: &str) -> Option<&'static str> {
    let bare = name.strip_prefix('_')?.replace('_', "-");
    let ours = SWITCHES.iter().map(|(spelling, _)| *spelling).chain(["--command"]);
    ours.into_iter().find(|spelling| spelling[2..] == bare)
}

/// What was asked of us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnOptions {
    /// `--command` or `-c`; the last one counts.
    pub command: Option<String>,
    /// Options without a value.
    pub switches: BTreeSet<Switch>,
}

impl OwnOptions {
    /// Whether this was asked.
    pub fn has(&self, switch: Switch) -> bool {
        self.switches.contains(&switch)
    }
}

/// Takes our options out of the words after the file; what is left keeps its order. The first `--` ends ours, and is
/// not passed on.
pub fn take_ours(words: &[String]) -> Result<(OwnOptions, Vec<String>), FlowError> {
    let mut ours = OwnOptions::default();
    let mut left = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            left.extend(words.cloned());
            break;
        }
        let switch = SWITCHES.iter().find(|(spelling, _)| spelling == word);
        match (switch, word.split_once('=')) {
            (Some((_, switch)), _) => drop(ours.switches.insert(*switch)),
            (None, Some(("--command", name))) => ours.command = Some(name.to_owned()),
            (None, _) if word == "--command" || word == "-c" => {
                ours.command = Some(words.next().cloned().ok_or_else(|| no_name(word))?);
            }
            (None, _) => left.push(word.clone()),
        }
    }
    Ok((ours, left))
}

fn no_name(word: &str) -> FlowError {
    FlowError::new(Code::FlowBadArgument, format!("`{word}` names nothing"))
        .hint(format!("Name a command: `{word} claude`. Put `--` before words that are not for Runward."))
}
