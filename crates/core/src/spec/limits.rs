//! Limits (time, output, memory, processes): as wished by a caller, and as they will be kept.
//!
//! Every limit has a name, a default and a line in the receipt.

use serde::Serialize;
use std::time::Duration;

/// A caller's choice for one limit: the default of the engine, none, or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish<T> {
    /// Nothing: the configured value holds.
    #[default]
    Default,
    /// No limit.
    Off,
    /// This much.
    At(T),
}

impl<T> Wish<T> {
    /// The value in force, given the configured one.
    pub fn over(self, configured: Option<T>) -> Option<T> {
        match self {
            Wish::Default => configured,
            Wish::Off => None,
            Wish::At(value) => Some(value),
        }
    }
}

/// Limits as a caller asks for them. What is left at [`Wish::Default`] is as in [`Limits`] of the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LimitsSpec {
    /// Wall-clock time.
    pub wall: Wish<Duration>,
    /// Time without a byte of output.
    pub idle: Wish<Duration>,
    /// Bytes of output, both streams together, after which the command is stopped.
    pub output: Wish<u64>,
    /// Bytes of memory.
    pub memory: Wish<u64>,
    /// Processor time.
    pub cpu: Wish<Duration>,
    /// Processes.
    pub processes: Wish<u64>,
    /// Open files.
    pub open_files: Wish<u64>,
    /// Bytes in one file.
    pub file_size: Wish<u64>,
    /// Bytes of each stream kept in memory for the answer.
    pub keep: Wish<u64>,
    /// Bytes of output written to disk; off means none.
    pub spool: Wish<u64>,
}

/// Limits in force; `None` is no limit. By default 30 seconds of wall-clock time, 1 MiB of each stream kept in memory, 64
/// MiB in the spool, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Wall-clock time.
    pub wall: Option<Duration>,
    /// Time without a byte of output.
    pub idle: Option<Duration>,
    /// Bytes of output, both streams together, after which the command is stopped.
    pub output: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processor time.
    pub cpu: Option<Duration>,
    /// Processes.
    pub processes: Option<u64>,
    /// Open files.
    pub open_files: Option<u64>,
    /// Bytes in one file.
    pub file_size: Option<u64>,
    /// Bytes of each stream kept in memory for the answer.
    pub keep: u64,
    /// Bytes of each command's output written to the spool.
    pub spool: u64,
    /// How long a command may take to end after it was asked to.
    pub kill_grace: Duration,
    /// How long output is read after the command ended.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Some(Duration::from_secs(30)),
            idle: None,
            output: None,
            memory: None,
            cpu: None,
            processes: None,
            open_files: None,
            file_size: None,
            keep: 1024 * 1024,
            spool: 64 * 1024 * 1024,
            kill_grace: Duration::from_millis(500),
            drain: Duration::from_millis(100),
        }
    }
}

impl Limits {
    /// These limits with a caller's wishes laid over them.
    pub fn with(&self, wish: &LimitsSpec) -> Self {
        Self {
            wall: wish.wall.over(self.wall),
            idle: wish.idle.over(self.idle),
            output: wish.output.over(self.output),
            memory: wish.memory.over(self.memory),
            cpu: wish.cpu.over(self.cpu),
            processes: wish.processes.over(self.processes),
            open_files: wish.open_files.over(self.open_files),
            file_size: wish.file_size.over(self.file_size),
            keep: wish.keep.over(Some(self.keep)).unwrap_or(self.keep),
            spool: wish.spool.over(Some(self.spool)).unwrap_or(0),
            kill_grace: self.kill_grace,
            drain: self.drain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_published_ones() {
        insta::assert_debug_snapshot!(Limits::default());
    }

    #[test]
    fn a_wish_lies_over_the_configured_value() {
        assert_eq!(Wish::Default.over(Some(1)), Some(1));
        assert_eq!(Wish::Off.over(Some(1)), None);
        assert_eq!(Wish::At(2).over(Some(1)), Some(2));
    }

    #[test]
    fn without_a_spool_nothing_goes_to_disk() {
        let wish = LimitsSpec { spool: Wish::Off, ..LimitsSpec::default() };
        assert_eq!(Limits::default().with(&wish).spool, 0);
        assert_eq!(Limits::default().with(&LimitsSpec::default()).spool, Limits::default().spool);
    }
}
