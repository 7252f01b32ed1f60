//! A running child process: yields notices, takes orders. May not decide when it is stopped.

use super::porter::Porter;
use super::stdio::Ours;
use super::watch::TreeWatch;
use crate::notice::is_empty_after;
use crate::streams::ChildStreams;
use crate::{Got, Notice};
use runward_core::life::LifeInput;
use runward_core::output::Stream;
use runward_core::plan::ExecPlan;
use runward_core::record::Signal;
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A running command. Dropping it before [`LifeInput::Emptied`] ends the whole tree.
#[derive(Debug)]
pub struct Child {
    plan: ExecPlan,
    upkeep: runward_core::record::SandboxUpkeep,
    pid: u32,
    streams: ChildStreams,
    watch: Option<TreeWatch>,
    // Kept: without the porter it would not be heard that the job is empty.
    _porter: Arc<Porter>,
}

impl Child {
    pub(super) fn new(plan: ExecPlan, ours: Ours, watch: TreeWatch, porter: Arc<Porter>) -> Self {
        Self {
            plan,
            upkeep: runward_core::record::SandboxUpkeep::default(),
            pid: watch.pid(),
            streams: ChildStreams::of(ours),
            watch: Some(watch),
            _porter: porter,
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
        self.pid
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
        // Nothing left to watch: the job is closed, and with it whatever may have been overlooked.
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

    /// Asks the tree to end, where it can be asked. There are no other signals here than that, and killing.
    pub fn signal(&mut self, signal: Signal) {
        let Some(watch) = &mut self.watch else { return };
        match signal {
            Signal::KILL => watch.sweep(),
            Signal::TERM | Signal::INT | Signal::HUP => watch.ask_to_end(),
            _ => {}
        }
    }

    /// Ends every process of the tree at once.
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

    /// Tells the terminal its new size. There are no terminals here, and no plan asks for one.
    pub fn resize(&self, _rows: u16, _cols: u16) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
