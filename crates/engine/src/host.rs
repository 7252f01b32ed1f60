//! What a program around the engine may ask the operating system for: facts, files and memory, never processes.
//!
//! A program that only runs commands needs none of it: the builder asks for the [`HostFacts`](crate::HostFacts) itself.
//! [`probe`] and [`sandbox_layers`] tell what this host has; the rest serves the program `runward`, and others that have a
//! terminal, standard streams or signals to look after.

pub use crate::aside::aside;
#[doc(hidden)]
pub use runward_os::AlignedAllocator;
pub use runward_os::{
    Disk, InputHangup, Interrupt, Interrupts, OperatorOrder, Orders, RawTerminal, Resizes, StandardInput,
    StandardOutput, UpstreamResolver, Watcher, fallback_state, give_back_memory, keep_memory_together,
    let_go_of_streams, open_files_limit, outlive_file_limits, outputs_share_a_file, prepare_last_words,
    private_file, private_folder, probe, put_output, room_for_runtime, runs_under_runward, sandbox_layers,
    say_to_somebody, shortage, standard_streams, takes_output, terminal_size, terminal_width, trial_start,
};
