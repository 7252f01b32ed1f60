//! The warden: a tiny process that starts a command, adopts orphans of it (subreaper), and lets nothing live.
//!
//! Runward must be able to die (even by `SIGKILL`, even with its whole process group) without leaving a
//! process behind, and it must start commands without forking its own, possibly large, memory. So it keeps
//! one *steward* and, for each command that runs at the same time, one *warden*: processes of this program,
//! in a session of their own, a few pages large, without an environment.
//!
//! ```text
//!   runward ──socket──► steward              adopts what a killed warden leaves, and kills it
//!      │                   └─ warden         subreaper: every process of the tree stays below it
//!      └──socket──────────────┘└─ command    a session of its own; sees descriptors 0, 1, 2
//! ```
//!
//! A warden's socket at its end means that Runward is dead: the warden then climbs the ladder by itself
//! (TERM, grace, KILL) and goes only when nothing is left. A warden serves one command after another.
//!
//! It is its own program, without libc and without allocation, built by `build.rs` and carried inside the
//! library. It may not decide anything: what to run and when to stop is told to it.
#![no_std]
#![no_main]
#![no_builtins]

mod confine;
mod entry;
mod launch;
mod memory;
mod names;
mod own_network;
mod place;
mod proc;
mod steward;
mod sys;
mod tree;
mod walls;
mod warden;
mod wire;

/// The control socket of this process, steward or warden: the steward's is its standard input.
pub const STEWARD_SOCKET: i32 = 0;

#[unsafe(no_mangle)]
extern "C" fn warden_main() -> ! {
    steward::serve()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    sys::exit(70)
}
