//! The arguments of `flows`, which lists markdown agents.

use super::FormatArgs;
use clap::Args;

pub(super) const EXAMPLES: &str = "Examples:
  runward flows
  runward flows --json

Lists files here with a command in their name (`task.claude.md`), then the files in `flows` and
`.runward/flows` here and in your own folder of flows. A broken file is listed with its error.";

/// How to show markdown agents.
#[derive(Debug, Args)]
pub(crate) struct FlowsArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
