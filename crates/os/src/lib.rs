//! The only door to the operating system: probe, launch, signal, terminal.
//!
//! This crate does exactly what a sealed plan says and reports exactly what happened. It may not know policy,
//! fill in defaults, render anything or choose. `unsafe` and platform `cfg` live here and nowhere else, and
//! what a platform cannot do does not exist on it: the ability is missing from
//! [`Abilities`](runward_core::facts::Abilities), and no plan asks for it.
//!
//! Read first: [`Launcher`], then [`Child`].

mod allocator;
mod carrier;
mod condition;
mod disk;
mod error;
mod interrupts;
mod memory;
mod mounts;
mod notice;
mod parting;
mod probe;
mod streams;
mod sys;
mod upstream;

#[doc(hidden)]
pub use allocator::AlignedAllocator;
pub use condition::ProcessCondition;
pub use disk::{
    Disk, FileIdentity, HeldFolder, exchange, fallback_state, file_identity, lock_file, private_file,
    private_folder, private_log, regular_file,
};
pub use error::SpawnError;
pub use interrupts::{Interrupt, Interrupts, OperatorOrder, Orders};
pub use memory::{give_back_memory, keep_memory_together};
pub use mounts::{DoubtfulMount, Mounts};
pub use notice::{Got, Notice};
pub use parting::{let_go_of_streams, say_to_somebody};
pub use probe::{
    open_files_limit, outputs_share_a_file, probe, put_output, sandbox_layers, shortage, takes_output,
    terminal_width, trial_start,
};
pub use sys::{
    Child, InputHangup, Launcher, LocalListener, LocalStream, NetworkRelay, RawTerminal, Resizes,
    StandardInput, StandardOutput, Watcher, connect_local, is_commanded, outlive_file_limits,
    prepare_last_words, room_for_runtime, runs_under_runward, standard_streams, terminal_size,
};
pub use upstream::{HostResolver, MOST_RECORDS, RelayAccount, RelayRules, UpstreamProxy, UpstreamResolver};
