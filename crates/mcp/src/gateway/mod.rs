//! The gateway: child servers that are started, joined, kept alive, and ended with their client.
//!
//! ```text
//!  text of a file ──config──► Roster ──diff──► who is started, stopped, kept
//!                                                      │
//!   client ◄──► Joined ──forward──► Link ◄── Conversation ──► Way (pipe, web) ◄──► child
//!                 │                                    │
//!              listing: what clients see         keep: Backoff says when a child that exited is restarted
//! ```
//!
//! A [`Gateway`] has a set of child servers for each client. What is decided is decided by pure modules (`config`,
//! `names`, `listing`, `backoff`, `diff`, `consent`): time, the environment and the texts of files are arguments there.
//! May not read a file, or start a process but along the engine's road. Read first: [`config::Roster`], then [`Gateway`].

mod aside;
mod backlog;
pub mod backoff;
mod child;
mod children;
pub mod config;
pub mod consent;
mod converse;
pub mod diff;
mod events;
pub mod expand;
mod far;
mod forward;
mod greet;
mod host;
pub mod import;
mod joined;
mod keep;
mod keep_alive;
pub mod latency;
mod lines;
mod link;
pub mod listing;
mod mentioned;
pub mod names;
mod passed_tool;
mod pipe;
mod search;
mod sparing;
mod talk;
mod template;
mod terms;
#[cfg(test)]
mod tests;
mod typed;
pub mod unavailable;
mod warned;
mod way;
mod web;
mod whose;

pub(crate) use joined::Joined;
pub use keep_alive::{KeepAliveTerms, NoListings, RememberedListings};
pub use terms::{Gateway, GatewayTerms, OfferedTools, Strictness, TellGatewayOperator};
pub(crate) use typed::TypedGateway;
