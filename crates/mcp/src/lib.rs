//! The MCP server: tools that lower a call, run it along the engine's road, and render the result.
//!
//! A client is served over stdio ([`stdio`]) or streamable HTTP ([`http`]). What is offered is an [`Offer`]; each
//! client is one `Client` with its own finished commands and log level. This crate may not decide anything
//! about a command, read files or the environment, or start a process: the engine does, and the program that starts
//! the server passes in the configuration. Read first: [`tools`](self), the table in `tools/mod.rs`.
#![forbid(unsafe_code)]

mod answer;
mod arguments;
mod asking;
mod audience;
mod client;
mod finished;
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
mod shown;
pub mod stdio;
mod tools;
mod veil;
mod wire;

pub use audience::News;
pub use flows::Flows;
pub use offer::{Offer, OfferError, Profile};
pub use server::ServerState;
pub use tools::names as tool_names;

/// Our own version, for clients and children.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
