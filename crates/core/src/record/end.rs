//! How a command ended. `how` and `stopped` are two things: a command that was stopped still ended somehow.

use serde::{Serialize, Serializer};
use std::fmt;

/// A signal, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(pub i32);

impl Signal {
    /// Ask to end.
    pub const TERM: Signal = Signal(15);
    /// Ask to end, as Ctrl-C does.
    pub const INT: Signal = Signal(2);
    /// End at once.
    pub const KILL: Signal = Signal(9);
    /// Ask to end because the terminal is gone.
    pub const HUP: Signal = Signal(1);

    // The numbers that are the same everywhere; the rest differ between systems and are named by number.
    const NAMES: &'static [(i32, &'static str)] = &[
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (26, "SIGVTALRM"),
        (27, "SIGPROF"),
    ];

    /// The signal of that name, with or without `SIG`.
    pub fn named(name: &str) -> Option<Signal> {
        let name = name.to_ascii_uppercase();
        let name = name.strip_prefix("SIG").unwrap_or(&name);
        Self::NAMES.iter().find(|(_, known)| known[3..] == *name).map(|(number, _)| Signal(*number))
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::NAMES.iter().find(|(number, _)| *number == self.0) {
            Some((_, name)) => f.write_str(name),
            None => write!(f, "SIG{}", self.0),
        }
    }
}

impl Serialize for Signal {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// What the command itself did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    /// It returned a code.
    Exited(i32),
    /// A signal ended it.
    Signaled(Signal),
    /// Unknown: the process that watches over it (the warden) died first, or it could not be made to end.
    Unknown,
}

/// Why a command was made to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopCause {
    /// It ran longer than its wall-clock limit.
    Timeout,
    /// It printed nothing for longer than its idle limit.
    Idle,
    /// It printed more than its output limit.
    Output,
    /// It used more memory than its limit.
    Memory,
    /// The caller wanted it to end.
    Caller,
    /// Runward itself is ending.
    Shutdown,
}

impl StopCause {
    /// The stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            StopCause::Timeout => "timeout",
            StopCause::Idle => "idle",
            StopCause::Output => "output",
            StopCause::Memory => "memory",
            StopCause::Caller => "caller",
            StopCause::Shutdown => "shutdown",
        }
    }
}

/// What outlived the command.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leftovers {
    /// Nothing.
    None,
    /// This many processes, killed since and proven gone.
    Killed {
        /// How many.
        count: u32,
    },
    /// These processes are still there: the kernel would not end them in time.
    Left {
        /// How many.
        count: u32,
    },
    /// Not known.
    Unknown,
}

impl Leftovers {
    /// The stable spelling of what became of them.
    pub fn state(&self) -> &'static str {
        match self {
            Leftovers::None => "none",
            Leftovers::Killed { .. } => "killed",
            Leftovers::Left { .. } => "left",
            Leftovers::Unknown => "unknown",
        }
    }

    /// How many outlived the command, where it is known.
    pub fn count(&self) -> Option<u32> {
        match self {
            Leftovers::None => Some(0),
            Leftovers::Killed { count } | Leftovers::Left { count } => Some(*count),
            Leftovers::Unknown => None,
        }
    }
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct End {
    /// What the command itself did.
    pub how: EndedBy,
    /// Why it was made to end, if it was.
    pub stopped: Option<StopCause>,
    /// What outlived it.
    pub leftovers: Leftovers,
}

impl End {
    /// The exit code for a door that needs a number: a timeout is 124, a signal 128 + n.
    pub fn exit_code(&self) -> i32 {
        if self.stopped == Some(StopCause::Timeout) {
            return 124;
        }
        match self.how {
            EndedBy::Exited(code) => code,
            EndedBy::Signaled(signal) => 128 + signal.0,
            EndedBy::Unknown => 125,
        }
    }

    /// The exit code where there is one: 124 at the time limit, none where a signal ended it.
    pub fn own_exit_code(&self) -> Option<i32> {
        match self.how {
            _ if self.stopped == Some(StopCause::Timeout) => Some(124),
            EndedBy::Exited(code) => Some(code),
            EndedBy::Signaled(_) | EndedBy::Unknown => None,
        }
    }

    /// The signal that ended it, if one did.
    pub fn signal(&self) -> Option<Signal> {
        if let EndedBy::Signaled(signal) = self.how { Some(signal) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names() {
        assert_eq!(Signal::KILL.to_string(), "SIGKILL");
        assert_eq!(Signal(34).to_string(), "SIG34");
        assert_eq!(Signal::named("term"), Some(Signal::TERM));
        assert_eq!(Signal::named("SIGINT"), Some(Signal::INT));
        assert_eq!(Signal::named("SIGNOPE"), None);
    }

    #[test]
    fn codes_are_invented_only_here() {
        let end = |how, stopped| End { how, stopped, leftovers: Leftovers::None }.exit_code();
        assert_eq!(end(EndedBy::Exited(3), None), 3);
        assert_eq!(end(EndedBy::Signaled(Signal::KILL), None), 137);
        assert_eq!(end(EndedBy::Signaled(Signal::TERM), Some(StopCause::Timeout)), 124);
        assert_eq!(end(EndedBy::Exited(0), Some(StopCause::Timeout)), 124);
        assert_eq!(end(EndedBy::Unknown, None), 125);
    }
}
