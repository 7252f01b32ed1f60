//! A running child process: yields notices, takes orders. May not decide when it is stopped.

use super::cgroup::Leaf;
use super::launcher::WatchedWarden;
use super::names::WatchedNames;
use super::network::CommandNetwork;
use super::pool::{Pool, WardenHandle};
use super::relay::NetworkRelay;
use super::watcher::Watcher;
use super::wire::{self, AsideKind, REPORT, WardenReport};
use crate::notice::is_empty_after;
use crate::streams::ChildStreams;
use crate::sys::unix::Ours;
use crate::upstream::RelayRules;
use crate::{Got, Notice};
use runward_core::life::LifeInput;
use runward_core::output::Stream;
use runward_core::plan::ExecPlan;
use runward_core::record::{EndedBy, SandboxUpkeep, Signal};
use std::ffi::OsString;
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A running command. Dropping it before [`LifeInput::Emptied`] makes its warden end the whole tree.
#[derive(Debug)]
pub struct Child {
    plan: ExecPlan,
    pid: u32,
    streams: ChildStreams,
    terminal: Option<Arc<AsyncFd<OwnedFd>>>,
    /// What a command that has printed nothing yet writes to. While it is open here its end is not seen on its streams
    /// but told once, by its warden: a short command would wake us three times, and wait for us while it dies. Empty
    /// where there is input: such commands live long, and there may be thousands.
    unprinted: Vec<OwnedFd>,
    warden: Option<TreeWatch>,
    upkeep: SandboxUpkeep,
    /// The sockets of its own network, until they are relayed.
    network: Option<CommandNetwork>,
    pool: Arc<Pool>,
}

/// The connection to the command's warden while there is something to watch.
#[derive(Debug)]
struct TreeWatch {
    socket: AsyncFd<OwnedFd>,
    leaf: Option<Leaf>,
    /// Whether everything was told to be killed.
    swept: bool,
    heard: Vec<u8>,
    /// Returned next, before the socket is read.
    next: Option<LifeInput>,
    keeping: Keeping,
    pool: Arc<Pool>,
}

/// Names that must not appear while the command runs.
#[derive(Debug, Default)]
pub(super) struct Keeping {
    names: WatchedNames,
    /// The warden that watches them.
    warden: u32,
    /// It was killed, and another looks in its place.
    replaced: bool,
    upkeep: SandboxUpkeep,
}

impl Child {
    pub(super) fn new(
        plan: ExecPlan,
        pid: u32,
        (ours, unprinted): (Ours, Vec<OwnedFd>),
        ((socket, leaf), keeping): (WatchedWarden, Keeping),
        pool: Arc<Pool>,
    ) -> Self {
        let (heard, next) = (Vec::new(), None);
        let watch = TreeWatch { socket, leaf, swept: false, heard, next, keeping, pool: Arc::clone(&pool) };
        Self {
            plan,
            pid,
            terminal: ours.terminal.clone(),
            streams: ChildStreams::of(ours),
            unprinted,
            warden: Some(watch),
            upkeep: SandboxUpkeep::default(),
            network: None,
            pool,
        }
    }

    /// The same, with a network of its own.
    pub(super) fn within(self, network: Option<CommandNetwork>) -> Self {
        Self { network, ..self }
    }

    /// Begins to relay its connections to the hosts that it may talk to; none where it has no such network, and once only.
    ///
    /// # Errors
    /// Where no thread is to be had. Then it talks to nobody.
    pub fn relay(&mut self, rules: RelayRules) -> io::Result<Option<NetworkRelay>> {
        self.network.take().map(|network| NetworkRelay::begin(network, rules)).transpose()
    }

    /// The plan that is being carried out.
    pub fn plan(&self) -> &ExecPlan {
        &self.plan
    }

    /// The command's process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// What had to be done to keep its sandbox. Whole once nothing is left of the command.
    pub fn upkeep(&self) -> &SandboxUpkeep {
        self.warden.as_ref().map_or(&self.upkeep, |watch| &watch.keeping.upkeep)
    }

