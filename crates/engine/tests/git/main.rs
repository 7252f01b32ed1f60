//! Git in planted repositories: what a repository's own settings would run does not run on the terms of a preset.
//!
//! Every test first shows that plain git does run it: a plant that does not work proves nothing. Linux only: a
//! terminal is had from the `script` of util-linux.
#![cfg(target_os = "linux")]

mod discovery;
mod drivers;
mod elsewhere;
mod planted;
mod programs;
