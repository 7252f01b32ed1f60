//! A markdown agent is run: what it wants is fetched, what it runs travels the road. The only part that looks at the world.
//!
//! In the order of a run: a [`AgentFile`] is found and read, an [`Agent`] settled, a [`AgentInProgress`] fetched and given its
//! variables, and built into a command ([`BuiltAgent`]). A door runs what is ready by its own means, and tells the hook after how it ended.
#![expect(clippy::disallowed_methods, reason = "this is the part of the crate that looks at files")]

mod agent;
mod along;
mod at_once;
mod commands;
mod environment;
pub mod gather;
mod hooks;
mod in_progress;
pub mod keep;
mod list;
mod naming;
mod own_prompt;
mod parameters;
mod program;
mod published;
mod ready;
pub mod remote;
pub mod road;
mod steps;
mod text;
mod timeout;
mod web;

pub use agent::{Agent, SettledFile};
pub use along::Along;
pub use hooks::EXIT_CODE;
pub use in_progress::{AgentInProgress, MissingValue, Outside};
pub use list::{About, Listed, list};
pub use program::AgentFile;
pub use published::{Broken, Catalogue, Exposed, Lost, Published, Shelves};
pub use ready::{AgentAccount, BuiltAgent, FinalPrompt, ReadyGround};
pub use steps::Record;
