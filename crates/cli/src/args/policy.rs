//! The arguments of `policy`.

use super::FormatArgs;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// What to do with the policy.
#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<PolicyVerb>,
    #[command(flatten)]
    pub(crate) list: FormatArgs,
}

pub(super) const EXAMPLES: &str = "Examples:
  runward policy
  runward policy check 'git status && rm -rf build'
  runward policy test

Without a verb it is `policy list`.";

/// The verbs of `policy`.
#[derive(Debug, Subcommand)]
pub(crate) enum PolicyVerb {
    /// Print the rules in force, and where each came from
    #[command(after_help = "Examples:\n  runward policy list\n  runward policy list --json")]
    List(FormatArgs),
    /// Check a command line against the policy, and start nothing
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Test the examples inside the rules
    #[command(
        after_help = "Examples:\n  runward policy test\n  runward --config ./runward.toml policy test --json"
    )]
    Test(FormatArgs),
    /// Print rules that would have allowed the commands that a person approved
    #[command(
        after_help = "Examples:\n  runward policy suggest\n  runward policy suggest >> ~/.config/runward/runward.toml"
    )]
    Suggest(FormatArgs),
}

const CHECK_EXAMPLES: &str = "Examples:
  runward policy check 'git status && rm -rf build'
  runward policy check --json 'ls | wc -l'
  runward policy check --tool exec_command -- sort --compress-program=x f
  runward policy check --by typed 'make install'

Exit status: 0 where it may run, 126 where it may not or a person would be asked.";

/// Who asks: the words that a record has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CallerKind {
    /// A program, through a tool of the MCP server
    #[value(alias = "agent")]
    Program,
    /// A person at the command line
    #[value(alias = "person")]
    Typed,
    /// A markdown file that a person runs
    File,
}

/// What to check.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A command line for the shell
    #[arg(value_name = "TEXT", required_unless_present = "command", conflicts_with = "command")]
    pub(crate) text: Option<OsString>,
    /// A program and its arguments, without a shell
    #[arg(last = true, value_name = "PROGRAM", value_hint = ValueHint::CommandName)]
    pub(crate) command: Vec<OsString>,
    /// Who asks for the command
    #[arg(long, value_enum, default_value = "program")]
    pub(crate) by: CallerKind,
    /// The tool that the agent calls
    #[arg(long, value_name = "NAME", default_value = "execute_command")]
    pub(crate) tool: String,
    /// Check it as run in this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// Check it as run on a terminal (pty) that a person types into
    #[arg(long)]
    pub(crate) pty: bool,
    /// Name everything that is given to the command: arguments, variables, settings
    #[arg(long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl PolicyArgs {
    /// How the answer is printed.
    pub(crate) fn format(&self) -> &FormatArgs {
        match &self.verb {
            None => &self.list,
            Some(PolicyVerb::Check(args)) => &args.format,
            Some(PolicyVerb::List(format) | PolicyVerb::Test(format) | PolicyVerb::Suggest(format)) => format,
        }
    }
}
