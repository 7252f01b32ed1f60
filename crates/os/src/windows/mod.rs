//! Windows: a job object that the process is born into, watched through completion ports and thread-pool waits.
//!
//! The job is created with "kill on close" and only Runward holds it, so the kernel itself ends the tree when
//! Runward dies. What cannot be done here does not exist: there is no pseudo-terminal yet, and no keeper for
//! limits of single processes.
//!
//! Read first: `launcher.rs`, then `child.rs`.

mod attributes;
mod bell;
mod child;
mod cmd;
mod command_line;
mod directory;
mod environment;
mod feed;
mod handle;
mod interruptions;
mod job;
mod launcher;
mod local;
mod own;
mod paths;
mod pipes;
mod porter;
mod probe;
mod quote;
mod raw;
#[path = "../macos/relay.rs"]
mod relay;
mod ring;
mod signal;
mod spawn;
mod standard;
mod stdio;
mod tap;
mod transfer;
mod watch;
mod watcher;
mod wide;

pub use child::Child;
pub use launcher::Launcher;
pub use local::{LocalListener, LocalStream, connect_local, is_commanded, runs_under_runward};
pub use raw::{RawTerminal, Resizes, terminal_size};
pub use relay::NetworkRelay;
pub use standard::{InputHangup, StandardInput, StandardOutput, standard_streams};
pub use watcher::Watcher;

pub(crate) use feed::Feed;
pub(crate) use interruptions::Interruptions;
pub(crate) use own::{open_files_limit, terminal_width};
pub(crate) use paths::real_path;
pub(crate) use probe::{
    abilities, host_naming, host_shell, is_executable, is_shortage, outputs_share_a_file, sandbox_layers,
};
pub(crate) use stdio::Ours;
pub(crate) use tap::Tap;

/// A file may grow as large as the disk here: there is no such limit.
pub fn outlive_file_limits() {}

/// Nothing ends a process at once here without telling.
pub fn prepare_last_words() -> Result<(), String> {
    Ok(())
}

/// The runtime says by itself what it cannot have here.
pub fn room_for_runtime(_: usize) -> Result<(), crate::SpawnError> {
    Ok(())
}

/// What is needed for a start is found out by starting here.
pub(crate) fn trial_start() -> Result<(), crate::SpawnError> {
    Ok(())
}

/// Writes all of it to one of our own outputs.
pub(crate) fn put_output(to: runward_core::output::Stream, bytes: &[u8]) -> std::io::Result<()> {
    use runward_core::output::Stream;
    use std::io::Write;
    fn whole(mut to: impl Write, bytes: &[u8]) -> std::io::Result<()> {
        to.write_all(bytes)?;
        to.flush()
    }
    match to {
        Stream::Stdout => whole(std::io::stdout().lock(), bytes),
        Stream::Stderr => whole(std::io::stderr().lock(), bytes),
    }
}

/// This cannot be asked here: the writer may have to wait.
pub(crate) fn takes_output(_: runward_core::output::Stream) -> bool {
    true
}

/// There are no such limits for a process here.
pub(crate) fn missing(_: &std::io::Error) -> Option<String> {
    None
}
