//! Starts the tools that the tasks use (child processes).
//!
//! May not hide what is run: a failure always names the whole command line.

use crate::ChoreResult;
use crate::root::RepositoryRoot;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

/// Where a tool's standard error goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// To our standard error.
    Apart,
    /// To our standard output, so that one log holds everything.
    Joined,
}

/// A tool to run in the repository's top folder.
pub(crate) struct ChildTool {
    words: Vec<String>,
    envs: Vec<(&'static str, Option<OsString>)>,
    errors: Errors,
}

impl ChildTool {
    /// A command line, split at spaces.
    pub(crate) fn new(line: &str) -> Self {
        let words = line.split_whitespace().map(str::to_owned).collect();
        Self { words, envs: Vec::new(), errors: Errors::Apart }
    }

    /// A program with a name that may hold spaces.
    pub(crate) fn program(name: &str) -> Self {
        Self { words: vec![name.to_owned()], envs: Vec::new(), errors: Errors::Apart }
    }

    /// One more variable in its environment.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.envs.push((name, Some(value.into())));
        self
    }

    /// A variable that is kept out of its environment.
    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.envs.push((name, None));
        self
    }

    /// Where its standard error goes.
    pub(crate) fn errors(mut self, errors: Errors) -> Self {
        self.errors = errors;
        self
    }

    /// Runs it to its end. Anything but success is an error that names the command.
    pub(crate) fn run(&self, root: &RepositoryRoot) -> ChoreResult {
        let mut command = self.command(root);
        if self.errors == Errors::Joined {
            command.stderr(Stdio::piped());
        }
        let mut child = command.spawn().map_err(|error| self.cannot_start(&error))?;
        if let Some(mut errors) = child.stderr.take() {
            io::copy(&mut errors, &mut io::stdout())
                .map_err(|error| format!("the output of `{}` was lost: {error}", self.line()))?;
        }
        let status = child.wait().map_err(|error| self.cannot_start(&error))?;
        if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", self.line())) }
    }

    /// Runs it to its end and gives what it printed.
    pub(crate) fn read(&self, root: &RepositoryRoot) -> Result<String, String> {
        let output = self
            .command(root)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| self.cannot_start(&error))?;
        if !output.status.success() {
            return Err(format!("`{}` failed ({})", self.line(), output.status));
        }
        String::from_utf8(output.stdout)
            .map_err(|_| format!("`{}` printed bytes that are no text", self.line()))
    }

    /// Runs it and reads what it prints while it runs. Ends with how it ended, whatever that is; a reader that gives up
    /// ends it.
    pub(crate) fn follow(
        &self,
        root: &RepositoryRoot,
        read: impl FnOnce(BufReader<ChildStdout>) -> ChoreResult,
    ) -> Result<ExitStatus, String> {
        let mut command = self.command(root);
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| self.cannot_start(&error))?;
        let said = child.stdout.take().map_or(Ok(()), |stdout| read(BufReader::new(stdout)));
        if said.is_err() {
            // One that has ended already needs no ending.
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| self.cannot_start(&error))?;
        said.map(|()| status)
    }

    /// Runs it to its end and gives everything that came of it, whatever that is.
    pub(crate) fn answer(&self, root: &RepositoryRoot) -> Result<Output, String> {
        self.command(root).stdin(Stdio::null()).output().map_err(|error| self.cannot_start(&error))
    }

    /// Runs it to its end with everything it prints in a file. A process that it leaves behind is not waited for,
    /// as a reader of a pipe would.
    pub(crate) fn run_into(&self, root: &RepositoryRoot, file: &File) -> Result<ExitStatus, String> {
        let both = file.try_clone().and_then(|first| Ok((first, file.try_clone()?)));
        let (stdout, stderr) = both.map_err(|error| self.cannot_start(&error))?;
        let mut command = self.command(root);
        command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
        command.status().map_err(|error| self.cannot_start(&error))
    }

    /// Starts it without input or output, and leaves it running.
    pub(crate) fn start(&self, root: &RepositoryRoot) -> Result<Child, String> {
        let mut command = self.command(root);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(|error| self.cannot_start(&error))
    }

    /// Words that may hold spaces, after the others.
    pub(crate) fn args<S: AsRef<str>>(mut self, words: impl IntoIterator<Item = S>) -> Self {
        self.words.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    fn command(&self, root: &RepositoryRoot) -> Command {
        let mut command = Command::new(program(&self.words[0]));
        command.args(&self.words[1..]).current_dir(root.path());
        // What cargo tells about the program that it runs, which is us, is not about what we run: build scripts that
        // look at it would do everything again whenever cargo is started without us in between.
        for name in env::vars_os().map(|(name, _)| name).filter(|name| is_about_us(name)) {
            command.env_remove(name);
        }
        for (name, value) in &self.envs {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn line(&self) -> String {
        self.words.join(" ")
    }

    fn cannot_start(&self, error: &io::Error) -> String {
        format!("`{}` could not be run: {error}", self.line())
    }
}

/// Whether cargo sets this variable for the one program that it runs.
fn is_about_us(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// Cargo means the cargo that runs us, so that no other toolchain is woken up.
fn program(name: &str) -> OsString {
    let ours = if name == "cargo" { env::var_os("CARGO") } else { None };
    ours.unwrap_or_else(|| name.into())
}

/// Where a program is, by the search path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_failure_names_the_command() {
        let root = RepositoryRoot::find().unwrap();
        let error = ChildTool::new("cargo no-such-verb-at-all")
            .env("CARGO_TERM_QUIET", "true")
            .run(&root)
            .unwrap_err();
        assert!(error.contains("`cargo no-such-verb-at-all` failed"), "{error}");
    }

    #[test]
    fn what_cargo_says_about_us_is_not_passed_on() {
        assert!(["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"].iter().all(|name| is_about_us(OsStr::new(name))));
        assert!(
            !["CARGO", "CARGO_HOME", "CARGO_TERM_COLOR", "PATH"]
                .iter()
                .any(|name| is_about_us(OsStr::new(name)))
        );
        let root = RepositoryRoot::find().unwrap();
        let all = ChildTool::new("env").read(&root).unwrap();
        assert!(env::var_os("CARGO_MANIFEST_DIR").is_some() && !all.contains("CARGO_MANIFEST_DIR="), "{all}");
    }

    #[test]
    fn a_missing_program_is_said_to_be_missing() {
        let root = RepositoryRoot::find().unwrap();
        let error = ChildTool::new("no-such-program-anywhere --flag").run(&root).unwrap_err();
        assert!(error.contains("could not be run"), "{error}");
        assert_eq!(on_path("no-such-program-anywhere"), None);
    }

    #[test]
    fn what_a_tool_prints_is_followed_however_it_ends() {
        let (root, mut said) = (RepositoryRoot::find().unwrap(), String::new());
        let read = |mut text: BufReader<ChildStdout>| {
            text.read_to_string(&mut said).map_err(|error| error.to_string())?;
            Ok(())
        };
        assert!(ChildTool::program("cargo").args(["--version"]).follow(&root, read).unwrap().success());
        assert!(said.starts_with("cargo "), "{said}");
        let status = ChildTool::new("cargo --quiet no-such-verb-at-all").follow(&root, |_| Ok(())).unwrap();
        assert!(!status.success());
    }

    #[test]
    fn a_reader_that_gives_up_ends_the_tool() {
        let root = RepositoryRoot::find().unwrap();
        let gave_up = ChildTool::new("sleep 600").follow(&root, |_| Err("enough".to_owned()));
        assert_eq!(gave_up, Err("enough".to_owned()));
    }
}
