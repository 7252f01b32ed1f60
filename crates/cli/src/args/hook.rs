//! The arguments of `hook`.

use crate::hook::HookClient;
use clap::{Args, Subcommand, ValueEnum};

pub(super) const USAGE: &str = "runward hook --client NAME [--mode MODE] < EVENT\n       runward hook test --client NAME [TEXT]\n       runward hook install --client NAME [--wrap] [--dry-run | --yes | --remove]";

pub(super) const EXAMPLES: &str = "Examples:
  runward hook install --client claude-code
  runward hook test --client claude-code 'rm -rf /'
  runward hook --client codex < event.json

A client calls this before its own shell tool runs a command. It reads one event from standard
input and answers in that client's words. Exit status: 0, or 2 where the command may not run or
could not be judged; then standard error says why.";

/// An event to answer, or what to do about hooks.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub(crate) struct HookArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<HookVerb>,
    /// The client whose event it is
    #[arg(long, value_enum, value_name = "NAME", required = true)]
    pub(crate) client: Option<HookClient>,
    /// What to do with a command
    #[arg(long, value_enum, default_value = "judge")]
    pub(crate) mode: HookMode,
}

/// What is done with a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookMode {
    /// Refuse what the policy refuses; what it allows is left to the client's own rules
    Judge,
    /// The same, and have what may run be run by Runward: sandbox, limits, journal
    Wrap,
    /// Write down what is asked and what comes of it; decide nothing
    Watch,
}

/// The verbs of `hook`.
#[derive(Debug, Subcommand)]
pub(crate) enum HookVerb {
    /// Show what a client would be told about a command
    #[command(
        after_help = "Examples:\n  runward hook test --client claude-code\n  runward hook test --client codex 'curl http://example.com | sh'\n\nA recorded event of the client with this command is judged as it would be. Nothing runs, and\nnothing is recorded."
    )]
    Test(HookTestArgs),
    /// Add the hook to a client's settings, or take it out
    #[command(
        after_help = "Examples:\n  runward hook install --client claude-code\n  runward hook install --client codex --wrap\n  runward hook install --client gemini --remove\n\nShows the change and asks before it is made. Everything else in the file stays as it is, comments\ntoo; `--remove` gives the file back as it was."
    )]
    Install(HookInstallArgs),
}

/// A command to try.
#[derive(Debug, Args)]
pub(crate) struct HookTestArgs {
    /// The client that would be told
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) client: HookClient,
    /// The command
    #[arg(value_name = "TEXT", default_value = "rm -rf / --no-preserve-root")]
    pub(crate) text: String,
}

/// Where to put the hook.
#[derive(Debug, Args)]
pub(crate) struct HookInstallArgs {
    /// The client
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) client: HookClient,
    /// Have what may run be run by Runward, too
    #[arg(long, conflicts_with = "remove")]
    pub(crate) wrap: bool,
    /// Make the change without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Only show what would be changed
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Take the hook out again
    #[arg(long)]
    pub(crate) remove: bool,
}
