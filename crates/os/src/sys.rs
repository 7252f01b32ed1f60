//! The one place where the platforms part.

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
    Child, Launcher, LocalListener, LocalStream, RawTerminal, Resizes, Watcher, connect_local, is_commanded,
    outlive_file_limits, terminal_size,
};
pub(crate) use platform::{
    Interruptions, abilities, host_naming, host_shell, is_executable, is_shortage, open_files_limit,
    outputs_share_a_file, real_path, sandbox_layers, terminal_width,
};
