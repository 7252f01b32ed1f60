//! Launch: a plan becomes a child process, started by a warden. May not choose anything: the plan says it.

use super::ahead::Ahead;
use super::cgroup::Leaf;
use super::child::{Child, Keeping};
use super::limits;
use super::pool::{Pool, WardenHandle};
use super::walls::SandboxTable;
use super::wire::{self, LaunchShape, LaunchStep, WardenReport, Words};
use crate::SpawnError;
use crate::sys::unix::{room, watched};
use runward_core::facts::Containment;
use runward_core::plan::{Draft, ExecPlan};
use runward_core::spec::{StdinSpec, Terminal};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Starts commands. The first start brings the steward up; dropping the launcher ends it.
#[derive(Debug, Clone, Default)]
pub struct Launcher {
    pool: Arc<Pool>,
    ahead: Arc<Ahead>,
}

impl Launcher {
    /// A launcher with nothing started yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Brings a warden up for the next command, which will be held in the first of these ways. What goes wrong shows when
    /// it is needed.
    pub fn prepare(&self, containment: &[Containment]) {
        if let Some(first) = containment.first() {
            let _ = self.pool.prepare(*first);
        }
    }

    /// Makes a plan ready, waits for `before`, and only then starts anything.
    pub async fn launch<E: From<SpawnError>>(
        &self,
        plan: ExecPlan,
        before: impl Future<Output = Result<(), E>>,
    ) -> Result<Child, E> {
        let draft = plan.draft();
        let command = draft.command();
        let directory = open_directory(command.cwd())
            .map_err(|source| SpawnError::Directory { cwd: command.cwd().to_owned(), source })?;
        let stdio =
            self.ahead.streams_of(command).map_err(SpawnError::host("opening the standard streams"))?;
        let shape = LaunchShape {
            terminal: command.terminal() != Terminal::Pipes,
            cgroup: draft.containment() == Containment::Cgroup,
            grace: draft.ladder().grace,
        };
        let words =
            Words { program: command.program().as_os_str(), argv: command.argv(), env: command.env() };
        let request = |walls: &SandboxTable| wire::launch(&words, &shape, &limits::of(draft), walls);
        let plain = draft.sandbox().is_off().then(|| request(&SandboxTable::default()));
        before.await?;
        // After the wait: whatever may have taken the program's place meanwhile is noticed.
        crate::disk::still_judged(command)?;
        crate::disk::still_the_folder(&directory, command)?;
        let mut walls = SandboxTable::of(draft, stdio.terminal_path())
            .map_err(|source| SpawnError::Walls { step: "making it ready".to_owned(), source })?;
        let request = plain.unwrap_or_else(|| request(&walls));
        let [stdin, stdout, stderr] = stdio.for_child();
        let fds = [stdin, stdout, stderr, directory.as_fd()];
        let (watch, report) = self.order(draft, &request, fds, &walls).await?;
        match report {
            WardenReport::Started { pid, warden } => {
                self.ahead.make_next(command);
                let ends = stdio.apart(*command.stdin() == StdinSpec::Null);
                // Where they are missing, what was started is ended: its warden hears that nobody is there.
                let network =
                    walls.take_sockets().map_err(SpawnError::host("taking the sockets of its network"))?;
                let keeping = Keeping::by(warden, walls.into_names());
                let child = Child::new(plan, pid, ends, (watch, keeping), Arc::clone(&self.pool));
                Ok(child.within(network))
            }
            WardenReport::Failed { errno, step, row } => {
                let (socket, leaf) = watch;
                let containment = plan.draft().containment();
                self.pool.give_back(WardenHandle { socket: socket.into_inner(), leaf, containment });
                let source = io::Error::from_raw_os_error(errno);
                Err(match step {
                    LaunchStep::Walls => SpawnError::Walls { step: walls.step(row), source },
                    LaunchStep::Names => {
                        SpawnError::Walls { step: "watching what may not come into being".to_owned(), source }
                    }
                    LaunchStep::Clone if walls.is_apart() => {
                        SpawnError::Walls { step: "making namespaces".to_owned(), source }
                    }
                    _ => failure(&plan, step, source),
                }
                .into())
            }
            _ => Err(SpawnError::host("talking to a warden")(io::ErrorKind::InvalidData.into()).into()),
        }
    }

