//! What a session is doing, in the words that doors publish.

use runward_os::ProcessCondition;
use serde::Serialize;

/// What a session is doing: a fact from the kernel where it can be had, never a guess from text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
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

impl SessionState {
    /// Whether it waits for input of any kind.
    pub fn wants_input(self) -> bool {
        matches!(self, SessionState::WaitingInput | SessionState::WaitingPassword | SessionState::LineEditor)
    }

    /// The stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            SessionState::Running => "running",
            SessionState::WaitingInput => "waiting_input",
            SessionState::WaitingPassword => "waiting_password",
            SessionState::LineEditor => "line_editor",
            SessionState::Exited => "exited",
            SessionState::Unknown => "unknown",
        }
    }
}

impl From<ProcessCondition> for SessionState {
    fn from(condition: ProcessCondition) -> Self {
        match condition {
            ProcessCondition::Busy => SessionState::Running,
            ProcessCondition::WantsLine => SessionState::WaitingInput,
            ProcessCondition::WantsSecret => SessionState::WaitingPassword,
            ProcessCondition::WantsKeys => SessionState::LineEditor,
            ProcessCondition::Unknown => SessionState::Unknown,
        }
    }
}
