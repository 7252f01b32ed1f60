//! macOS: a process group, a walk of the tree, and a guard that outlives Runward.
//!
//! There is no job object, no cgroup and no way to adopt orphans. A command leads a session and group of its
//! own; whoever leaves the group is found by walking from parents to children whenever the kernel says that
//! somebody forked, and before every signal. What detaches itself twice between two looks is not found: that
//! is the limit of this platform, and the reason why its containment is called a process group and no more.
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
mod roll;
mod watch;
mod watcher;

pub use super::unix::{
    LocalListener, LocalStream, RawTerminal, Resizes, connect_local, outlive_file_limits, terminal_size,
};
pub use child::Child;
pub use commanded::is_commanded;
pub use launcher::Launcher;
pub use watcher::Watcher;

pub(crate) use super::unix::{
    Interruptions, is_executable, is_shortage, naming as host_naming, open_files_limit, outputs_share_a_file,
    real_path, shell as host_shell, terminal_width,
};
pub(crate) use probe::{abilities, sandbox_layers};
