//! Markdown agents: a file's front matter becomes flags, its body the prompt, its name the command.
//!
//! A file is read ([`front`]), expanded ([`imports`], [`template`]) and built into a command ([`build`]); what has to be
//! run on the way travels the road like every other command ([`run`]).
//! Everything outside [`run`] is pure: files, time, the environment and chance are arguments there. Nothing here may
//! start a process by itself.
#![forbid(unsafe_code)]

pub mod adapters;
pub mod build;
pub mod cascade;
pub mod choose;
pub mod envfile;
mod error;
pub mod events;
pub mod front;
pub mod imports;
pub mod inputs;
mod keys;
pub mod lookup;
mod place;
pub mod remote;
pub mod run;
pub mod steps;
pub mod template;
mod translated;
pub mod words;

pub use error::FlowError;
pub(crate) use error::meant;
pub use place::Mark;
