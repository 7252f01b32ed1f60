//! The one place where the platforms part: Linux, macOS, Windows.

#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod platform;

#[cfg(target_os = "macos")]
#[path = "macos/mod.rs"]
mod platform;

#[cfg(windows)]
#[path = "windows/mod.rs"]
mod platform;

#[cfg(unix)]
#[path = "unix/mod.rs"]
pub(crate) mod unix;

pub use platform::{
    Child, InputHangup, Launcher, LocalListener, LocalStream, NetworkRelay, RawTerminal, Resizes,
    StandardInput, StandardOutput, Watcher, connect_local, is_commanded, outlive_file_limits,
    prepare_last_words, room_for_runtime, runs_under_runward, standard_streams, terminal_size,
};
pub(crate) use platform::{
    Feed, Interruptions, Ours, Tap, abilities, host_naming, host_shell, is_executable, is_shortage, missing,
    open_files_limit, outputs_share_a_file, put_output, real_path, sandbox_layers, takes_output,
    terminal_width, trial_start,
};