    /// A handle that can look at what it is doing, from anywhere, for as long as it runs.
    pub fn watcher(&self) -> Watcher {
        match &self.terminal {
            Some(terminal) => Watcher::of_terminal(self.pid, terminal),
            None => Watcher::of_pipe(self.pid, self.streams.feed.descriptor()),
        }
    }

    /// Waits for the next thing that happens. With `reading` false, output is left where it is. May be
    /// dropped half way: nothing is lost.
    pub async fn next(&mut self, reading: bool) -> Notice {
        poll_fn(|cx| self.poll(cx, reading)).await
    }

    fn poll(&mut self, cx: &mut Context<'_>, reading: bool) -> Poll<Notice> {
        if let Poll::Ready(notice) = self.streams.poll(cx, reading) {
            if matches!(notice, Notice::Readable(_)) {
                self.unprinted.clear();
            }
            return Poll::Ready(notice);
        }
        let Some(watch) = &mut self.warden else { return Poll::Pending };
        let input = std::task::ready!(watch.poll(cx));
        self.unprinted = Vec::new();
        self.after(input);
        Poll::Ready(Notice::Life(input))
    }

    /// Nothing left to watch: the warden goes back to rest. A lost one is let go.
    fn after(&mut self, input: LifeInput) {
        let empty = is_empty_after(input);
        if !empty && input != LifeInput::Lost {
            return;
        }
        let Some(TreeWatch { socket, leaf, swept, keeping, .. }) = self.warden.take() else { return };
        self.upkeep = keeping.upkeep;
        if !empty {
            // The warden is dead; what it left in its cgroup can still be killed from here.
            leaf.iter().for_each(Leaf::kill);
        } else if swept && leaf.is_some() {
            // Linux kills whatever is born into a cgroup that was told to kill more often than its parent's own (seen on
            // 6.18): every later command would have to be started twice. Warden and leaf are let go.
        } else {
            let containment = self.plan.draft().containment();
            self.pool.give_back(WardenHandle { socket: socket.into_inner(), leaf, containment });
        }
    }

    /// Reads from a stream without waiting.
    pub fn read(&mut self, stream: Stream, buffer: &mut [u8]) -> Got {
        self.streams.read(stream, buffer)
    }

    /// Reads what is left in a stream that is about to be given up.
    pub fn read_rest(&mut self, stream: Stream, buffer: &mut [u8]) -> Got {
        self.streams.read_rest(stream, buffer)
    }

    /// Sends a signal to every process of the tree.
    pub fn signal(&mut self, signal: Signal) {
        self.tell(&wire::signal(signal.0));
    }

    /// Kills every process of the tree, and whatever they still start, until nothing is left.
    pub fn sweep(&mut self) {
        if let Some(watch) = &mut self.warden {
            watch.swept = true;
        }
        self.tell(&wire::sweep());
        // A steward that was stopped could not end a warden that was stopped.
        self.pool.wake_steward();
    }

    /// A warden that cannot be told is dead, and its end is heard as [`LifeInput::Lost`].
    fn tell(&mut self, request: &[u8]) {
        if let Some(watch) = &self.warden {
            let _ = wire::send(watch.socket.get_ref(), request, &[]);
        }
    }

    /// Queues input. False if the input is closed.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        self.streams.feed.push(bytes)
    }

    /// Whether queued input still waits to be taken.
    pub fn is_feeding(&self) -> bool {
        self.streams.feed.has_work()
    }

    /// Closes the input once everything queued was written.
    pub fn close_input(&mut self) {
        self.streams.feed.close_when_fed();
    }

    /// Tells the terminal its new size.
    pub fn resize(&self, rows: u16, cols: u16) -> io::Result<()> {
        let terminal = self.terminal.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        crate::sys::unix::resize(terminal.get_ref(), rows, cols)
    }
}

