//! macOS: a process group, a walk of the tree, and a guard that outlives Runward.
//!
//! There is no job object, no cgroup and no way to adopt orphans. A command leads a session and group of its own; a
//! process that leaves the group is found by walking from parents to children whenever the kernel reports a fork, and
//! before every signal. What detaches itself twice between two looks is not found: that is the limit of this platform,
//! and the reason why its containment is called a process group and no more.
//!
//! Read first: `launcher.rs`, then `watch.rs`.

mod child;
mod commanded;
mod fork;
mod guard;
mod launcher;
mod limits;
mod order;
mod probe;
mod procs;
mod queue;
mod relay;
mod roll;
mod watch;
mod watcher;

pub use super::unix::{
    InputHangup, LocalListener, LocalStream, RawTerminal, Resizes, StandardInput, StandardOutput,
    connect_local, outlive_file_limits, prepare_last_words, room_for_runtime, standard_streams,
    terminal_size,
};
pub use child::Child;
pub use commanded::{is_commanded, runs_under_runward};
pub use launcher::Launcher;
pub use relay::NetworkRelay;
pub use watcher::Watcher;

pub(crate) use super::unix::{
    Feed, Interruptions, Ours, Tap, is_executable, is_shortage, missing, naming as host_naming,
    open_files_limit, outputs_share_a_file, put_output, real_path, shell as host_shell, takes_output,
    terminal_width,
};
pub(crate) use probe::{abilities, sandbox_layers};

/// What is needed for a start is found out by starting here.
pub(crate) fn trial_start() -> Result<(), crate::SpawnError> {
    Ok(())
}
