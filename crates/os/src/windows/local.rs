//! A private socket: not to be had here yet. A named pipe lets others read unless it is told not to, and
//! nothing is offered that would not be private.

use std::io;
use std::path::Path;

/// A connection to another process of the same user.
pub type LocalStream = tokio::io::DuplexStream;

/// Cannot be made here.
#[derive(Debug)]
pub enum LocalListener {}

impl LocalListener {
    /// There is no private socket here.
    pub fn bind(_: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called: no listener exists.
    pub async fn accept(&self) -> io::Result<LocalStream> {
        match *self {}
    }
}

/// There is no private socket here.
pub async fn connect_local(_: &Path) -> io::Result<LocalStream> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Cannot be told here: there are no callers.
pub fn is_commanded(_: &LocalStream) -> Option<bool> {
    None
}

/// Whether this very process was started by a command; none where that cannot be told.
pub fn runs_under_runward() -> Option<bool> {
    None
}
