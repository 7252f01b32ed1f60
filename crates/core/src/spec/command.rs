//! The command itself, as asked: program, arguments, standard input, working directory. May not look at the host.

use super::{EnvSpec, LimitsSpec, Terminal, Wish, changes_programs};
use crate::error::{Code, Coded};
use crate::sandbox::SandboxWish;
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// Which shell reads a script.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShellChoice {
    /// The host's own: bash, or sh where there is no bash; `cmd.exe` on Windows.
    #[default]
    Host,
    /// This one, found like any other program, with these arguments before the script.
    Named {
        /// Its name or path.
        #[serde(serialize_with = "crate::os_text::one")]
        name: OsString,
        /// What comes before the script, such as `-c`.
        #[serde(serialize_with = "crate::os_text::many")]
        before: Vec<OsString>,
    },
}

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A program and its arguments; no shell reads them.
    Exec {
        /// The name or path.
        #[serde(serialize_with = "crate::os_text::one")]
        name: OsString,
        /// The arguments, as they are.
        #[serde(serialize_with = "crate::os_text::many")]
        args: Vec<OsString>,
    },
    /// A script for a shell. It reaches the shell byte for byte.
    Shell {
        /// The text.
        #[serde(serialize_with = "crate::os_text::one")]
        script: OsString,
        /// Which shell reads it.
        shell: ShellChoice,
    },
}

impl Program {
    /// The same with another program, or another shell for the script.
    #[must_use]
    pub fn named(&self, other: impl Into<OsString>) -> Self {
        let mut named = self.clone();
        match &mut named {
            Program::Exec { name, .. } | Program::Shell { shell: ShellChoice::Named { name, .. }, .. } => {
                *name = other.into();
            }
            Program::Shell { shell: ShellChoice::Host, .. } => {}
        }
        named
    }
}

/// A command's standard input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StdinSpec {
    /// Nothing: end of file at once.
    #[default]
    Null,
    /// These bytes, then end of file.
    Bytes(Vec<u8>),
    /// What is written while it runs, until it is closed.
    Open,
}

impl Serialize for StdinSpec {
    // The bytes themselves stay out: a draft is shown to people, and what it must bind is their identity.
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            StdinSpec::Null => to.serialize_str("null"),
            StdinSpec::Open => to.serialize_str("open"),
            StdinSpec::Bytes(bytes) => {
                to.serialize_str(&format!("{} bytes, blake3 {}", bytes.len(), blake3::hash(bytes)))
            }
        }
    }
}

/// Whether stdout and stderr are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Streams {
    /// Two pipes.
    #[default]
    Apart,
    /// One pipe for both, so that their order is exactly the order of writing. All of it counts as stdout.
    Joined,
}

/// A command to run, as asked: the input of the engine. Making one looks at nothing and starts nothing.
///
/// ```
/// use runward_core::spec::{CommandSpec, Wish};
/// use std::time::Duration;
///
/// let mut spec = CommandSpec::exec("cargo").args(["test", "--quiet"]).cwd("project").env("RUST_LOG", "debug");
/// spec.limits.wall = Wish::At(Duration::from_secs(300));
/// spec.limits.memory = Wish::At(2 << 30);
/// assert!(spec.check().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandSpec {
    /// What to run.
    pub program: Program,
    /// The working directory. Relative to that of this process, which is also the default.
    #[serde(serialize_with = "crate::os_text::maybe_path")]
    pub cwd: Option<PathBuf>,
    /// Its environment variables.
    pub env: EnvSpec,
    /// Its standard input.
    pub stdin: StdinSpec,
    /// Whether its two output streams are kept apart.
    pub streams: Streams,
    /// Pipes or a terminal.
    pub terminal: Terminal,
    /// Its limits of time, output, memory and so on.
    pub limits: LimitsSpec,
    /// What is wished of the sandbox: it can only become tighter.
    #[serde(skip_serializing_if = "SandboxWish::is_empty")]
    pub sandbox: SandboxWish,
    /// Files that were made for the command to read. They are seen even where a sandbox hides what lies around them.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "crate::os_text::paths")]
    pub shown: Vec<PathBuf>,
    /// Why; shown to people, never interpreted.
    pub purpose: Option<String>,
}

/// A spec that asks for something impossible, whatever the host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No program.
    #[error("the program's name is empty")]
    EmptyProgram,
    /// A NUL byte, which no argument can carry.
    #[error("{what} contains a NUL byte")]
    Nul {
        /// Which part of the spec.
        what: String,
    },
    /// A variable no caller may set.
    #[error("the environment variable `{name}` may not be set by a caller")]
    ForbiddenEnv {
        /// Its name.
        name: String,
    },
    /// A name no environment can hold.
    #[error("`{name}` is not a name for an environment variable")]
    BadEnvName {
        /// The name.
        name: String,
    },
    /// A limit of nothing.
    #[error("the limit `{name}` is zero")]
    ZeroLimit {
        /// Its name.
        name: &'static str,
    },
}

