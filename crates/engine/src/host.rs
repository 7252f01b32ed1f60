//! What doors may ask the operating system: facts, files and memory, never processes.

pub use runward_os::{
    Allocator, Disk, Interrupt, Interrupts, Order, Orders, RawTerminal, Resizes, Watcher, fallback_state,
    open_files_limit, outlive_file_limits, outputs_share_a_file, private_file, private_folder, probe,
    sandbox_layers, terminal_size, terminal_width,
};
