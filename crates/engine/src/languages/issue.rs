//! Why a snippet did not run, in the one form of errors that models get here:
//! `exec: ISSUE (CODE)`. Each is a rendering of one of Runward's errors.

use crate::{Code, ErrorView};
use std::fmt;

/// Why a snippet did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeIssue {
    issue: String,
    code: &'static str,
    view: ErrorView,
}

impl fmt::Display for CodeIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exec: {} ({})", self.issue, self.code)
    }
}

impl CodeIssue {
    /// The error of Runward behind it.
    pub fn view(&self) -> &ErrorView {
        &self.view
    }

    pub(super) fn invalid(issue: impl Into<String>) -> Self {
        let issue = issue.into();
        let hint = Some("Look at the tool's definition for its parameters.".to_owned());
        let view = ErrorView { code: Code::SpecBadValue, message: issue.clone(), hint };
        Self { issue, code: "INVALID_ARGUMENT", view }
    }

    pub(super) fn unsupported(lang: &str, known: &[&str]) -> Self {
        let lang = runward_core::render::one_line(lang);
        let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let view = ErrorView {
            code: Code::SpecBadValue,
            message: format!("the language `{lang}` is not known"),
            hint: Some(format!("Use one of {known}, or add it as `[languages.NAME]` to the configuration.")),
        };
        Self { issue: format!("Unsupported language '{lang}'"), code: "LANG_UNSUPPORTED", view }
    }

    pub(super) fn too_large(language: &str) -> Self {
        let issue = format!("Code of 128 KiB or more cannot be given to {language}");
        let hint = Some("Put it into a file and run that.".to_owned());
        let view = ErrorView { code: Code::SpawnTooLarge, message: issue.clone(), hint };
        Self { issue, code: "E2BIG", view }
    }

    /// The rendering of an error of Runward, given the interpreter and the folder that were asked for.
    pub(super) fn of(view: ErrorView, interpreter: &str, cwd: &str) -> Self {
        let with_hint = || match &view.hint {
            Some(hint) => format!("{}. {hint}", view.message.trim_end_matches('.')),
            None => view.message.clone(),
        };
        let (issue, code) = match view.code {
            Code::ResolveNotFound => (format!("{interpreter} not found in PATH"), "ENOENT"),
            Code::SpawnNotFound => (format!("{interpreter} not found"), "ENOENT"),
            Code::ResolveNotExecutable | Code::SpawnPermission => {
                (format!("{interpreter} is not executable"), "EACCES")
            }
            Code::ResolveCwdMissing => (format!("Working directory does not exist '{cwd}'"), "ENOENT"),
            Code::ResolveCwdNotDirectory => {
                (format!("Working directory is not a directory '{cwd}'"), "ENOTDIR")
            }
            Code::ResolveVersionUnknown => (with_hint(), "VERSION_UNKNOWN"),
            Code::PolicyDenied
            | Code::PolicyNeedsApproval
            | Code::PolicyDeclined
            | Code::PolicyOutsideWorkspace => (with_hint(), "POLICY_DENIED"),
            Code::ConfigInvalid => (with_hint(), "CONFIG_INVALID"),
            Code::SpecBadValue | Code::SpecBadLimit | Code::SpecBadEnv | Code::SpecEmptyProgram => {
                (with_hint(), "INVALID_ARGUMENT")
            }
            Code::SpawnTooLarge => (with_hint(), "E2BIG"),
            Code::SpawnResources | Code::EngineBusy | Code::EngineClosing => (with_hint(), "EAGAIN"),
            _ => (with_hint(), "INTERNAL"),
        };
        Self { issue, code, view }
    }
}
