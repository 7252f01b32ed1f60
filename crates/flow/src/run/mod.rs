//! A markdown agent is run: what it wants is fetched, what it runs travels the road. The only part that looks at the world.
//!
//! In the order of a run: a [`Program`] is found and read, an [`Agent`] settled, a [`Draft`] fetched and given its
//! variables, and made [`Ready`]. A door runs what is ready by its own means, and tells the hook after how it ended.
#![expect(clippy::disallowed_methods, reason = "this is the part of the crate that looks at files")]

mod agent;
mod along;
mod at_once;
mod chance;
mod draft;
mod environment;
mod errands;
pub mod gather;
mod hooks;
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

pub use agent::{Agent, Found};
pub use along::Along;
pub use draft::{Draft, Missing, Outside};
pub use hooks::EXIT_CODE;
pub use list::{About, Listed, list};
pub use program::Program;
pub use published::{Broken, Catalogue, Exposed, Lost, Published, Shelves};
pub use ready::{Ground, Ready};
pub use steps::Record;
