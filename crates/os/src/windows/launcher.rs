//! Launch: a plan becomes a child process. May not choose anything: the plan says it.
//!
//! The order: everything that can be refused without a process comes first; the job exists and is connected
//! to the porter before the process is born into it; the command's ends of the streams are closed here once
//! it has them, or the end of its output would never be seen.

use super::child::Child;
use super::command_line::{self, CommandLine, UnfitArgument};
use super::job::Job;
use super::porter::Porter;
use super::spawn::{self, SpawnOrder};
use super::stdio::Stdio;
use super::watch::TreeWatch;
use super::{directory, environment, wide};
use crate::SpawnError;
use runward_core::facts::Containment;
use runward_core::plan::ExecPlan;
use runward_core::resolve::ResolvedCommand;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use windows_sys::Win32::Foundation::{ERROR_DIRECTORY, ERROR_ELEVATION_REQUIRED, ERROR_FILENAME_EXCED_RANGE};

/// Characters that a command line may have, with the NUL behind it.
const LONGEST_LINE: usize = 32_767;

/// Starts commands. The first start brings the porter up; dropping the launcher and its children ends it.
#[derive(Debug, Clone, Default)]
pub struct Launcher {
    porter: Arc<Mutex<Option<Arc<Porter>>>>,
}

impl Launcher {
    /// A launcher with nothing started yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Brings up what the next command needs. Here that is nothing.
    pub fn prepare(&self, _: &[Containment]) {}

    /// Waits for `before`, and only then carries out a plan.
    pub async fn launch<E: From<SpawnError>>(
        &self,
        plan: ExecPlan,
        before: impl Future<Output = Result<(), E>>,
    ) -> Result<Child, E> {
        before.await?;
        Ok(self.carry_out(plan)?)
    }

    fn carry_out(&self, plan: ExecPlan) -> Result<Child, SpawnError> {
        let draft = plan.draft();
        let command = draft.command();
        crate::disk::still_judged(command)?;
        let line = line_of(command)?;
        let _held = directory::hold(command.cwd())
            .map_err(|source| SpawnError::Directory { cwd: command.cwd().to_owned(), source })?;
        let stdio = Stdio::of(command).map_err(SpawnError::host("opening the standard streams"))?;
        let porter = self.porter().map_err(SpawnError::host("starting to listen for jobs"))?;
        let job = Job::of(draft).map_err(SpawnError::host("making a job"))?;
        let door = porter.watch(&job).map_err(SpawnError::host("connecting the job"))?;
        let order = SpawnOrder {
            program: &wide::terminated(line.application.as_os_str()),
            line: line.text,
            environment: environment::block(command.env()),
            cwd: &wide::terminated(command.cwd().as_os_str()),
            streams: stdio.for_child(),
        };
        let spawned = spawn::spawn(order, &job).map_err(|source| failure(command, source))?;
        // An error from here on drops the job, and the job ends the process.
        let watch = TreeWatch::over(spawned, job, door).map_err(SpawnError::host("watching the process"))?;
        Ok(Child::new(plan, stdio.into_ours(), watch, porter))
    }

    fn porter(&self) -> io::Result<Arc<Porter>> {
        let mut porter = self.porter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(porter) = &*porter {
            return Ok(Arc::clone(porter));
        }
        let started = Arc::new(Porter::start()?);
        *porter = Some(Arc::clone(&started));
        Ok(started)
    }
}

fn line_of(command: &ResolvedCommand) -> Result<CommandLine, SpawnError> {
    let program = || command.program().to_owned();
    let line = command_line::of(command).map_err(|UnfitArgument { number, why }| SpawnError::Argument {
        program: program(),
        number,
        why,
    })?;
    if line.text.len() > LONGEST_LINE {
        return Err(too_large(command));
    }
    Ok(line)
}

fn too_large(command: &ResolvedCommand) -> SpawnError {
    let source = io::ErrorKind::ArgumentListTooLong.into();
    SpawnError::Execute { program: command.program().to_owned(), source }
}

fn failure(command: &ResolvedCommand, source: io::Error) -> SpawnError {
    match source.raw_os_error().map(i32::cast_unsigned) {
        Some(ERROR_DIRECTORY) => SpawnError::Directory { cwd: command.cwd().to_owned(), source },
        Some(ERROR_FILENAME_EXCED_RANGE) => too_large(command),
        Some(ERROR_ELEVATION_REQUIRED) => {
            let source = io::Error::new(io::ErrorKind::PermissionDenied, source);
            SpawnError::Execute { program: command.program().to_owned(), source }
        }
        _ => SpawnError::Execute { program: command.program().to_owned(), source },
    }
}
