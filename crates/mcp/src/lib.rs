//! The MCP server: tools that lower a call, walk it along the engine's road, and render what came of it.
//!
//! A client is served over stdio ([`stdio`]) or streamable HTTP ([`http`]). What is offered is an [`Offer`]; who
//! is served is one `Client` with its own finished commands and log level. This crate may not decide anything
//! about a command, read files or the environment, or start a process: the engine does, and whoever starts the
//! server passes in what was configured. Read first: [`tools`](self), the table in `tools/mod.rs`.
#![forbid(unsafe_code)]

mod answer;
mod arguments;
mod asking;
mod audience;
mod client;
mod flows;
pub mod gateway;
pub mod http;
mod light;
mod line;
mod log;
mod offer;
mod progress;
mod resources;
mod roots;
mod server;
mod shelf;
pub mod stdio;
mod tools;
mod trim;
mod veil;
mod wire;

pub use audience::News;
pub use flows::Flows;
pub use offer::{Offer, OfferError, Profile};
pub use server::Desk;
pub use tools::names as tool_names;

/// Our own version, as clients and children are told.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
