//! The transport to a child: pipes of a process started here, or HTTP.
//!
//! May not know what is sent on it.

use super::child::Process;
use super::link::Outgoing;
use super::pipe::ChildPipe;
use super::talk::ChildMessage;
use super::web::Web;

/// A transport to a child.
#[derive(Debug)]
pub(super) enum ChildTransport {
    /// Over its standard input and output.
    Pipe(Box<ChildPipe>),
    /// Over streamable HTTP.
    Web(Box<Web>),
}

impl ChildTransport {
    /// Its process, if it is one of ours.
    pub(super) fn process(&self) -> Option<Process> {
        match self {
            ChildTransport::Pipe(pipe) => Some(pipe.process()),
            ChildTransport::Web(_) => None,
        }
    }

    /// Sends a message. Never waits.
    pub(super) fn send(&mut self, message: Outgoing) {
        match self {
            ChildTransport::Pipe(pipe) => pipe.send(message),
            ChildTransport::Web(web) => web.send(message),
        }
    }

    /// The next message; `None` once it is over. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<ChildMessage> {
        match self {
            ChildTransport::Pipe(pipe) => pipe.next().await,
            ChildTransport::Web(web) => web.next().await,
        }
    }

    /// Why it has to be stopped, if it has.
    pub(super) fn fault(&self) -> Option<String> {
        match self {
            ChildTransport::Pipe(pipe) => pipe.fault(),
            ChildTransport::Web(web) => web.fault(),
        }
    }

    /// Stops it, and says how it ended.
    pub(super) async fn end(self) -> String {
        match self {
            ChildTransport::Pipe(pipe) => pipe.end().await,
            ChildTransport::Web(web) => web.end().await,
        }
    }
}
