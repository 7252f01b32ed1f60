//! The way to a child, whichever it is: started here, or reached over HTTP.
//!
//! May not know what is said on it.

use super::child::Process;
use super::pipe::Pipe;
use super::talk::Said;
use super::web::Web;
use serde_json::Value;

/// A way to a child.
#[derive(Debug)]
pub(super) enum Way {
    /// Over its input and output.
    Pipe(Box<Pipe>),
    /// Over streamable HTTP.
    Web(Box<Web>),
}

impl Way {
    /// Its process, if it is one of ours.
    pub(super) fn process(&self) -> Option<Process> {
        match self {
            Way::Pipe(pipe) => Some(pipe.process()),
            Way::Web(_) => None,
        }
    }

    /// Says something. Never waits.
    pub(super) fn send(&mut self, message: Value) {
        match self {
            Way::Pipe(pipe) => pipe.send(&message),
            Way::Web(web) => web.send(message),
        }
    }

    /// The next message; `None` once it is over. Can be given up and asked again.
    pub(super) async fn next(&mut self) -> Option<Said> {
        match self {
            Way::Pipe(pipe) => pipe.next().await,
            Way::Web(web) => web.next().await,
        }
    }

    /// Why it has to be ended, if it has.
    pub(super) fn fault(&self) -> Option<String> {
        match self {
            Way::Pipe(pipe) => pipe.fault(),
            Way::Web(_) => None,
        }
    }

    /// Ends it, and says how it ended.
    pub(super) async fn end(self) -> String {
        match self {
            Way::Pipe(pipe) => pipe.end().await,
            Way::Web(web) => web.end().await,
        }
    }
}
