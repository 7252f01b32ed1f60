//! The only door to the operating system: probe, launch, signal, terminal.
//!
//! This crate does exactly what a sealed plan says and reports exactly what happened. It may not know policy,
//! fill in defaults, render anything or choose. `unsafe` and platform `cfg` live here and nowhere else, and
//! what a platform cannot do does not exist on it: the ability is missing from
//! [`Abilities`](runward_core::facts::Abilities), and no plan asks for it.
//!
//! Read first: [`Launcher`], then [`Child`].

mod allocator;
mod condition;
mod disk;
mod error;
mod interrupts;
mod notice;
mod probe;
mod sys;

pub use allocator::Allocator;
pub use condition::Condition;
pub use disk::{
    Disk, FileIdentity, HeldFolder, exchange, fallback_state, file_identity, private_file, private_folder,
    private_log,
};
pub use error::SpawnError;
pub use interrupts::{Interrupt, Interrupts, Order, Orders};
pub use notice::{Got, Notice};
pub use probe::{open_files_limit, outputs_share_a_file, probe, sandbox_layers, terminal_width};
pub use sys::{
    Child, Launcher, LocalListener, LocalStream, RawTerminal, Resizes, Watcher, connect_local, is_commanded,
    outlive_file_limits, terminal_size,
};
