//! Why a child process could not be started. May not be used once it runs: what happens then is no error.

use runward_core::error::{Code, Coded};
use std::io;
use std::path::PathBuf;

/// A launch that failed. Nothing runs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The kernel would not execute the file.
    #[error("`{}` could not be executed", program.display())]
    Execute {
        /// The file.
        program: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// The file lies where a sandboxed command has an empty folder of its own.
    #[error(
        "`{}` cannot be seen from inside the sandbox, which has a `{}` of its own",
        program.display(), folder.display()
    )]
    Covered {
        /// The file.
        program: PathBuf,
        /// The folder of its own.
        folder: PathBuf,
    },
    /// Another folder lies where the working directory was when it was judged.
    #[error("`{}` is no longer the folder that was judged", cwd.display())]
    Moved {
        /// Where it lay.
        cwd: PathBuf,
    },
    /// Another file lies where the program was when it was judged.
    #[error("`{}` is no longer the file that was judged", program.display())]
    Changed {
        /// Where it lies.
        program: PathBuf,
    },
    /// The working directory could not be entered.
    #[error("the working directory `{}` could not be entered", cwd.display())]
    Directory {
        /// The directory.
        cwd: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// An argument that the program would not receive as it is.
    #[error("argument {number} cannot be passed to `{}`: {why}", program.display())]
    Argument {
        /// The file.
        program: PathBuf,
        /// Which argument; 0 is the program's own name.
        number: usize,
        /// What stands in the way.
        why: &'static str,
    },
    /// A step of putting up the sandbox failed.
    #[error("the sandbox could not be put up: {step} failed")]
    Walls {
        /// Which.
        step: String,
        /// What the kernel said.
        source: io::Error,
    },
    /// This processor is one that no warden was written for.
    #[error(
        "no command can be started on this processor (`{}`): nothing here holds a process tree together",
        std::env::consts::ARCH
    )]
    NoWarden,
    /// Something the launch needs could not be had.
    #[error("{what} failed")]
    Host {
        /// What was tried.
        what: &'static str,
        /// What the kernel said.
        source: io::Error,
    },
}

impl SpawnError {
    pub(crate) fn host(what: &'static str) -> impl FnOnce(io::Error) -> SpawnError {
        move |source| SpawnError::Host { what, source }
    }

    /// Whether something is not there that every host has.
    fn is_missing(&self) -> bool {
        self.said().is_some_and(|said| said.kind() == io::ErrorKind::NotFound)
    }

    /// Whether this host forbids a call that Runward cannot do without.
    fn is_forbidden(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, Unsupported};
        self.said().is_some_and(|said| [PermissionDenied, Unsupported].contains(&said.kind()))
    }

    /// What the kernel said, where it was asked.
    fn said(&self) -> Option<&io::Error> {
        match self {
            SpawnError::Execute { source, .. }
            | SpawnError::Directory { source, .. }
            | SpawnError::Walls { source, .. }
            | SpawnError::Host { source, .. } => Some(source),
            SpawnError::Argument { .. }
            | SpawnError::Changed { .. }
            | SpawnError::Moved { .. }
            | SpawnError::NoWarden
            | SpawnError::Covered { .. } => None,
        }
    }
}

impl Coded for SpawnError {
    fn code(&self) -> Code {
        use io::ErrorKind as Kind;
        match self {
            SpawnError::Changed { .. } | SpawnError::Moved { .. } => return Code::SpawnChanged,
            SpawnError::Walls { .. } => return Code::SandboxUnavailable,
            SpawnError::Covered { .. } => return Code::SpawnNotFound,
            SpawnError::NoWarden => return Code::SpawnFailed,
            _ => {}
        }
        let Some(said) = self.said() else { return Code::SpecBadValue };
        match (self, said.kind()) {
            (_, Kind::OutOfMemory | Kind::WouldBlock | Kind::QuotaExceeded) => Code::SpawnResources,
            (_, _) if crate::sys::is_shortage(said) => Code::SpawnResources,
            (SpawnError::Execute { .. }, Kind::PermissionDenied) => Code::SpawnPermission,
            (SpawnError::Execute { .. }, Kind::NotFound) => Code::SpawnNotFound,
            (SpawnError::Execute { .. }, Kind::ArgumentListTooLong) => Code::SpawnTooLarge,
            (SpawnError::Execute { .. }, _) => Code::SpawnExecFormat,
            (SpawnError::Directory { .. }, Kind::NotFound) => Code::ResolveCwdMissing,
            (SpawnError::Directory { .. }, Kind::PermissionDenied) => Code::SpawnPermission,
            _ => Code::SpawnFailed,
        }
    }

