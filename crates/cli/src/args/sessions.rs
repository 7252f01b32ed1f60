//! What can be typed about sessions of running servers, and about the questions that wait there.

use super::FormatArgs;
use clap::Args;

/// How to show sessions.
#[derive(Debug, Args)]
pub(crate) struct PsArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Whose output.
#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    /// The session: its id, the end or the beginning of it, or its name
    #[arg(value_name = "ID")]
    pub(crate) session: String,
    /// Go on until it ends
    #[arg(long, short)]
    pub(crate) follow: bool,
}

/// Which session to sit down at.
#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    /// The session: its id, the end or the beginning of it, or its name
    #[arg(value_name = "ID")]
    pub(crate) session: String,
}

/// Which session to wait for.
#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    /// The session: its id, the end or the beginning of it, or its name
    #[arg(value_name = "ID")]
    pub(crate) session: String,
}

/// Which session to end.
#[derive(Debug, Args)]
pub(crate) struct KillArgs {
    /// The session: its id, the end or the beginning of it, or its name
    #[arg(value_name = "ID")]
    pub(crate) session: String,
    /// The signal that asks; what does not end is killed
    #[arg(long, default_value = "SIGTERM", value_name = "NAME")]
    pub(crate) signal: String,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// How to show open questions.
#[derive(Debug, Args)]
pub(crate) struct ApprovalsArgs {
    /// Go on, and show each question as it comes
    #[arg(long, short)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which question to agree to.
#[derive(Debug, Args)]
pub(crate) struct ApproveArgs {
    /// The question: its id, or the end or the beginning of it
    #[arg(value_name = "ID")]
    pub(crate) question: String,
    /// Agree to the very same command from now on, too
    #[arg(long)]
    pub(crate) always: bool,
}

/// Which question to refuse.
#[derive(Debug, Args)]
pub(crate) struct DeclineArgs {
    /// The question: its id, or the end or the beginning of it
    #[arg(value_name = "ID")]
    pub(crate) question: String,
}
