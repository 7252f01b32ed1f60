//! Starts the steward, and asks it for wardens.
//!
//! The program is carried inside this library and executed from memory (memfd). It is started without an environment (a
//! command may read its parent's) and, like every child process here, without forking: see [`begin`](super::begin).

use super::begin::begin;
use super::launcher::unfit;
use super::wire::{self, WardenReport};
use crate::SpawnError;
use runward_core::facts::Containment;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::MemfdFlags;
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, recv, socketpair};
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// Empty where there is none for this processor: see `build.rs`.
static PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/warden"));

/// Whether the library carries a warden for this processor.
pub(super) fn is_built() -> bool {
    !PROGRAM.is_empty()
}

/// A running steward. Dropping it ends it, after everything below it.
#[derive(Debug)]
pub(super) struct StewardHandle {
    socket: Option<OwnedFd>,
    process: Pid,
}

impl StewardHandle {
    pub(super) fn start() -> Result<Self, SpawnError> {
        if !is_built() {
            return Err(SpawnError::NoWarden);
        }
        let program = program()?;
        let (ours, theirs) = pair().map_err(SpawnError::host("making a socket (`socketpair`)"))?;
        Ok(Self { process: begin(&program, &theirs)?, socket: Some(ours) })
    }

    /// A new warden's socket. A warden that could not be made shows as the end of its socket.
    pub(super) fn enlist(&self, containment: Containment) -> io::Result<OwnedFd> {
        self.enlist_by(&wire::enlist(containment))
    }

    /// The same, by this request.
    pub(super) fn enlist_by(&self, request: &[u8]) -> io::Result<OwnedFd> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        let (ours, theirs) = pair()?;
        wire::send(socket, request, &[theirs.as_fd()])?;
        Ok(ours)
    }

    /// What it said, if it said anything: a steward speaks only where it cannot serve, and ends.
    pub(super) fn last_words(&self) -> Option<SpawnError> {
        let mut said = [0; wire::REPORT];
        let (_, len) = recv(self.socket.as_ref()?, &mut said, RecvFlags::DONTWAIT).ok()?;
        match WardenReport::parse(&said).filter(|_| len == said.len())? {
            WardenReport::Failed { errno, step, .. } => Some(unfit(step, errno)),
            _ => None,
        }
    }

    /// Continues a steward that was stopped by a signal. It is our own child and not reaped, so the pid is its own.
    pub(super) fn wake(&self) {
        // One that has ended needs no waking.
        let _ = rustix::process::kill_process(self.process, rustix::process::Signal::CONT);
    }
}

/// The warden's program as an executable file without a name.
fn program() -> Result<OwnedFd, SpawnError> {
    let plain = MemfdFlags::CLOEXEC;
    // Older kernels do not know the flag that says "this is meant to be executed"; newer ones want it.
    let executable = MemfdFlags::from_bits_retain(plain.bits() | 0x10);
    let fd = rustix::fs::memfd_create("runward-warden", executable)
        .or_else(|_| rustix::fs::memfd_create("runward-warden", plain))
        .map_err(|error| SpawnError::host("keeping a warden in memory (`memfd_create`)")(error.into()))?;
    let mut file = std::fs::File::from(fd);
    file.write_all(PROGRAM).map_err(SpawnError::host("keeping a warden in memory (`write`)"))?;
    Ok(file.into())
}

fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

/// How long the end of a steward is waited for in place. It has nothing to do unless commands are dying.
const PATIENCE: Duration = Duration::from_millis(100);

impl Drop for StewardHandle {
    fn drop(&mut self) {
        self.socket = None;
        let process = self.process;
        // Takes the zombie away.
        let wait = move || {
            let _ = waitpid(Some(process), WaitOptions::empty());
        };
        if ended_within(process, PATIENCE) {
            // It has ended, so this cannot wait.
            wait();
        } else {
            // Where no thread can be had, the zombie goes with this process.
            let _ = std::thread::Builder::new().name("steward".to_owned()).spawn(wait);
        }
    }
}

fn ended_within(process: Pid, time: Duration) -> bool {
    let Ok(watch) = pidfd_open(process, PidfdFlags::empty()) else { return false };
    let mut fds = [PollFd::new(&watch, PollFlags::IN)];
    let time = Timespec::try_from(time).ok();
    poll(&mut fds, time.as_ref()).is_ok_and(|ready| ready > 0)
}
