//! Pipes with close-on-exec: no executed program inherits them.
//!
//! Hazard: where a pipe cannot be made with that property in one step, a process forked between the two steps
//! would keep it open for ever. There, making a pipe and forking exclude each other.

use std::io;
use std::os::fd::OwnedFd;

/// Reading end and writing end.
pub(crate) type PipeEnds = (OwnedFd, OwnedFd);

/// Makes a pipe.
#[cfg(target_os = "linux")]
pub(crate) fn pipe() -> io::Result<PipeEnds> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}

/// Makes a pipe.
#[cfg(not(target_os = "linux"))]
pub(crate) fn pipe() -> io::Result<PipeEnds> {
    use rustix::io::{FdFlags, fcntl_setfd};
    let _nobody_forks = forking();
    let (reading, writing) = rustix::pipe::pipe()?;
    fcntl_setfd(&reading, FdFlags::CLOEXEC)?;
    fcntl_setfd(&writing, FdFlags::CLOEXEC)?;
    Ok((reading, writing))
}

/// To be held while forking, and while anything is made that a fork must not see half made.
#[cfg(not(target_os = "linux"))]
pub(crate) fn forking() -> std::sync::MutexGuard<'static, ()> {
    static FORKING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    FORKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
