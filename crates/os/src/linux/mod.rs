//! Linux: a warden for each command, a steward over the wardens. `warden/main.rs` tells the whole story.

mod ahead;
mod cgroup;
mod child;
mod commanded;
mod filter;
mod launcher;
mod limits;
mod names;
mod pool;
mod probe;
mod rules;
mod steward;
mod trial;
mod waits;
mod walls;
mod watcher;
mod wire;

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
pub(crate) use probe::abilities;
pub(crate) use trial::sandbox_layers;
