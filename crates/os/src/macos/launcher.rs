//! Launch: a plan becomes a child process. May not choose anything: the plan says it.
//!
//! The order: the command is forked and waits at its gate; its guard is set; the watch begins; only then does the gate
//! open. An error on the way drops what was made, and the child at the gate exits.

use super::child::Child;
use super::fork::{self, GivenDescriptors, LaunchStep};
use super::guard::TreeGuard;
use super::order::ExecOrder;
use super::watch::{TreeWatch, reap};
use crate::SpawnError;
use crate::sys::unix::Stdio;
use runward_core::facts::Containment;
use runward_core::plan::ExecPlan;
use rustix::fs::{Mode, OFlags, open};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

/// Starts commands. Each has its own guard, so there is nothing to bring up first.
#[derive(Debug, Clone, Default)]
pub struct Launcher {}

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
        Ok(carry_out(plan)?)
    }
}

fn carry_out(plan: ExecPlan) -> Result<Child, SpawnError> {
    let draft = plan.draft();
    let command = draft.command();
    crate::disk::still_judged(command)?;
    let directory = open_directory(command.cwd())
        .map_err(|source| SpawnError::Directory { cwd: command.cwd().to_owned(), source })?;
    crate::disk::still_the_folder(&directory, command)?;
    let stdio = Stdio::of(command).map_err(SpawnError::host("opening the standard streams"))?;
    let order = ExecOrder::of(draft).map_err(SpawnError::host("laying out the command"))?;
    let streams = stdio.for_child().map(|stream| stream.as_raw_fd());
    let given = GivenDescriptors { streams, directory: directory.as_raw_fd() };
    let at_gate = fork::fork(&order, given).map_err(SpawnError::host("making a process"))?;
    let pid = at_gate.pid;
    let watch = TreeGuard::set(pid, draft.ladder().grace).and_then(|guard| TreeWatch::over(pid, guard));
    let mut watch = match watch {
        Ok(watch) => watch,
        Err(source) => {
            drop(at_gate);
            reap(pid, false);
            return Err(SpawnError::Host { what: "guarding the process", source });
        }
    };
    match at_gate.open().map_err(SpawnError::host("starting the process"))? {
        None => Ok(Child::new(plan, pid, stdio.into_ours(), watch)),
        Some((step, source)) => {
            watch.never_ran();
            Err(failure(&plan, step, source))
        }
    }
}

/// The very directory that was judged: its path has no links, and following one now would lead elsewhere.
fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let no_links = OFlags::from_bits_retain(libc::O_NOFOLLOW_ANY.cast_unsigned());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | no_links;
    Ok(open(path, flags, Mode::empty())?)
}

fn failure(plan: &ExecPlan, step: LaunchStep, source: io::Error) -> SpawnError {
    let command = plan.draft().command();
    match step {
        LaunchStep::Execute => SpawnError::Execute { program: command.program().to_owned(), source },
        LaunchStep::Directory => SpawnError::Directory { cwd: command.cwd().to_owned(), source },
        LaunchStep::Session => SpawnError::Host { what: "making a session", source },
        LaunchStep::Terminal => SpawnError::Host { what: "taking the terminal", source },
        LaunchStep::Descriptors => SpawnError::Host { what: "placing the standard streams", source },
        LaunchStep::Limits => SpawnError::Host { what: "setting resource limits", source },
    }
}