impl TreeWatch {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<LifeInput> {
        loop {
            if let Some(input) = self.next.take() {
                return Poll::Ready(input);
            }
            match self.heard.first_chunk::<REPORT>().map(WardenReport::parse) {
                Some(Some(WardenReport::Aside { kind, len })) if self.heard.len() >= REPORT + len => {
                    self.heard.drain(..REPORT);
                    let path = self.heard.drain(..len).collect();
                    self.keeping.note(kind, path);
                    continue;
                }
                Some(Some(WardenReport::Aside { .. })) | None => {}
                Some(Some(report)) => {
                    self.heard.drain(..REPORT);
                    return Poll::Ready(self.input(report));
                }
                Some(None) => return Poll::Ready(LifeInput::Lost),
            }
            let over = std::task::ready!(self.socket.poll_read_ready(cx)).is_err() || !self.hear();
            if over && !self.replace() {
                return Poll::Ready(LifeInput::Lost);
            }
        }
    }

    /// The warden is dead. Where it watched names, another is asked for the last look once nothing is left of what it
    /// started; false where that is not needed, or not possible.
    fn replace(&mut self) -> bool {
        if self.keeping.names.is_empty() || self.keeping.replaced {
            return false;
        }
        self.keeping.replaced = true;
        self.heard.clear();
        self.leaf.iter().for_each(Leaf::kill);
        let asked = self.pool.enlist_after(self.keeping.warden).and_then(|socket| {
            let socket = crate::sys::unix::watched(socket, Interest::READABLE)?;
            let look = wire::look(&self.keeping.names);
            let sent = wire::send(socket.get_ref(), &look, &[])?;
            if sent == look.len() { Ok(socket) } else { Err(io::ErrorKind::WriteZero.into()) }
        });
        match asked {
            Ok(socket) => self.socket = socket,
            Err(_) => self.keeping.upkeep.unwatched = true,
        }
        !self.keeping.upkeep.unwatched
    }

    /// Reads what there is. False at the end of the socket.
    fn hear(&mut self) -> bool {
        let mut buffer = [0; 4 * REPORT];
        match self.socket.try_io(Interest::READABLE, |fd| Ok(rustix::io::read(fd, &mut buffer)?)) {
            Ok(0) => false,
            Ok(len) => {
                self.heard.extend_from_slice(&buffer[..len]);
                true
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }

    fn input(&mut self, report: WardenReport) -> LifeInput {
        match report {
            WardenReport::Exited { status, others } => {
                let exited = LifeInput::Exited { how: how(status), others };
                if self.leaf.as_mut().is_some_and(Leaf::ran_out_of_memory) {
                    self.next = Some(exited);
                    return LifeInput::OutOfMemory;
                }
                exited
            }
            // The look is over; how the command ended was not seen.
            WardenReport::Emptied { .. } if self.keeping.replaced => LifeInput::Lost,
            WardenReport::Emptied { outlived } => LifeInput::Emptied { outlived },
            WardenReport::Started { .. } | WardenReport::Failed { .. } | WardenReport::Aside { .. } => {
                LifeInput::Lost
            }
        }
    }
}

impl Keeping {
    /// These names are watched by this warden.
    pub(super) fn by(warden: u32, names: WatchedNames) -> Self {
        Self { names, warden, ..Self::default() }
    }

    fn note(&mut self, kind: AsideKind, path: Vec<u8>) {
        let path = PathBuf::from(OsString::from_vec(path));
        match kind {
            AsideKind::Moved => self.upkeep.set_aside.push(path),
            AsideKind::Stuck { errno } => {
                self.upkeep.stuck.push((path, io::Error::from_raw_os_error(errno).to_string()));
            }
            AsideKind::Restored => self.upkeep.restored.push(path),
        }
    }
}

fn how(status: i32) -> EndedBy {
    if libc::WIFEXITED(status) {
        EndedBy::Exited(libc::WEXITSTATUS(status))
    } else if libc::WIFSIGNALED(status) {
        EndedBy::Signaled(Signal(libc::WTERMSIG(status)))
    } else {
        EndedBy::Unknown
    }
}
