//! Whether there are file descriptors and threads enough for a runtime, found out by taking them for a moment.
//!
//! tokio ends the process where it cannot have its sockets, and where the call that it waits by (epoll) is forbidden.
//! So before a runtime is made this is asked, and gives an error that can be told. May not keep anything.

use crate::SpawnError;
use rustix::io::fcntl_dupfd_cloexec;
use std::io;
use std::os::fd::OwnedFd;

/// Holds that a runtime with so many threads of its own can be made.
pub fn room_for_runtime(threads: usize) -> Result<(), SpawnError> {
    let waiting = waiting()?;
    let sockets = sockets().map_err(SpawnError::host("making ready to hear signals (`socketpair`)"))?;
    // As many as it has at once: those it waits by, those it hears signals on, and a second name of one of each.
    let seconds = [&waiting[0], &sockets.0].map(|fd| fcntl_dupfd_cloexec(fd, 3));
    for second in seconds {
        second.map_err(|error| SpawnError::host("making ready to wait (`fcntl`)")(error.into()))?;
    }
    room_for_threads(threads).map_err(SpawnError::host("making a thread"))
}

/// Holds that so many threads can be made at once.
fn room_for_threads(count: usize) -> io::Result<()> {
    let barrier = std::sync::RwLock::new(());
    // They stay until every one of them is there.
    let all = barrier.write();
    std::thread::scope(|scope| {
        let made: io::Result<Vec<_>> = (0..count)
            .map(|_| std::thread::Builder::new().spawn_scoped(scope, || drop(barrier.read())))
            .collect();
        drop(all);
        made.map(drop)
    })
}

fn sockets() -> io::Result<(OwnedFd, OwnedFd)> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
    #[cfg(target_os = "linux")]
    let flags = SocketFlags::CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = SocketFlags::empty();
    Ok(socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None)?)
}

/// What a runtime waits by, having waited by it once.
#[cfg(target_os = "linux")]
fn waiting() -> Result<[OwnedFd; 2], SpawnError> {
    use rustix::event::{EventfdFlags, epoll, eventfd};
    use std::os::fd::AsRawFd;
    let failed = |what| move |error: rustix::io::Errno| SpawnError::host(what)(error.into());
    let set = epoll::create(epoll::CreateFlags::CLOEXEC)
        .map_err(failed("making ready to wait (`epoll_create1`)"))?;
    let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
        .map_err(failed("making ready to wait (`eventfd2`)"))?;
    epoll::add(&set, &bell, epoll::EventData::new_u64(0), epoll::EventFlags::IN)
        .map_err(failed("making ready to wait (`epoll_ctl`)"))?;
    let mut none = [libc::epoll_event { events: 0, u64: 0 }];
    // By the very function that the runtime uses: which call that makes differs from library to library.
    // SAFETY: there is room for one event, and it does not wait.
    if unsafe { libc::epoll_wait(set.as_raw_fd(), none.as_mut_ptr(), 1, 0) } < 0 {
        return Err(SpawnError::host("making ready to wait (`epoll_wait`)")(io::Error::last_os_error()));
    }
    Ok([set, bell])
}

/// Elsewhere the runtime says by itself what it cannot have.
#[cfg(not(target_os = "linux"))]
fn waiting() -> Result<[OwnedFd; 1], SpawnError> {
    let null = std::fs::File::open("/dev/null").map_err(SpawnError::host("opening `/dev/null`"))?;
    Ok([null.into()])
}
