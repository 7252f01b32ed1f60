//! Baselines of benchmarks: the least that can be done. Linux only.
//!
//! No features, no safety net; a process is started with `posix_spawn`, its output read, its end waited for.

mod process;
mod terminal;
mod tree;

pub use process::{Captured, captured};
pub use terminal::Parrot;
pub use tree::{Bush, handed_up_to_me};