    /// Gives the request to a warden and hears its first report.
    async fn order(
        &self,
        draft: &Draft,
        request: &[u8],
        fds: [BorrowedFd<'_>; 4],
        walls: &SandboxTable,
    ) -> Result<(WatchedWarden, WardenReport), SpawnError> {
        for _ in 0..ATTEMPTS {
            let (socket, leaf) = self.warden(draft)?;
            let told = |error: io::Error| SpawnError::host("talking to a warden (`sendmsg`)")(error);
            let mut all = fds.to_vec();
            all.extend(leaf.as_ref().map(AsFd::as_fd));
            all.extend(walls.descriptors());
            match tell(&socket, request, &all).await {
                // Killed while it rested: it has read nothing, so another one may be asked. Dead wardens are used up.
                // One that could not be made said why.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => match hear(&socket).await {
                    Ok(WardenReport::Failed { errno, step, .. }) => return Err(unfit(step, errno)),
                    _ => continue,
                },
                sent => sent.map_err(told)?,
            }
            drop(all);
            let heard = tokio::time::timeout(PATIENCE, hear(&socket)).await;
            match heard.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
                // Closed with the request unread: killed as it was told, or never made. Nothing was started.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
                // Nothing was started: the leaf was removed from outside. Try with another.
                Ok(WardenReport::Failed { step: LaunchStep::Clone, errno, .. })
                    if leaf.is_some() && is_gone(errno) => {}
                // The steward could not make it, or it could not begin.
                Ok(WardenReport::Failed {
                    step: step @ (LaunchStep::Fork | LaunchStep::Proc),
                    errno,
                    ..
                }) => {
                    return Err(unfit(step, errno));
                }
                heard => {
                    return heard.map(|report| ((socket, leaf), report)).map_err(|error| self.lost(error));
                }
            }
        }
        Err(unfit(LaunchStep::Fork, libc::EAGAIN))
    }

    /// A warden that read the request and said nothing was killed or stopped by what it started. The steward ends the
    /// one and kills what both leave; it is woken in case it was stopped, too.
    fn lost(&self, error: io::Error) -> SpawnError {
        self.pool.wake_steward();
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::TimedOut => {
                SpawnError::host("keeping a warden alive")(error)
            }
            _ => SpawnError::host("talking to a warden")(error),
        }
    }

    fn warden(&self, draft: &Draft) -> Result<WatchedWarden, SpawnError> {
        let warden = self.pool.take(draft.containment())?;
        let WardenHandle { socket, mut leaf, .. } = warden;
        if let Some(leaf) = &mut leaf {
            leaf.limit(draft).map_err(SpawnError::host("setting the cgroup's limits"))?;
        }
        let watch = SpawnError::host("watching a warden (`epoll_ctl`)");
        let socket = watched(socket, Interest::READABLE).map_err(watch)?;
        Ok((socket, leaf))
    }
}

/// How long a warden may take to start a command: longer than any file system, shorter than for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// More than the wardens that can rest at a time: after so many something else is wrong.
const ATTEMPTS: usize = 70;

/// A warden's socket, watched, and its cgroup.
pub(super) type WatchedWarden = (AsyncFd<OwnedFd>, Option<Leaf>);

/// The very directory that was judged: its path has no links, and following one now would lead elsewhere.
fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // Some containers forbid the newer call. There the last part of the path at least is no link.
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {
            Ok(openat(CWD, path, flags | OFlags::NOFOLLOW, Mode::empty())?)
        }
        opened => Ok(opened?),
    }
}

async fn tell(socket: &AsyncFd<OwnedFd>, request: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut sent = 0;
    while sent < request.len() {
        let with = if sent == 0 { fds } else { &[] };
        // A warden at rest takes it at once; whether the socket has room is asked only if it does not.
        sent += match wire::send(socket.get_ref(), &request[sent..], with) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let room = room(socket.get_ref())?;
                room.async_io(Interest::WRITABLE, |fd| wire::send(fd, &request[sent..], with)).await?
            }
            told => told?,
        };
    }
    Ok(())
}

async fn hear(socket: &AsyncFd<OwnedFd>) -> io::Result<WardenReport> {
    let mut bytes = [0; wire::REPORT];
    let mut got = 0;
    let mut pinned = None;
    while got < bytes.len() {
        let (len, fd) =
            socket.async_io(Interest::READABLE, |fd| wire::receive(fd, &mut bytes[got..])).await?;
        if len == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        got += len;
        pinned = pinned.or(fd);
    }
    match (WardenReport::parse(&bytes), pinned) {
        // From a pid namespace: its own pid there means nothing here.
        (Some(WardenReport::Started { pid, warden }), Some(pinned)) => {
            Ok(WardenReport::Started { pid: wire::pid_of(&pinned).unwrap_or(pid), warden })
        }
        (Some(report), _) => Ok(report),
        (None, _) => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn failure(plan: &ExecPlan, step: LaunchStep, source: io::Error) -> SpawnError {
    let command = plan.draft().command();
    match step {
        LaunchStep::Execute => {
            let program = command.program().to_owned();
            let covered = || plan.draft().sandbox().laid_over(&program, command.cwd());
            match covered().filter(|_| source.kind() == io::ErrorKind::NotFound) {
                Some(folder) => SpawnError::Covered { program, folder },
                None => SpawnError::Execute { program, source },
            }
        }
        LaunchStep::Directory => SpawnError::Directory { cwd: command.cwd().to_owned(), source },
        LaunchStep::Clone if plan.draft().containment() == Containment::Cgroup => {
            SpawnError::Host { what: "making a process in its cgroup (`clone3`)", source }
        }
        step => SpawnError::Host { what: step.what(), source },
    }
}

/// A step before any command that this host would not do.
pub(super) fn unfit(step: LaunchStep, errno: i32) -> SpawnError {
    SpawnError::host(step.what())(io::Error::from_raw_os_error(errno))
}

/// Whether an error says that a cgroup is not there any more.
fn is_gone(errno: i32) -> bool {
    [libc::ENODEV, libc::ENOENT].contains(&errno)
}
