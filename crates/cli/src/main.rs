//! The binary `runward`: reads what a person typed, walks it along the road, exits with what came of it.
//!
//! The only reader of configuration files and the environment. May not start a process or look at the
//! platform: it uses the engine's doors. Read first: [`args`], then [`verbs`].
#![forbid(unsafe_code)]

mod agreed;
mod amount;
mod args;
mod ask;
mod house;
mod moment;
mod output;
mod places;
mod private;
mod remember;
mod verbs;

use args::Cli;
use clap::Parser;
use std::ffi::OsString;

#[global_allocator]
static MEMORY: runward::host::Allocator = runward::host::Allocator;

fn main() {
    runward::host::outlive_file_limits();
    let typed: Vec<OsString> = args::spelled_out(std::env::args_os().collect());
    let code = match Cli::try_parse_from(&typed) {
        Ok(cli) => verbs::run(&cli),
        Err(error) => output::usage(&error, &typed),
    };
    // Leaves at once: a read of standard input that nobody answers must not hold us.
    std::process::exit(code);
}
