//! What can be typed after `log` and `replay`.

use super::FormatArgs;
use clap::Args;
use clap::builder::PossibleValuesParser;
use runward::Door;

pub(super) const EXAMPLES: &str = "Examples:
  runward log                              the newest commands
  runward log --since 1h --failed          what went wrong lately
  runward log --program git --grep push    every `git … push …`
  runward log 1a2b3c4d                     everything about one command
  runward log 1a2b3c4d --output            what it printed
  runward log 1a2b3c4d --cast              its terminal, as a recording (asciicast)
  runward log -f                           each command as it ends
  runward log --json --since 2026-11-01    one object per command, one per line
  runward log --stats                      what is run most, takes longest, fails
  runward log --verify                     whether a record was changed, taken out or cut off

The end of an id is enough, as the list shows it; so is its beginning. Times are UTC. Secrets are masked before anything is
written; values of environment variables and what a command reads are never written.";

pub(super) const REPLAY_EXAMPLES: &str = "Examples:
  runward replay 1a2b3c4d
  runward replay 1a2b3c4d --yes

The environment and the input of then are not written down: it gets those of now, and nothing to read.";

/// Which commands, and what of them.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// One command: its id, or the end or the beginning of it
    #[arg(value_name = "ID", conflicts_with_all = ["since", "until", "door", "program", "failed", "denied", "grep"])]
    pub(crate) id: Option<String>,
    /// Asked for in this time or since this date: `30m`, `12h`, `2d`, `2026-11-16`, `2026-11-16T08:30`
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Asked for before then
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Asked for through this door
    #[arg(long, value_name = "DOOR", value_parser = doors())]
    pub(crate) door: Option<String>,
    /// This program, by its name
    #[arg(long, value_name = "NAME")]
    pub(crate) program: Option<String>,
    /// That did not end with 0, did not start, or were interrupted
    #[arg(long)]
    pub(crate) failed: bool,
    /// That were refused
    #[arg(long)]
    pub(crate) denied: bool,
    /// With a command line that matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) grep: Option<String>,
    /// Show the newest so many; 0 is all [default: 50, with `--json` all]
    #[arg(long, short = 'n', value_name = "COUNT")]
    pub(crate) limit: Option<usize>,
    /// Go on, and show each command as it ends
    #[arg(long, short, conflicts_with_all = ["id", "verify", "stats", "export"])]
    pub(crate) follow: bool,
    /// Print what the command printed
    #[arg(long, requires = "id", conflicts_with = "cast")]
    pub(crate) output: bool,
    /// Print its terminal as a recording, asciicast version 2
    #[arg(long, requires = "id")]
    pub(crate) cast: bool,
    /// Check that no record was changed, taken out or cut off
    #[arg(long, conflicts_with_all = ["id", "stats", "export"])]
    pub(crate) verify: bool,
    /// Count: what is run most, takes longest, fails
    #[arg(long, conflicts_with_all = ["id", "export"])]
    pub(crate) stats: bool,
    /// Print every record as it is written, with its number and hash, one per line
    #[arg(long, conflicts_with = "id")]
    pub(crate) export: bool,
    /// Set the journal aside, damaged or not: it is kept beside the new one, whose first record names it
    #[arg(long, conflicts_with_all = ["id", "since", "until", "door", "program", "failed", "denied", "grep", "limit", "follow", "verify", "stats", "export"])]
    pub(crate) set_aside: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which command to run again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The command: its id, or the end or the beginning of it
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
