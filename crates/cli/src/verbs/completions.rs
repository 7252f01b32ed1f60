//! `runward completions SHELL`: what a shell needs to complete our verbs.

use super::VerbResult;
use crate::args::Cli;
use crate::output::print;
use clap::CommandFactory;
use clap_complete::Shell;

pub(super) fn run(shell: Shell) -> VerbResult {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "runward", &mut script);
    let script = String::from_utf8(script).unwrap_or_default();
    print(script.trim_end_matches('\n')).map(|()| 0)
}
