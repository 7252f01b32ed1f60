//! A command that stands inside a markdown agent. May not run it.

use crate::Mark;

/// A command inside a markdown agent, with its templates filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedCommand {
    /// How it is written.
    pub kind: EmbeddedKind,
    /// Its text. Of a fence: the whole script, with its first line.
    pub text: String,
    /// Where it stands.
    pub mark: Mark,
}

/// How a command inside a markdown agent is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddedKind {
    /// Between backticks, behind a `!`.
    Inline,
    /// A fence whose first line names its interpreter.
    Fence,
}

impl EmbeddedCommand {
    /// What stands behind the `#!` of a fence.
    pub fn interpreter(&self) -> &str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("#!").trim()
    }
}
