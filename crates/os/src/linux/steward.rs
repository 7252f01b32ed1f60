//! Starts the steward, and asks it for wardens.
//!
//! The program is carried inside this library and executed from memory. It is started without an
//! environment (a command may read its parent's) and, like every start here, without forking: the standard
//! library uses `posix_spawn`, which shares our memory instead of copying it.

use super::wire;
use runward_core::facts::Containment;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::MemfdFlags;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

static PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/warden"));

/// A running steward. Dropping it ends it, after everything below it.
#[derive(Debug)]
pub(super) struct Steward {
    socket: Option<OwnedFd>,
    process: Option<Child>,
}

impl Steward {
    pub(super) fn start() -> io::Result<Self> {
        let program = program()?;
        let (ours, theirs) = pair()?;
        let process = Command::new(format!("/proc/self/fd/{}", program.as_raw_fd()))
            .arg0("runward-warden")
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/")
            .spawn()?;
        Ok(Self { socket: Some(ours), process: Some(process) })
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
}

impl Steward {
    /// Lets a steward go on that somebody stopped. It is our own child and not reaped, so the number is its own.
    pub(super) fn wake(&self) {
        if let Some(pid) = self.process.as_ref().and_then(|process| Pid::from_raw(process.id().cast_signed()))
        {
            // One that has ended needs no waking.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::CONT);
        }
    }
}

/// The warden's program as an executable file without a name.
fn program() -> io::Result<OwnedFd> {
    let plain = MemfdFlags::CLOEXEC;
    // Older kernels do not know the flag that says "this is meant to be executed"; newer ones want it.
    let executable = MemfdFlags::from_bits_retain(plain.bits() | 0x10);
    let fd = rustix::fs::memfd_create("runward-warden", executable)
        .or_else(|_| rustix::fs::memfd_create("runward-warden", plain))?;
    let mut file = std::fs::File::from(fd);
    file.write_all(PROGRAM)?;
    // Reopened for reading: a file that is open for writing cannot be executed.
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(std::fs::File::open(path)?.into())
}

fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

/// How long the end of a steward is waited for in place. It has nothing to do unless commands are dying.
const PATIENCE: Duration = Duration::from_millis(100);

impl Drop for Steward {
    fn drop(&mut self) {
        self.socket = None;
        let Some(mut process) = self.process.take() else { return };
        if ended_within(&process, PATIENCE) {
            // It has ended: this takes the zombie away and cannot wait.
            let _ = process.wait();
        } else {
            std::thread::spawn(move || process.wait());
        }
    }
}

fn ended_within(process: &Child, time: Duration) -> bool {
    let pid = Pid::from_raw(process.id().cast_signed());
    let Some(Ok(watch)) = pid.map(|pid| pidfd_open(pid, PidfdFlags::empty())) else { return false };
    let mut fds = [PollFd::new(&watch, PollFlags::IN)];
    let time = Timespec::try_from(time).ok();
    poll(&mut fds, time.as_ref()).is_ok_and(|ready| ready > 0)
}
