//! `exec_command`: the checks in their order, then the road.

use super::arguments::{self, ExecCommandOptions, ShellMode};
use super::{AgentToolkit, ExecCommandAnswer, ToolError, ToolErrorCode, quote};
use crate::attempt::Attempt;
use crate::{Coded, CommandSpec, Error, Outcome, Program, Receipt, Refusal, Request, Wish};
use runward_core::facts::{Backslashes, FileKind, Look};
use runward_core::resolve::ResolveError;
use runward_os::Disk;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A call that passed every check that can be made before the road: run the request, then turn its receipt into the
/// answer.
#[derive(Debug, Clone)]
pub struct PreparedCall {
    request: Request,
    command: Vec<String>,
    options: ExecCommandOptions,
}

impl PreparedCall {
    /// The request, for a door that listens while it runs.
    pub fn request(&self) -> Request {
        self.request.clone()
    }

    /// The answer for the receipt.
    pub fn answer(&self, receipt: &Receipt) -> ExecCommandAnswer {
        ExecCommandAnswer::of(receipt, self.command.clone(), &self.options)
    }

    /// The rendering of a failure on the road.
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
        let prepared = self.prepare(cwd, command, options).await?;
        match self.engine.run(prepared.request()).await {
            Ok(Outcome::Ran(receipt)) => Ok(prepared.answer(&receipt)),
            Ok(Outcome::Refused(refusal)) => Err(ToolError::of(&refusal)),
            Err(error) => Err(prepared.failure(&error)),
        }
    }

    /// The checks before the road, in their order: arguments, policy, workspace, directory.
    pub async fn prepare(
        &self,
        cwd: &str,
        command: &[String],
        options: ExecCommandOptions,
    ) -> Result<PreparedCall, ToolError> {
        arguments::check(cwd, command, &options)?;
        let caller = self.caller("exec_command");
        let program = self.program(command, options.shell_mode);
        if let Some(refusal) = self.engine.early_refusal(&program, &caller) {
            return Err(ToolError::of(&refusal));
        }
        let place = self.place(cwd);
        let spec = spec(program, place.clone(), &options);
        let told = |error: &dyn Coded| {
            self.engine.note(&Attempt::of(&caller, &spec), error);
            ToolError::of(error)
        };
        let (workspace, naming) = (self.workspace.clone(), self.engine.facts().naming.clone());
        let (path, asked) = (place.clone(), cwd.to_owned());
        let look = move || {
            let admitted = workspace.admit_asked(&path, &naming, &Disk);
            admitted.map(|()| directory(&path, asked))
        };
        let looked = self.engine.look(&[&place], look).await.map_err(|error| told(&error))?;
        let found = looked.map_err(|why| told(&Refusal::told(why)))?;
        found.map_err(|error| told(&error))?;
        let request = Request::by(caller, spec).within(self.workspace.clone());
        Ok(PreparedCall { request, command: command.to_vec(), options })
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

fn directory(place: &Path, cwd: String) -> Result<(), ResolveError> {
    match Disk.kind(place) {
        Some(FileKind::Directory) => Ok(()),
        Some(_) => Err(ResolveError::CwdNotDirectory { cwd }),
        None => Err(match Disk.refusal(place) {
            Some(why) => ResolveError::Unseen { name: cwd, why },
            None => ResolveError::CwdMissing { cwd },
        }),
    }
}

fn spec(program: Program, cwd: PathBuf, options: &ExecCommandOptions) -> CommandSpec {
    let mut spec = CommandSpec::of(program).cwd(cwd).timeout(Duration::from_millis(options.timeout()));
    if let Some(text) = &options.stdin {
        spec = spec.stdin(text.as_bytes());
    }
    // The head must hold every character that is answered, and a character takes up to four bytes.
    spec.limits.keep = Wish::At(options.letters() * 8 + 8);
    spec
}