impl Coded for SpecError {
    fn code(&self) -> Code {
        match self {
            SpecError::EmptyProgram => Code::SpecEmptyProgram,
            SpecError::Nul { .. } => Code::SpecBadValue,
            SpecError::ForbiddenEnv { .. } | SpecError::BadEnvName { .. } => Code::SpecBadEnv,
            SpecError::ZeroLimit { .. } => Code::SpecBadLimit,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(
            match self {
                SpecError::EmptyProgram => "Name a program, such as `echo`.",
                SpecError::Nul { .. } => "Remove the NUL byte, or pass the data on standard input.",
                SpecError::ForbiddenEnv { .. } => {
                    "Set it where Runward itself is started if you need it: it can change which program runs."
                }
                SpecError::BadEnvName { .. } => "Use a name without `=`, such as `RUST_LOG`.",
                SpecError::ZeroLimit { .. } => "Give at least 1, or leave the limit out.",
            }
            .to_owned(),
        )
    }
}

impl CommandSpec {
    /// A program to run without a shell.
    pub fn exec(name: impl Into<OsString>) -> Self {
        Self::of(Program::Exec { name: name.into(), args: Vec::new() })
    }

    /// A script for the host's shell: bash, or sh where there is no bash; `cmd.exe` on Windows.
    pub fn shell(script: impl Into<OsString>) -> Self {
        Self::of(Program::Shell { script: script.into(), shell: ShellChoice::Host })
    }

    /// A program or script with defaults for everything else.
    pub fn of(program: Program) -> Self {
        Self {
            program,
            cwd: None,
            env: EnvSpec::default(),
            stdin: StdinSpec::Null,
            streams: Streams::Apart,
            terminal: Terminal::Pipes,
            limits: LimitsSpec::default(),
            sandbox: SandboxWish::default(),
            shown: Vec::new(),
            purpose: None,
        }
    }

    /// Adds one argument. A script takes none, so there it changes nothing.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        if let Program::Exec { args, .. } = &mut self.program {
            args.push(arg.into());
        }
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(self, args: impl IntoIterator<Item = A>) -> Self {
        args.into_iter().fold(self, CommandSpec::arg)
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets one environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.set.insert(name.into(), value.into());
        self
    }

    /// Feeds these bytes to the command.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = StdinSpec::Bytes(bytes.into());
        self
    }

    /// Limits the wall-clock time.
    #[must_use]
    pub fn timeout(mut self, wall: Duration) -> Self {
        self.limits.wall = Wish::At(wall);
        self
    }

    /// Checks what can be checked without a host.
    pub fn check(&self) -> Result<(), SpecError> {
        self.check_program()?;
        self.check_env()?;
        self.check_limits()
    }

    fn check_program(&self) -> Result<(), SpecError> {
        match &self.program {
            Program::Exec { name, args } => {
                if name.is_empty() {
                    return Err(SpecError::EmptyProgram);
                }
                no_nul(name, || "the program's name".to_owned())?;
                for (index, arg) in args.iter().enumerate() {
                    no_nul(arg, || format!("argument {}", index + 1))?;
                }
            }
            Program::Shell { script, .. } => {
                if script.is_empty() {
                    return Err(SpecError::EmptyProgram);
                }
                no_nul(script, || "the script".to_owned())?;
            }
        }
        self.cwd.as_ref().map_or(Ok(()), |cwd| no_nul(cwd.as_os_str(), || "the working directory".to_owned()))
    }

    fn check_env(&self) -> Result<(), SpecError> {
        for (name, value) in &self.env.set {
            let shown = || name.to_string_lossy().into_owned();
            if name.is_empty() || name.as_encoded_bytes().contains(&b'=') {
                return Err(SpecError::BadEnvName { name: shown() });
            }
            no_nul(name, || "an environment name".to_owned())?;
            no_nul(value, || format!("the environment variable `{}`", shown()))?;
            if changes_programs(name) {
                return Err(SpecError::ForbiddenEnv { name: shown() });
            }
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), SpecError> {
        let limits = &self.limits;
        let durations = [("timeout", limits.wall), ("idle", limits.idle), ("cpu", limits.cpu)];
        let amounts = [
            ("output", limits.output),
            ("memory", limits.memory),
            ("processes", limits.processes),
            ("open_files", limits.open_files),
            ("file_size", limits.file_size),
        ];
        let zero =
            durations.iter().find(|(_, wish)| *wish == Wish::At(Duration::ZERO)).map(|(name, _)| *name);
        let zero = zero.or(amounts.iter().find(|(_, wish)| *wish == Wish::At(0)).map(|(name, _)| *name));
        zero.map_or(Ok(()), |name| Err(SpecError::ZeroLimit { name }))
    }
}

fn no_nul(text: &OsStr, what: impl FnOnce() -> String) -> Result<(), SpecError> {
    if text.as_encoded_bytes().contains(&0) { Err(SpecError::Nul { what: what() }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_program_is_refused() {
        assert_eq!(CommandSpec::exec("").check(), Err(SpecError::EmptyProgram));
        assert_eq!(CommandSpec::shell("").check(), Err(SpecError::EmptyProgram));
    }

    #[test]
    fn nul_bytes_are_refused_and_named() {
        let error = CommandSpec::exec("echo").arg("a").arg("b\0c").check().unwrap_err();
        assert_eq!(error.to_string(), "argument 2 contains a NUL byte");
    }

    #[test]
    fn a_caller_may_not_change_what_a_program_is() {
        let error = CommandSpec::exec("ls").env("LD_PRELOAD", "./evil.so").check().unwrap_err();
        assert_eq!(error.code(), Code::SpecBadEnv);
        assert!(CommandSpec::exec("ls").env("RUST_LOG", "debug").check().is_ok());
    }

    #[test]
    fn a_limit_of_zero_is_refused() {
        let error = CommandSpec::exec("ls").timeout(Duration::ZERO).check().unwrap_err();
        assert_eq!(error, SpecError::ZeroLimit { name: "timeout" });
    }
}
