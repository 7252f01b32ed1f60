//! Errors as the toolkit's callers know them: six codes, which are renderings of Runward's own.

use crate::{Code, Coded, ErrorView};
use runward_core::render::one_line;
use serde::Serialize;

/// Why a tool did not run anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum ToolErrorCode {
    /// An argument cannot be used.
    InvalidArgument,
    /// The working directory does not exist, or is none.
    NotDirectory,
    /// With `direct`: the program was not found.
    CommandNotFound,
    /// Something else failed.
    Internal,
    /// A rule refuses the command.
    PolicyDenied,
    /// The working directory is outside the workspace.
    SandboxViolation,
}

impl ToolErrorCode {
    /// The rendering of one of Runward's codes.
    pub fn of(code: Code) -> Self {
        use Code as C;
        match code {
            C::SpecEmptyProgram | C::SpecBadLimit | C::SpecBadValue | C::SpecBadEnv | C::SpawnTooLarge => {
                ToolErrorCode::InvalidArgument
            }
            C::ResolveCwdMissing | C::ResolveCwdNotDirectory => ToolErrorCode::NotDirectory,
            C::ResolveNotFound | C::ResolveNotExecutable | C::SpawnNotFound => ToolErrorCode::CommandNotFound,
            C::PolicyDenied | C::PolicyNeedsApproval | C::PolicyDeclined | C::ConfigInvalid => {
                ToolErrorCode::PolicyDenied
            }
            C::PolicyOutsideWorkspace => ToolErrorCode::SandboxViolation,
            _ => ToolErrorCode::Internal,
        }
    }
}

/// An error: `{code, message, hint}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// Which kind.
    pub code: ToolErrorCode,
    /// What was wrong with which value.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ToolError {
    /// The rendering of any error of Runward.
    pub fn of(error: &dyn Coded) -> Self {
        let ErrorView { code, message, hint } = ErrorView::of(error);
        Self { code: ToolErrorCode::of(code), message, hint }
    }

    pub(super) fn invalid(message: impl Into<String>, hint: &str) -> Self {
        let hint = Some(hint.to_owned());
        Self { code: ToolErrorCode::InvalidArgument, message: message.into(), hint }
    }

    pub(super) fn unknown_tool(name: &str) -> Self {
        let known: Vec<_> =
            super::ToolCatalog::TOOLS.iter().map(|tool| format!("`{}`", tool.name())).collect();
        Self::invalid(
            format!("there is no tool named `{}`", one_line(name)),
            &format!("Call one of {}.", known.join(", ")),
        )
    }
}
