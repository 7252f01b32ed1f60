//! Where events go: to a listener that sets the pace, or to nobody.

use crate::Event;
use bytes::Bytes;
use runward_core::output::{Place, Stream};
use runward_core::record::StopCause;
use tokio::sync::mpsc;

/// Whether somebody wants to hear events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listening {
    Someone,
    Nobody,
}

/// Events that the channel holds before output is left in the pipe.
const AHEAD: usize = 32;

/// Events on their way to a listener.
#[derive(Debug)]
pub(super) struct Outlet {
    to: Option<mpsc::Sender<Event>>,
    /// What did not fit. While it is not empty no output is read, so it stays short.
    waiting: std::collections::VecDeque<Event>,
}

impl Outlet {
    pub(super) fn new(listening: Listening) -> (Self, Option<mpsc::Receiver<Event>>) {
        let (to, from) = match listening {
            Listening::Someone => {
                let (to, from) = mpsc::channel(AHEAD);
                (Some(to), Some(from))
            }
            Listening::Nobody => (None, None),
        };
        (Self { to, waiting: std::collections::VecDeque::new() }, from)
    }

    pub(super) fn output(&mut self, stream: Stream, place: Place, bytes: &[u8]) {
        if self.to.is_some() {
            let bytes = Bytes::copy_from_slice(bytes);
            self.tell(Event::Output { stream, offset: place.offset, seq: place.seq, bytes });
        }
    }

    pub(super) fn stopping(&mut self, cause: StopCause) {
        self.tell(Event::Stopping { cause });
    }

    fn tell(&mut self, event: Event) {
        let Some(to) = &self.to else { return };
        if !self.waiting.is_empty() {
            return self.waiting.push_back(event);
        }
        match to.try_send(event) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(event)) => self.waiting.push_back(event),
            Err(mpsc::error::TrySendError::Closed(_)) => self.to = None,
        }
    }

    /// Whether the listener has fallen behind.
    pub(super) fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Waits until the listener takes one more. Losing interest is fine: then nobody waits any more.
    pub(super) async fn catch_up(&mut self) {
        let Some(to) = &self.to else {
            self.waiting.clear();
            return;
        };
        let Ok(place) = to.reserve().await else {
            self.to = None;
            self.waiting.clear();
            return;
        };
        if let Some(event) = self.waiting.pop_front() {
            place.send(event);
        }
    }

    /// The command is over: everything still owed is delivered at the listener's own pace.
    pub(super) async fn finish(mut self) {
        while self.is_behind() {
            self.catch_up().await;
        }
    }
}
