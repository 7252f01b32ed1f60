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
mod care;
mod child;
pub mod config;
pub mod consent;
mod converse;
pub mod diff;
pub mod expand;
mod forward;

mod greet;
mod host;
mod household;
pub mod import;
mod joined;
mod keep;
pub mod latency;
mod link;
pub mod listing;
mod mentioned;
pub mod names;
mod pipe;
mod talk;
mod template;
mod terms;
#[cfg(test)]
mod tests;
mod typed;
pub mod unavailable;
mod way;
mod web;

pub use care::{Care, Listings, NoListings};
pub(crate) use joined::Joined;
pub use terms::{Gateway, Strictness, Tell, Terms};
pub(crate) use typed::Typed;
