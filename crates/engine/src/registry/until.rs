//! The conditions that can be waited for.

use super::{OutputPattern, OutputReading};
use std::time::Duration;

/// A condition to wait for.
#[derive(Debug, Clone)]
pub enum Until {
    /// The command has ended.
    Exit,
    /// A line of output, not read yet, matches.
    Output(OutputPattern),
    /// Nothing was printed for this long.
    Idle(Duration),
    /// Something in the tree listens on this TCP port.
    Port(u16),
    /// The command waits for input.
    Input,
}

impl Until {
    /// The stable spelling.
    pub fn name(&self) -> &'static str {
        match self {
            Until::Exit => "exit",
            Until::Output(_) => "output",
            Until::Idle(_) => "idle_ms",
            Until::Port(_) => "port",
            Until::Input => "input",
        }
    }
}

/// The result of waiting.
#[derive(Debug, Clone)]
pub struct WaitOutcome {
    /// Which condition held: the one that was waited for, `exit`, or `timeout`.
    pub what: &'static str,
    /// What there is to read.
    pub reading: OutputReading,
}

/// How often the kernel is polled for what it does not announce.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(50);
