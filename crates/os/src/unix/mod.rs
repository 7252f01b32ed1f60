//! What every Unix has in common: pipes, terminals, and reading them without waiting.

mod feed;
mod files;
mod interruptions;
mod last_words;
mod local;
mod needs;
mod own;
mod pipe;
mod pty;
mod raw;
mod room;
mod standard;
mod stdio;
mod tap;

pub(crate) use feed::Feed;
pub(crate) use files::{is_executable, is_shortage, naming, outputs_share_a_file, real_path, shell};
pub(crate) use interruptions::Interruptions;
pub use interruptions::outlive_file_limits;
pub use last_words::prepare_last_words;
pub use local::{LocalListener, LocalStream, connect_local};
pub(crate) use needs::missing;
#[cfg(target_os = "linux")]
pub(crate) use own::{ResourceNumber, limit_in_force};
pub(crate) use own::{open_files_limit, put_output, takes_output, terminal_width};
#[cfg(not(target_os = "linux"))]
pub(crate) use pipe::forking;
pub(crate) use pipe::{PipeEnds, pipe};
pub(crate) use pty::resize;
pub use raw::{RawTerminal, Resizes, terminal_size};
pub use room::room_for_runtime;
pub use standard::{InputHangup, StandardInput, StandardOutput, standard_streams};
#[cfg(target_os = "linux")]
pub(crate) use stdio::nothing;
pub(crate) use stdio::{Ours, Stdio};
pub(crate) use tap::Tap;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor of ours that never blocks.
pub(crate) fn watched(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    never_wait(&fd)?;
    // SAFETY: an `OwnedFd` names the same open descriptor for as long as it lives, and the `AsyncFd` owns it.
    unsafe { AsyncFd::register_with_interest(fd, interest) }.map_err(Into::into)
}

/// A second name of a descriptor, watched for room to write.
///
/// Made only when there is none: a writer that watches for room all the time is woken by each read at the other end.
pub(crate) fn room(fd: impl AsFd) -> io::Result<AsyncFd<OwnedFd>> {
    watched(fd.as_fd().try_clone_to_owned()?, Interest::WRITABLE)
}

/// Makes reads and writes return instead of waiting.
pub(crate) fn never_wait(fd: impl AsFd) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(fd, true)?)
}
