//! The runtime (tokio), and work on a thread of its own. Where a host has no room for one of them, that is an
//! error that can be reported.
//!
//! May not use the runtime's own threads for blocking work: where none can be made it ends the process.

use crate::output::VerbFailure;
use runward::host::room_for_runtime;
use std::io;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// A runtime for one thing at a time, on this very thread.
pub(crate) fn runtime() -> Result<Runtime, VerbFailure> {
    room_for_runtime(0)?;
    Builder::new_current_thread().enable_all().build().map_err(|error| none(&error))
}

/// A runtime with so many threads of its own.
pub(crate) fn wide_runtime(threads: usize) -> Result<Runtime, VerbFailure> {
    room_for_runtime(threads)?;
    Builder::new_multi_thread().worker_threads(threads).enable_all().build().map_err(|error| none(&error))
}

fn none(error: &io::Error) -> VerbFailure {
    VerbFailure::lacking("no runtime could be started", error)
}

/// Does blocking work (a person, a pipe) on a thread of its own, which is never joined: it must not delay the
/// handling of Ctrl-C.
pub(crate) fn aside<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<oneshot::Receiver<T>> {
    let (to, from) = oneshot::channel();
    // The caller may be gone, and then the result is not needed.
    let run = move || drop(to.send(work()));
    std::thread::Builder::new().name(name.to_owned()).spawn(run)?;
    Ok(from)
}

/// The same, awaited by the caller.
pub(crate) async fn done_aside<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    aside(name, work)?.await.map_err(|_| io::Error::other("the thread for it has ended"))?
}
