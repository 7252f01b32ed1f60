//! What a session is doing, in the words that doors publish.

use runward_os::Condition;
use serde::Serialize;

/// What a session is doing: a fact from the kernel where it can be had, never a guess from text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It works, or waits for something other than its input.
    Running,
    /// It waits for a line of input.
    WaitingInput,
    /// It waits for a line of input that must not be shown.
    WaitingPassword,
    /// It waits for keys and edits the line itself.
    LineEditor,
    /// It has ended.
    Exited,
    /// It runs, and the kernel does not tell more.
    Unknown,
}

impl State {
    /// Whether it waits for input of any kind.
    pub fn wants_input(self) -> bool {
        matches!(self, State::WaitingInput | State::WaitingPassword | State::LineEditor)
    }

    /// The stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::WaitingInput => "waiting_input",
            State::WaitingPassword => "waiting_password",
            State::LineEditor => "line_editor",
            State::Exited => "exited",
            State::Unknown => "unknown",
        }
    }
}

impl From<Condition> for State {
    fn from(condition: Condition) -> Self {
        match condition {
            Condition::Busy => State::Running,
            Condition::WantsLine => State::WaitingInput,
            Condition::WantsSecret => State::WaitingPassword,
            Condition::WantsKeys => State::LineEditor,
            Condition::Unknown => State::Unknown,
        }
    }
}
