//! The arguments of verbs about sessions of running servers, and about the questions that wait there.

use super::FormatArgs;
use clap::Args;

/// How to show sessions.
#[derive(Debug, Args)]
pub(crate) struct PsArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which session's output to print.
#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    /// The session: its name, its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) session: String,
    /// Follow the output until the session ends
    #[arg(long, short)]
    pub(crate) follow: bool,
}

/// Which session to attach to.
#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    /// The session: its name, its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) session: String,
}

/// Which session to wait for.
#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    /// The session: its name, its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) session: String,
}

/// Which session to end.
#[derive(Debug, Args)]
pub(crate) struct KillArgs {
    /// The session: its name, its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) session: String,
    /// The signal to send first; what does not end is killed
    #[arg(long, default_value = "SIGTERM", value_name = "NAME")]
    pub(crate) signal: String,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// How to show open questions.
#[derive(Debug, Args)]
pub(crate) struct ApprovalsArgs {
    /// Keep running, and show each question as it comes
    #[arg(long, short)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which question to approve.
#[derive(Debug, Args)]
pub(crate) struct ApproveArgs {
    /// The question: its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) question: String,
    /// Approve exactly this command from now on, too
    #[arg(long)]
    pub(crate) always: bool,
}

/// Which question to refuse.
#[derive(Debug, Args)]
pub(crate) struct DeclineArgs {
    /// The question: its id, or the end or the beginning of the id
    #[arg(value_name = "ID")]
    pub(crate) question: String,
}
