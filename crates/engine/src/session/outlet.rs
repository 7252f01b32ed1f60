//! Where events go: to a listener that sets the pace (back-pressure), or nowhere.

use crate::SessionEvent;
use bytes::Bytes;
use runward_core::output::{AppendedAt, Stream};
use runward_core::record::StopCause;
use tokio::sync::mpsc;

/// Whether there is a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventListening {
    Someone,
    Nobody,
}

/// Events that the channel holds before output is left in the pipe.
const AHEAD: usize = 32;

/// Events for a listener.
#[derive(Debug)]
pub(super) struct EventOutlet {
    to: Option<mpsc::Sender<SessionEvent>>,
    /// What did not fit. While it is not empty no output is read, so it stays short.
    waiting: std::collections::VecDeque<SessionEvent>,
}

impl EventOutlet {
    pub(super) fn new(listening: EventListening) -> (Self, Option<mpsc::Receiver<SessionEvent>>) {
        let (to, from) = match listening {
            EventListening::Someone => {
                let (to, from) = mpsc::channel(AHEAD);
                (Some(to), Some(from))
            }
            EventListening::Nobody => (None, None),
        };
        (Self { to, waiting: std::collections::VecDeque::new() }, from)
    }

    pub(super) fn output(&mut self, stream: Stream, place: AppendedAt, bytes: &[u8]) {
        if self.to.is_some() {
            let bytes = Bytes::copy_from_slice(bytes);
            self.tell(SessionEvent::Output { stream, offset: place.offset, seq: place.seq, bytes });
        }
    }

    pub(super) fn stopping(&mut self, cause: StopCause) {
        self.tell(SessionEvent::Stopping { cause });
    }

    fn tell(&mut self, event: SessionEvent) {
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

    /// Waits until the listener takes one more. A listener that is gone is not waited for.
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

    /// The command is over: the remaining events are delivered at the listener's own pace.
    pub(super) async fn finish(mut self) {
        while self.is_behind() {
            self.catch_up().await;
        }
    }
}
