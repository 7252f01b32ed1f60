//! The channel to the client that waits for a call's answer: where progress and log messages go meanwhile.
//!
//! A call that has to ask its client something may go on in another request; then the channel is another one. May not
//! know what is sent.

use crate::log::{LogHearing, Threshold};
use rmcp::model::ProgressToken;
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The channel of one request.
#[derive(Debug, Clone)]
pub(crate) struct ClientChannel {
    /// Where messages go.
    pub(crate) peer: Peer<RoleServer>,
    /// Which log messages the client wants.
    pub(crate) hearing: LogHearing,
    /// Set if the client wants progress.
    pub(crate) progress: Option<ProgressToken>,
    told: Arc<AtomicU32>,
}

impl ClientChannel {
    /// The channel of a request.
    pub(crate) fn of(context: &RequestContext<RoleServer>, threshold: &Threshold) -> Self {
        Self {
            peer: context.peer.clone(),
            hearing: LogHearing::of(context, threshold),
            progress: context.meta.get_progress_token(),
            told: Arc::default(),
        }
    }

    /// The number of the next progress message; each is greater than the one before, whatever sends it.
    pub(crate) fn next_number(&self) -> u32 {
        self.told.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The channel of a call, whichever request it is being answered in.
#[derive(Debug, Clone)]
pub(crate) struct CurrentChannel(Arc<Mutex<ClientChannel>>);

impl CurrentChannel {
    /// A call that begins in this request.
    pub(crate) fn new(line: ClientChannel) -> Self {
        Self(Arc::new(Mutex::new(line)))
    }

    /// The channel as it is now.
    pub(crate) fn now(&self) -> ClientChannel {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The call goes on in another request.
    pub(crate) fn to(&self, line: ClientChannel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }
}
