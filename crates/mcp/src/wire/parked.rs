//! Requests that were read and are not begun yet: as many are in progress as may be.
//!
//! They wait here, and not in the pipe, so that what comes behind them is read: a cancellation, or the
//! client's answer to a question of a call that waits for it. May not change their order.

use super::traffic::{Counted, Traffic};
use rmcp::model::{ClientJsonRpcMessage, GetExtensions, JsonRpcMessage, RequestId};
use std::collections::VecDeque;
use std::sync::Arc;

/// Requests that wait, at most. While there are as many, nothing is read.
const WAITING: usize = 64;

/// Requests in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct ParkedRequests {
    all: VecDeque<(ClientJsonRpcMessage, usize)>,
    bytes: usize,
}

impl ParkedRequests {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether another one may be read, whatever its size.
    pub(super) fn has_room(&self, traffic: &Traffic) -> bool {
        self.all.len() < WAITING && self.bytes <= traffic.bounds().request_bytes
    }

    pub(super) fn put(&mut self, request: ClientJsonRpcMessage, bytes: usize) {
        self.all.push_back((request, bytes));
        self.bytes += bytes;
    }

    /// The next one, if it can be begun now.
    pub(super) fn next(&mut self, traffic: &Arc<Traffic>) -> Option<ClientJsonRpcMessage> {
        if !traffic.has_room_for(self.all.front()?.1) {
            return None;
        }
        let (mut request, bytes) = self.all.pop_front()?;
        self.bytes -= bytes;
        mark(&mut request, traffic, Counted::Call(bytes));
        Some(request)
    }

    /// This one was cancelled.
    pub(super) fn forget(&mut self, id: &RequestId) {
        let is_other = |request: &ClientJsonRpcMessage| match request {
            JsonRpcMessage::Request(request) => request.id != *id,
            _ => true,
        };
        self.all.retain(|(request, _)| is_other(request));
        self.bytes = self.all.iter().map(|(_, bytes)| bytes).sum();
    }
}

/// Counts a message for as long as it is being handled.
pub(super) fn mark(message: &mut ClientJsonRpcMessage, traffic: &Arc<Traffic>, counted: Counted) {
    let extensions = match message {
        JsonRpcMessage::Request(request) => request.request.extensions_mut(),
        JsonRpcMessage::Notification(notification) => notification.notification.extensions_mut(),
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => return,
    };
    extensions.insert(traffic.ticket(counted));
}
