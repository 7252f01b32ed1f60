//! A running command: yields notices, takes orders.

use super::feed::Feed;
use super::porter::Porter;
use super::stdio::Ours;
use super::tap::Tap;
use super::watch::Watch;
use crate::{Got, Notice};
use runward_core::output::Stream;
use runward_core::plan::ExecPlan;
use runward_core::record::Signal;
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A running command. Dropping it before [`Notice::Emptied`] ends the whole tree.
#[derive(Debug)]
pub struct Child {
    plan: ExecPlan,
    upkeep: runward_core::record::SandboxUpkeep,
    pid: u32,
    feed: Feed,
    stdout: Option<Tap>,
    stderr: Option<Tap>,
    watch: Option<Watch>,
    // Kept: without the porter nobody would hear that the job is empty.
    _porter: Arc<Porter>,
}

impl Child {
    pub(super) fn new(plan: ExecPlan, ours: Ours, watch: Watch, porter: Arc<Porter>) -> Self {
        Self {
            plan,
            upkeep: runward_core::record::SandboxUpkeep::default(),
            pid: watch.pid(),
            feed: ours.feed,
            stdout: Some(ours.stdout),
            stderr: ours.stderr,
            watch: Some(watch),
            _porter: porter,
        }
    }

    /// The plan that is being carried out.
    pub fn plan(&self) -> &ExecPlan {
        &self.plan
    }

    /// Someone who can look at what it is doing.
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

    fn poll(&mut self, cx: &Context<'_>, reading: bool) -> Poll<Notice> {
        if self.feed.has_work() && self.feed.poll(cx).is_ready() {
            return Poll::Ready(Notice::Fed);
        }
        if reading {
            for (tap, stream) in [(&mut self.stdout, Stream::Stdout), (&mut self.stderr, Stream::Stderr)] {
                if tap.as_mut().is_some_and(|tap| tap.poll_readable(cx).is_ready()) {
                    return Poll::Ready(Notice::Readable(stream));
                }
            }
        }
        match &mut self.watch {
            Some(watch) => {
                let notice = std::task::ready!(watch.poll(cx));
                self.after(notice);
                Poll::Ready(notice)
            }
            None => Poll::Pending,
        }
    }

    /// Nothing left to watch: the job is closed, and with it whatever may have been overlooked.
    fn after(&mut self, notice: Notice) {
        let over = Notice::Lost == notice
            || matches!(notice, Notice::Emptied { .. } | Notice::Exited { others: false, .. });
        if over {
            self.watch = None;
        }
    }

    /// Reads from a stream without waiting.
    pub fn read(&mut self, stream: Stream, buffer: &mut [u8]) -> Got {
        self.read_by(stream, |tap| tap.read(buffer))
    }

    /// Reads what is left in a stream that is about to be given up.
    pub fn read_rest(&mut self, stream: Stream, buffer: &mut [u8]) -> Got {
        self.read_by(stream, |tap| tap.read_now(buffer))
    }

    fn read_by(&mut self, stream: Stream, read: impl FnOnce(&mut Tap) -> Got) -> Got {
        let place = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let got = place.as_mut().map_or(Got::End, read);
        if got == Got::End {
            *place = None;
        }
        got
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
        self.feed.push(bytes)
    }

    /// Whether queued input still waits to be taken.
    pub fn is_feeding(&self) -> bool {
        self.feed.has_work()
    }

    /// Closes the input once everything queued was written.
    pub fn close_input(&mut self) {
        self.feed.close_when_fed();
    }

    /// Tells the terminal its new size. There are no terminals here, and no plan asks for one.
    pub fn resize(&self, _rows: u16, _cols: u16) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
