//! The state machine that decides what to do next about one running child process: limits, stopping, killing.
//!
//! `Life` has no clock: [`LifeInput`] and the time go in, [`Action`]s come out, and [`Life::deadline`] says when it
//! wants to be woken. The one loop that waits (in the engine) stands between it and the operating system. Bytes pass it
//! by; it hears only how many there were.
//!
//! ```text
//!             Exited                       drain over            leftovers_grace over
//!  Running ───────────► Draining ─────────────────► Stopping ──────────────► Killing
//!     │                    │ Emptied                  ▲  │ Emptied              │ Emptied
//!     │ a limit, Stop      ▼                          │  ▼                      ▼
//!     └───────────────► (TERM to the whole tree) ─────┘ Settling ◄──────────────┘
//!                                                        │ both streams at their end, or drain over
//!                                                        ▼
//!                                                      Done: Finish(End), exactly once
//! ```
//!
//! Every phase but `Running` has a deadline of its own, so time alone ends every life that was stopped.
//! May not know channels, tasks, pids or the meaning of bytes.

mod machine;
mod word;

#[cfg(test)]
mod tests;

pub use machine::Life;
pub use word::{Action, LifeInput, LifeTerms, StreamCount};
