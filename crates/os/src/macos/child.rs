//! A running child process: yields notices, takes orders. May not decide when it is stopped.

use super::watch::TreeWatch;
use crate::notice::is_empty_after;
use crate::streams::ChildStreams;
use crate::sys::unix::Ours;
use crate::{Got, Notice};
use libc::pid_t;
use runward_core::life::LifeInput;
use runward_core::output::Stream;
use runward_core::plan::ExecPlan;
use runward_core::record::Signal;
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::unix::AsyncFd;

/// A running command. Dropping it before [`LifeInput::Emptied`] kills the whole tree, as far as it is known.
#[derive(Debug)]
pub struct Child {
    plan: ExecPlan,
    upkeep: runward_core::record::SandboxUpkeep,
    pid: pid_t,
    streams: ChildStreams,
    terminal: Option<Arc<AsyncFd<OwnedFd>>>,
    watch: Option<TreeWatch>,
}

impl Child {
    pub(super) fn new(plan: ExecPlan, pid: pid_t, ours: Ours, watch: TreeWatch) -> Self {
        Self {
            plan,
            upkeep: runward_core::record::SandboxUpkeep::default(),
            pid,
            terminal: ours.terminal.clone(),
            streams: ChildStreams::of(ours),
            watch: Some(watch),
        }
    }

    /// The plan that is being carried out.
    pub fn plan(&self) -> &ExecPlan {
        &self.plan
    }

    /// Its connections are nobody's business but its own here: no plan asks for a network of its own.
    ///
    /// # Errors
    /// Never.
    pub fn relay(&mut self, _: crate::RelayRules) -> io::Result<Option<super::relay::NetworkRelay>> {
        Ok(None)
    }

    /// A handle that can look at what it is doing.
    pub fn watcher(&self) -> super::watcher::Watcher {
        super::watcher::Watcher
    }

    /// What had to be done to keep its sandbox: nothing, for there is none on this system.
    pub fn upkeep(&self) -> &runward_core::record::SandboxUpkeep {
        &self.upkeep
    }

    /// The command's process.
    pub fn pid(&self) -> u32 {
        self.pid.cast_unsigned()
    }

    /// Waits for the next thing that happens. With `reading` false, output is left where it is. May be
    /// dropped half way: nothing is lost.
    pub async fn next(&mut self, reading: bool) -> Notice {
        poll_fn(|cx| self.poll(cx, reading)).await
    }

    fn poll(&mut self, cx: &mut Context<'_>, reading: bool) -> Poll<Notice> {
        if let Poll::Ready(notice) = self.streams.poll(cx, reading) {
            return Poll::Ready(notice);
        }
        let Some(watch) = &mut self.watch else { return Poll::Pending };
        let input = std::task::ready!(watch.poll(cx));
        if is_empty_after(input) || input == LifeInput::Lost {
            self.watch = None;
        }
        Poll::Ready(Notice::Life(input))
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
        if let Some(watch) = &mut self.watch {
            watch.signal(signal.0);
        }
    }

    /// Kills every process of the tree, and whatever they still start, until nothing is left.
    pub fn sweep(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.sweep();
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
