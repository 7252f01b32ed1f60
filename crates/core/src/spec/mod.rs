//! What is asked: the request to run one command, before anything is looked up.
//!
//! A spec needs nothing but what the caller said: no host, no clock, no files, no environment. It may be
//! written down, sent, and read by anyone; it has no leave to do anything.
//! Read first: [`CommandSpec`].

mod caller;
mod command;
mod env;
mod limits;
mod terminal;

pub use caller::{Caller, Door, Hand};
pub use command::{CommandSpec, Program, ShellChoice, SpecError, StdinSpec, Streams};
pub(crate) use env::only_tells;
pub use env::{EnvBase, EnvSpec, changes_programs};
pub use limits::{Limits, LimitsSpec, Wish};
pub use terminal::Terminal;
