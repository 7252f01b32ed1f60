//! `exec_command`: the checks in their order, then the road.

use super::arguments::{self, ExecCommandOptions, ShellMode};
use super::{AgentToolkit, ExecCommandAnswer, ToolError, ToolErrorCode, quote};
use crate::journal::Attempt;
use crate::{Coded, CommandSpec, Error, Outcome, Program, Receipt, Refusal, Request, Wish};
use runward_core::facts::{Backslashes, FileKind, Look};
use runward_core::resolve::ResolveError;
use runward_os::Disk;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A call that passed every check that can be made before the road: run the request, then turn its receipt into the
/// answer.
#[derive(Debug, Clone)]
pub struct Prepared {
    request: Request,
    command: Vec<String>,
    options: ExecCommandOptions,
}

impl Prepared {
    /// What to run or start, for a door that listens while it runs.
    pub fn request(&self) -> Request {
        self.request.clone()
    }

    /// The answer that the receipt comes to.
    pub fn answer(&self, receipt: &Receipt) -> ExecCommandAnswer {
        ExecCommandAnswer::of(receipt, self.command.clone(), &self.options)
    }

    /// How a failure on the road is told.
    pub fn failure(&self, error: &Error) -> ToolError {
        let mut told = ToolError::of(error);
        // The caller named no shell, so a missing one is not the caller's command.
        if self.options.shell_mode == ShellMode::Default && told.code == ToolErrorCode::CommandNotFound {
            told.code = ToolErrorCode::Internal;
        }
        told
    }
}

impl AgentToolkit {
    /// Runs a command once in the workspace.
    pub async fn exec_command(
        &self,
        cwd: &str,
        command: &[String],
        options: ExecCommandOptions,
    ) -> Result<ExecCommandAnswer, ToolError> {
        let prepared = self.prepare(cwd, command, options)?;
        match self.engine.run(prepared.request()).await {
            Ok(Outcome::Ran(receipt)) => Ok(prepared.answer(&receipt)),
            Ok(Outcome::Refused(refusal)) => Err(ToolError::of(&refusal)),
            Err(error) => Err(prepared.failure(&error)),
        }
    }

    /// The checks before the road, in their order: arguments, policy, workspace, directory.
    pub fn prepare(
        &self,
        cwd: &str,
        command: &[String],
        options: ExecCommandOptions,
    ) -> Result<Prepared, ToolError> {
        arguments::check(cwd, command, &options)?;
        let caller = self.caller("exec_command");
        let program = self.program(command, options.shell_mode);
        if let Some(refusal) = self.engine.forejudge(&program, &caller) {
            return Err(ToolError::of(&refusal));
        }
        let place = self.place(cwd);
        let spec = spec(program, place.clone(), &options);
        let told = |error: &dyn Coded| {
            self.engine.note(&Attempt::of(&caller, &spec), error);
            ToolError::of(error)
        };
        let admitted = self.workspace.admit_asked(&place, &self.engine.facts().naming, &Disk);
        admitted.map_err(|why| told(&Refusal::told(why)))?;
        directory(&place, cwd).map_err(|error| told(&error))?;
        let request = Request::by(caller, spec).within(self.workspace.clone());
        Ok(Prepared { request, command: command.to_vec(), options })
    }

    fn program(&self, command: &[String], mode: ShellMode) -> Program {
        match (mode, command.split_first()) {
            (ShellMode::Direct, Some((name, args))) => {
                Program::Exec { name: name.into(), args: args.iter().map(Into::into).collect() }
            }
            _ => quote::through_shell(command, self.engine.facts().system),
        }
    }

    /// Where a cwd points: seen from the workspace, with both kinds of separator.
    fn place(&self, cwd: &str) -> PathBuf {
        let naming = &self.engine.facts().naming;
        let cwd = match naming.backslashes {
            Backslashes::AreLetters => cwd.replace('\\', "/"),
            Backslashes::Separate => cwd.to_owned(),
        };
        naming.join(self.workspace.path(), cwd)
    }
}

fn directory(place: &Path, asked: &str) -> Result<(), impl Coded + use<>> {
    let cwd = asked.to_owned();
    match Disk.kind(place) {
        Some(FileKind::Directory) => Ok(()),
        Some(_) => Err(ResolveError::CwdNotDirectory { cwd }),
        None => Err(ResolveError::CwdMissing { cwd }),
    }
}

fn spec(program: Program, cwd: PathBuf, options: &ExecCommandOptions) -> CommandSpec {
    let mut spec = CommandSpec::of(program).cwd(cwd).timeout(Duration::from_millis(options.timeout()));
    if let Some(text) = &options.stdin {
        spec = spec.stdin(text.as_bytes());
    }
    // The head must hold every letter that is answered, and a letter takes up to four bytes.
    spec.limits.keep = Wish::At(options.letters() * 8 + 8);
    spec
}
