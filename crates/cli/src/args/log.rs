//! The arguments of `log` and `replay`.

use super::FormatArgs;
use clap::Args;
use clap::builder::PossibleValuesParser;
use runward::Door;

pub(super) const EXAMPLES: &str = "Examples:
  runward log                              the newest commands
  runward log --since 1h --failed          failures of the last hour
  runward log --program git --grep push    every `git … push …`
  runward log 1a2b3c4d                     the full record of one command
  runward log 1a2b3c4d --output            its output
  runward log 1a2b3c4d --cast              its terminal, as a recording (asciicast)
  runward log -f                           each command as it ends
  runward log --json --since 2026-11-01    one object per command, one per line
  runward log --stats                      the most frequent, slowest and failing programs
  runward log --verify                     whether a record was changed or removed

The end of an id is enough, as the list shows it; so is its beginning. Times are UTC. Secrets are
masked before anything is written; values of environment variables and standard input are never
written.";

pub(super) const REPLAY_EXAMPLES: &str = "Examples:
  runward replay 1a2b3c4d
  runward replay 1a2b3c4d --yes

The environment and the input of that time are not recorded: it gets today's environment and empty
input.";

/// Which commands, and what to print of them.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// One command: its id, or the end or the beginning of the id
    #[arg(value_name = "ID", conflicts_with_all = ["since", "until", "door", "program", "failed", "denied", "grep"])]
    pub(crate) id: Option<String>,
    /// Asked for within this time or since this date: `30m`, `12h`, `2d`, `2026-11-16`, `2026-11-16T08:30`
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Asked for before this time
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Asked for through this door (front end)
    #[arg(long, value_name = "DOOR", value_parser = doors())]
    pub(crate) door: Option<String>,
    /// Of this program, by its name
    #[arg(long, value_name = "NAME")]
    pub(crate) program: Option<String>,
    /// Only those that did not exit with 0, did not start, or were interrupted
    #[arg(long)]
    pub(crate) failed: bool,
    /// Only those that were refused
    #[arg(long)]
    pub(crate) denied: bool,
    /// With a command line that matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) grep: Option<String>,
    /// Show at most this many, the newest; 0 is all [default: 50, with `--json` all]
    #[arg(long, short = 'n', value_name = "COUNT")]
    pub(crate) limit: Option<usize>,
    /// Keep running, and show each command as it ends
    #[arg(long, short, conflicts_with_all = ["id", "verify", "stats", "export"])]
    pub(crate) follow: bool,
    /// Print the command's output
    #[arg(long, requires = "id", conflicts_with = "cast")]
    pub(crate) output: bool,
    /// Print a recording of its terminal, asciicast version 2
    #[arg(long, requires = "id")]
    pub(crate) cast: bool,
    /// Check that no record was changed or removed
    #[arg(long, conflicts_with_all = ["id", "stats", "export"])]
    pub(crate) verify: bool,
    /// Show counts: the most frequent, slowest and failing programs
    #[arg(long, conflicts_with_all = ["id", "export"])]
    pub(crate) stats: bool,
    /// Print every record as stored, with its number and hash, one per line
    #[arg(long, conflicts_with = "id")]
    pub(crate) export: bool,
    /// Start a new journal: the old one, damaged or not, is kept beside it and named in its first record
    #[arg(long, conflicts_with_all = ["id", "since", "until", "door", "program", "failed", "denied", "grep", "limit", "follow", "verify", "stats", "export"])]
    pub(crate) set_aside: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which command to run again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The command: its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Run it without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

fn doors() -> PossibleValuesParser {
    PossibleValuesParser::new(Door::ALL.iter().map(|door| door.name()))
}
