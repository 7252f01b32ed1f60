//! Errors of resolving: what is missing (program, directory, shell, version), and what to do about it.
//!
//! May not look anything up: the function that fails knows what it looked for.

use crate::error::{Code, Coded};
use crate::spec::SpecError;

/// Why a spec could not be made to say everything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The spec itself is impossible.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// No such program.
    #[error("`{name}` was not found in {looked}")]
    NotFound {
        /// The name asked for.
        name: String,
        /// Where it was looked for.
        looked: String,
        /// Names that are there and look alike.
        nearest: Vec<String>,
    },
    /// It is there, but cannot be executed.
    #[error("`{path}` is not an executable file")]
    NotExecutable {
        /// Its path.
        path: String,
    },
    /// It cannot be told whether it is there.
    #[error("`{name}` cannot be looked for: {why}")]
    Unseen {
        /// As asked.
        name: String,
        /// What was refused.
        why: String,
    },
    /// The working directory is not there.
    #[error("cwd does not exist: {cwd}")]
    CwdMissing {
        /// As asked.
        cwd: String,
    },
    /// The working directory is something else.
    #[error("cwd is not a directory: {cwd}")]
    CwdNotDirectory {
        /// As asked.
        cwd: String,
    },
    /// No shell to read a script.
    #[error("no shell was found on this host")]
    NoShell,
    /// A version that is not installed.
    #[error("{interpreter} {version} was not found")]
    VersionUnknown {
        /// Which interpreter.
        interpreter: String,
        /// The version asked for.
        version: String,
        /// What was found.
        found: Vec<String>,
    },
}

impl Coded for ResolveError {
    fn code(&self) -> Code {
        match self {
            ResolveError::Spec(error) => error.code(),
            ResolveError::NotFound { .. } => Code::ResolveNotFound,
            ResolveError::NotExecutable { .. } => Code::ResolveNotExecutable,
            ResolveError::Unseen { .. } => Code::ResolveUnseen,
            ResolveError::CwdMissing { .. } => Code::ResolveCwdMissing,
            ResolveError::CwdNotDirectory { .. } => Code::ResolveCwdNotDirectory,
            ResolveError::NoShell => Code::ResolveNoShell,
            ResolveError::VersionUnknown { .. } => Code::ResolveVersionUnknown,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            ResolveError::Spec(error) => error.hint(),
            ResolveError::NotFound { nearest, .. } if nearest.is_empty() => {
                Some("Install it, or give its full path.".to_owned())
            }
            ResolveError::NotFound { nearest, .. } => Some(format!("Did you mean {}?", ticked(nearest))),
            ResolveError::NotExecutable { .. } => {
                Some("Make it executable (`chmod +x`), or run it with its interpreter.".to_owned())
            }
            ResolveError::Unseen { .. } => Some(
                "Allow this system call where Runward runs, such as in the container's seccomp profile."
                    .to_owned(),
            ),
            ResolveError::CwdMissing { .. } => Some("Create it, or name a directory that exists.".to_owned()),
            ResolveError::CwdNotDirectory { .. } => Some("Name a directory.".to_owned()),
            ResolveError::NoShell => {
                Some("Install bash, or name a program and its arguments instead.".to_owned())
            }
            ResolveError::VersionUnknown { found, .. } if found.is_empty() => {
                Some("Install it; no version was found.".to_owned())
            }
            ResolveError::VersionUnknown { found, .. } => Some(format!("Choose one of {}.", ticked(found))),
        }
    }
}

fn ticked(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
