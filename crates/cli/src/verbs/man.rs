//! `runward man DIR`: the manual, one page per verb.

use super::VerbResult;
use crate::args::Cli;
use crate::output::VerbFailure;
use clap::CommandFactory;
use std::path::Path;

pub(super) fn run(folder: &Path) -> VerbResult {
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => Ok(0),
        Err(error) => Err(VerbFailure::host("the manual could not be written", &error)),
    }
}
