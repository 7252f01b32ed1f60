//! The arguments of `init`.

use super::{FormatArgs, preset_names};
use crate::clients::CLIENTS;
use crate::level::Level;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:
  runward init                          every client that is found; shows everything, then asks
  runward init claude-code codex        these two
  runward init --level look             an agent that may look, and no more
  runward init --dry-run                show what would be written
  runward init --print cursor           print the entry alone
  runward init --project                for everybody who works in this folder
  runward init --hook claude-code       judge the commands of its own shell tool
  runward init --remove                 take it out again

Without `--level`, `--preset` or `--allow` the folder decides: `build` where there is something to
build, else `look`. Only Runward's own entry is written; every other byte of a file stays, and a
copy of the old file stays beside it. What was written is tried; if it does not start, the files are
put back. Without a terminal nothing is written, unless `--yes` is given; that never gives an entry
that is there more rules than it has.

The level `work` runs whatever no rule asks about or denies, inside a sandbox with the workspace to
write in and the code hosts of what lies in it. It needs every layer of the sandbox (see `runward
doctor`), and does not start without.";

/// Which clients, which rules, and how.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct InitArgs {
    /// Clients [default: those that are found]
    #[arg(value_name = "CLIENT", value_parser = client_names(), hide_possible_values = true)]
    clients: Vec<String>,
    /// The same, as an option; may be repeated
    #[arg(long = "client", value_name = "CLIENT", value_parser = client_names(), hide_possible_values = true)]
    named: Vec<String>,
    /// Install the hook before the client's own shell tool instead: see `runward hook`
    #[arg(long, conflicts_with_all = ["all", "project", "level", "presets", "allow", "workspace", "name", "print"])]
    pub(crate) hook: bool,
    /// With `--hook`: have what may run be run by Runward, too
    #[arg(long, requires = "hook", conflicts_with = "remove")]
    pub(crate) wrap: bool,
    /// Every client that is known, found or not
    #[arg(long, conflicts_with_all = ["clients", "named"])]
    pub(crate) all: bool,
    /// Write the files of this folder instead, which others read, too
    #[arg(long)]
    pub(crate) project: bool,
    /// What the agent may do: `look`, `build` (build and test, which runs the project's code), or `work` (whatever no rule asks
    /// about or denies, in a sandbox)
    #[arg(long, value_name = "LEVEL", value_parser = level_names())]
    pub(crate) level: Option<Level>,
    /// Allow the commands of this preset instead of a level; may be repeated
    #[arg(long = "preset", value_name = "NAME", value_parser = preset_names(), conflicts_with = "level")]
    pub(crate) presets: Vec<String>,
    /// Allow these commands alone instead, separated by commas
    #[arg(long, value_name = "LIST", conflicts_with_all = ["level", "presets"])]
    pub(crate) allow: Option<String>,
    /// The folder that the agent works in [default: where the client starts it]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "project")]
    pub(crate) workspace: Option<PathBuf>,
    /// The key of the entry [default: runward]
    #[arg(long, value_name = "KEY", value_parser = entry_key)]
    pub(crate) name: Option<String>,
    /// Print the entry, and write nothing
    #[arg(long, conflicts_with_all = ["remove", "yes", "dry_run"])]
    pub(crate) print: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write without asking
    #[arg(long, short, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Take Runward out of the files again
    #[arg(long, conflicts_with_all = ["level", "presets", "allow", "workspace"])]
    pub(crate) remove: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl InitArgs {
    /// The clients that were named, in whichever way.
    pub(crate) fn clients(&self) -> impl Iterator<Item = &String> {
        self.clients.iter().chain(&self.named)
    }

    /// Whether any was.
    pub(crate) fn names_clients(&self) -> bool {
        self.clients().next().is_some()
    }
}

fn client_names() -> PossibleValuesParser {
    PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id))
}

/// The names of levels.
pub(crate) fn level_names() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::name))
        // The names are those of levels, so each of them is found.
        .map(|name| Level::named(&name).unwrap_or(Level::Look))
}

fn entry_key(text: &str) -> Result<String, String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    if text.is_empty() || !text.chars().all(is_letter) || text.len() > 64 {
        return Err("write it with letters, digits, `-`, `_` and `.`".to_owned());
    }
    Ok(text.to_owned())
}
