//! Git in planted repositories: what a repository's own settings would run does not run on the terms of a preset.
//!
//! Every test first shows that plain git does run it: a plant that does not work proves nothing.
#![cfg(unix)]

mod drivers;
mod elsewhere;
mod planted;
mod programs;
