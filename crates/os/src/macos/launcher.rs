//! Launch: a plan becomes a child.
//!
//! The order: the command is forked and waits at its gate; its guard is set; the watch begins; only then does
//! the gate open. An error on the way drops what was made, and the child at the gate goes home.

use super::child::Child;
use super::fork::{self, Given, Step};
use super::guard::Guard;
use super::order::Order;
use super::watch::{Watch, reap};
use crate::SpawnError;
use crate::sys::unix::Stdio;
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

    /// Waits for `before`, and only then carries out a plan.
    pub async fn launch_after<E: From<SpawnError>>(
        &self,
        plan: ExecPlan,
        before: impl Future<Output = Result<(), E>>,
    ) -> Result<Child, E> {
        before.await?;
        Ok(self.launch(plan).await?)
    }

    /// Carries out a plan.
    pub async fn launch(&self, plan: ExecPlan) -> Result<Child, SpawnError> {
        let draft = plan.draft();
        let command = draft.command();
        crate::disk::still_judged(command)?;
        let directory = open_directory(command.cwd())
            .map_err(|source| SpawnError::Directory { cwd: command.cwd().to_owned(), source })?;
        crate::disk::still_the_folder(&directory, command)?;
        let stdio = Stdio::of(command).map_err(SpawnError::host("opening the standard streams"))?;
        let order = Order::of(draft).map_err(SpawnError::host("laying out the command"))?;
        let streams = stdio.for_child().map(|stream| stream.as_raw_fd());
        let given = Given { streams, directory: directory.as_raw_fd() };
        let at_gate = fork::fork(&order, given).map_err(SpawnError::host("making a process"))?;
        let pid = at_gate.pid;
        let watch = Guard::set(pid, draft.ladder().grace).and_then(|guard| Watch::over(pid, guard));
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
}

/// The very directory that was judged: its path has no links, and following one now would lead elsewhere.
fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let no_links = OFlags::from_bits_retain(libc::O_NOFOLLOW_ANY.cast_unsigned());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | no_links;
    Ok(open(path, flags, Mode::empty())?)
}

fn failure(plan: &ExecPlan, step: Step, source: io::Error) -> SpawnError {
    let command = plan.draft().command();
    match step {
        Step::Execute => SpawnError::Execute { program: command.program().to_owned(), source },
        Step::Directory => SpawnError::Directory { cwd: command.cwd().to_owned(), source },
        Step::Session => SpawnError::Host { what: "making a session", source },
        Step::Terminal => SpawnError::Host { what: "taking the terminal", source },
        Step::Descriptors => SpawnError::Host { what: "placing the standard streams", source },
        Step::Limits => SpawnError::Host { what: "setting resource limits", source },
    }
}
