//! The gateway's decisions: which child servers there are, what they are called outside, and when to try again.
//!
//! ```text
//!  text of a file ──config──► Roster ──diff──► who is started, stopped, kept
//!                               │
//!                  what children offer ──listing──► what clients see, and the way back
//!                               │
//!                     Backoff: when a child that died is started again
//! ```
//!
//! Everything here is pure: time, the environment and the texts of files are arguments. May not start a process,
//! open a connection or read a file. Read first: [`config::Roster`].

pub mod backoff;
pub mod config;
pub mod consent;
pub mod diff;
pub mod expand;
pub mod import;
pub mod latency;
pub mod listing;
pub mod names;
mod template;
pub mod unavailable;
