//! The rules of a journal: its folder, its limits, what happens when it cannot be written. May not keep one.

use super::retention::Keep;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What happens to a command that cannot be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalNeed {
    /// It runs, and its receipt says so.
    Wanted,
    /// It is refused.
    Required,
}

/// Whether output is kept with the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// Masked, up to [`LARGEST_OUTPUT`] of each stream.
    Kept,
    /// Only how many bytes there were, and their digest.
    NotKept,
}

/// More of a stream than this is kept in the spool alone.
pub const LARGEST_OUTPUT: u64 = 1 << 20;

/// Reports one sentence to the operator.
pub type TellOperator = Arc<dyn Fn(&str) + Send + Sync>;

/// How a journal is kept.
#[derive(Clone)]
pub struct JournalRules {
    /// Its folder; made when it is first needed.
    pub folder: PathBuf,
    /// What happens to a command that cannot be recorded.
    pub need: JournalNeed,
    /// How long a command waits for its first record.
    pub write_timeout: Duration,
    /// How much is kept.
    pub keep: Keep,
    /// Whether output is kept.
    pub outputs: Outputs,
    /// The folder of the spool, from which the output of dropped commands is removed.
    pub spool: Option<PathBuf>,
    /// Who is told that something could not be recorded.
    pub tell: TellOperator,
}

impl std::fmt::Debug for JournalRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JournalRules").field("folder", &self.folder).finish_non_exhaustive()
    }
}
