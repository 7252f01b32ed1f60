//! What this very process has: the width of its terminal, its resource limits (rlimits).

use runward_core::output::Stream;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::tcgetwinsize;
use std::io::Write;
use std::os::fd::AsFd;

/// Characters in a line of the terminal behind stderr, if there is one.
pub(crate) fn terminal_width() -> Option<u16> {
    tcgetwinsize(std::io::stderr()).ok().map(|size| size.ws_col).filter(|columns| *columns > 0)
}

/// The kind of number by which a resource is named here.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) type ResourceNumber = libc::__rlimit_resource_t;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) type ResourceNumber = libc::c_int;

/// The limit on a resource; none where the host forbids to ask.
pub(crate) fn limit_in_force(resource: ResourceNumber) -> Option<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours to write to.
    (unsafe { libc::getrlimit(resource, &raw mut limit) } == 0).then_some(limit)
}

/// The same, if there is one for now.
pub(crate) fn soft_limit(resource: ResourceNumber) -> Option<u64> {
    let soft = limit_in_force(resource)?.rlim_cur;
    (soft != libc::RLIM_INFINITY).then_some(soft)
}

/// Whether one of our own outputs takes something without letting us wait. What cannot be asked is written to.
pub(crate) fn takes_output(stream: Stream) -> bool {
    let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
    let mut asked = [match stream {
        Stream::Stdout => PollFd::new(&stdout, PollFlags::OUT),
        Stream::Stderr => PollFd::new(&stderr, PollFlags::OUT),
    }];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut asked, Some(&now)).map_or(true, |ready| ready > 0)
}

/// Writes all of it to one of our own outputs. Standard output is asked for lines before it gets to the system, and would
/// cut each piece in two.
pub(crate) fn put_output(stream: Stream, bytes: &[u8]) -> std::io::Result<()> {
    match stream {
        Stream::Stdout => {
            let mut out = std::io::stdout().lock();
            // What was printed before comes before.
            out.flush()?;
            whole(&out, bytes)
        }
        Stream::Stderr => whole(&std::io::stderr().lock(), bytes),
    }
}

fn whole(to: &impl AsFd, mut bytes: &[u8]) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            Ok(len) => bytes = &bytes[len..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Files this process may have open at once; `None` where there is no such limit.
pub(crate) fn open_files_limit() -> Option<u64> {
    soft_limit(libc::RLIMIT_NOFILE)
}