    fn hint(&self) -> Option<String> {
        if let (Code::SpawnResources, Some(missing)) =
            (self.code(), self.said().and_then(crate::sys::missing))
        {
            return Some(format!("End other commands or raise the host's limits: {missing}."));
        }
        if let SpawnError::NoWarden = self {
            return Some(
                "Run commands on x86_64 or aarch64; reading rules and the journal works here.".to_owned(),
            );
        }
        if let SpawnError::Covered { .. } = self {
            let place =
                "Put the program into the workspace or another folder, or run it without the sandbox.";
            return Some(place.to_owned());
        }
        Some(
            match self.code() {
                Code::SpawnResources => "End other commands or raise the host's limits, then try again.",
                Code::SpawnFailed if self.is_missing() => {
                    "Mount `/proc` and `/dev` where Runward runs: it cannot keep a command without them."
                }
                Code::SpawnFailed if self.is_forbidden() => {
                    "Allow this system call where Runward runs, such as in the container's seccomp profile."
                }
                Code::SpawnPermission if matches!(self, SpawnError::Directory { .. }) => {
                    "Check that this user may enter the folder."
                }
                Code::SpawnPermission => {
                    "Check the file's permissions, and whether its file system allows execution."
                }
                Code::SpawnNotFound if cfg!(windows) => "Check the libraries that the program needs.",
                Code::SpawnNotFound => "Check the interpreter that the file's first line names.",
                Code::SpawnTooLarge => {
                    "Pass the data on standard input or in a file instead of as an argument."
                }
                Code::SpawnExecFormat if cfg!(windows) => "Name the program that reads such files.",
                Code::SpawnExecFormat => {
                    "Give the file a first line such as `#!/bin/sh`, or name its interpreter."
                }
                Code::SpawnChanged => "Ask again: what is there now is judged anew.",
                Code::SpecBadValue => "Pass the text on standard input or in a file instead.",
                Code::ResolveCwdMissing => "Create the directory, or name another.",
                _ => "See `runward doctor` for what this host can do.",
            }
            .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(errno: i32) -> &'static str {
        SpawnError::host("making a process")(io::Error::from_raw_os_error(errno)).code().name()
    }

    #[cfg(unix)]
    const SHORTAGES: [i32; 2] = [libc::EAGAIN, libc::ENFILE];
    #[cfg(unix)]
    const ANOTHER: i32 = libc::EINVAL;

    #[cfg(windows)]
    const SHORTAGES: [i32; 2] = [
        windows_sys::Win32::Foundation::ERROR_NO_SYSTEM_RESOURCES.cast_signed(),
        windows_sys::Win32::Foundation::ERROR_TOO_MANY_OPEN_FILES.cast_signed(),
    ];
    #[cfg(windows)]
    const ANOTHER: i32 = windows_sys::Win32::Foundation::ERROR_INVALID_PARAMETER.cast_signed();

    #[test]
    fn a_processor_without_a_warden_is_told_with_what_to_do() {
        let (code, hint) = (SpawnError::NoWarden.code().name(), SpawnError::NoWarden.hint().unwrap());
        assert_eq!(code, "spawn.failed");
        assert!(SpawnError::NoWarden.to_string().contains(std::env::consts::ARCH) && hint.contains("x86_64"));
    }

    #[test]
    fn a_shortage_may_pass_and_is_told_apart() {
        for errno in SHORTAGES {
            assert_eq!(code(errno), "spawn.resources", "{errno}");
        }
        assert_eq!(code(ANOTHER), "spawn.failed");
    }
}
