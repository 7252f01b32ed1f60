//! Linux: a warden for each command, a steward over the wardens, cgroups, the sandbox. `warden/main.rs` tells how.

mod ahead;
mod begin;
mod cgroup;
mod child;
mod commanded;
mod filter;
mod launcher;
mod limits;
mod names;
mod network;
mod pool;
mod probe;
mod relay;
mod rules;
mod steward;
mod trial;
mod waits;
mod walls;
mod watcher;
mod wire;

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
pub(crate) use probe::abilities;
pub(crate) use trial::{sandbox_layers, trial_start};
