//! What can be typed about markdown agents without running one.

use super::FormatArgs;
use clap::Args;

pub(super) const EXAMPLES: &str = "Examples:
  runward flows
  runward flows --json

Listed are files here with a command in their name (`task.claude.md`), then what lies in `flows` and
`.runward/flows` here and in your own folder of flows. A file that is broken is listed with what is wrong.";

/// How to show markdown agents.
#[derive(Debug, Args)]
pub(crate) struct FlowsArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
