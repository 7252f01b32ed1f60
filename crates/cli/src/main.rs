//! The binary `runward`: parses the arguments, runs the verb through the engine, exits with its result.
//!
//! The only reader of configuration files and the environment. May not start a process or look at the
//! platform: it uses the engine's doors. Read first: [`args`], then [`verbs`].
#![forbid(unsafe_code)]

mod agreed;
mod amount;
mod args;
mod ask;
mod clients;
mod ecosystems;
mod faults;
mod hook;
mod level;
mod mistakes;
mod moment;
mod output;
mod places;
mod private;
mod remember;
mod rules;
mod setup;
mod threads;
mod verbs;
mod version;

use std::ffi::OsString;

#[global_allocator]
static MEMORY: runward::host::AlignedAllocator = runward::host::AlignedAllocator;

fn main() {
    runward::host::keep_memory_together();
    let code = faults::told(walk);
    // A client takes any other status of its hook for a failure, and runs the command.
    let code = if is_hook() && code != 0 { 2 } else { code };
    runward::host::let_go_of_streams();
    // Leaves at once: a read of standard input that never ends must not hold us.
    std::process::exit(code);
}

/// Whether a client's event is to be answered, as far as can be told before the arguments are parsed.
fn is_hook() -> bool {
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next_if(|word| word == "--config").is_some() {
        words.next();
    } else {
        words.next_if(|word| word.as_encoded_bytes().starts_with(b"--config="));
    }
    let is_other = |word: &OsString| word == "install" || word == "test";
    words.next().is_some_and(|word| word == "hook") && !words.next().is_some_and(|word| is_other(&word))
}

/// Runs the verb that was typed.
fn walk() -> i32 {
    runward::host::outlive_file_limits();
    let typed: Vec<OsString> = args::spelled_out(std::env::args_os().collect());
    if typed.len() < 2 {
        return verbs::start();
    }
    if let Some(code) = version::told(&typed) {
        return code;
    }
    match args::read(&typed) {
        Ok(cli) => verbs::run(&cli),
        Err(error) => output::usage(&error, &typed),
    }
}
