//! The gateway: child servers that are started, joined, kept alive, and ended with their client.
//!
//! ```text
//!  text of a file ──config──► Roster ──diff──► who is started, stopped, kept
//!                                                      │
//!   client ◄──► Joined ──forward──► Link ◄── Conversation ──► Way (pipe, web) ◄──► child
//!                 │                                    │
//!              listing: what clients see         keep: Backoff says when a child that died is started again
//! ```
//!
//! A [`Gateway`] has a household of children for each client. What is decided is decided by pure modules (`config`,
//! `names`, `listing`, `backoff`, `diff`, `consent`): time, the environment and the texts of files are arguments there.
//! May not read a file, or start a process but along the engine's road. Read first: [`config::Roster`], then [`Gateway`].

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
