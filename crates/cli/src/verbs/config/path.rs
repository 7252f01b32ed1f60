//! `runward config path`: where the owner's configuration is, or would be read from.

use super::VerbResult;
use crate::args::FormatArgs;
use crate::output::{OutputFormat, VerbFailure, emit, print};
use crate::places::{self, UserFile};
use crate::setup;
use runward::HostFacts;
use runward::core::render::word;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The place, as `--json` prints it.
#[derive(Serialize)]
struct ConfigPlace {
    file: String,
    exists: bool,
    /// Every file that is read, in order.
    read: Vec<String>,
}

pub(super) fn run(format: &FormatArgs, file: Option<&Path>) -> VerbResult {
    let facts = setup::facts()?;
    let place = owners(file, &facts)?;
    match OutputFormat::of(format) {
        OutputFormat::Plain => print(&word(place.as_os_str()))?,
        structured => {
            let read = setup::files_in_use(file, &facts);
            let read = read.iter().map(|path| word(path.as_os_str())).collect();
            emit(&ConfigPlace { file: word(place.as_os_str()), exists: place.is_file(), read }, structured)?;
        }
    }
    Ok(0)
}

/// The owner's file, whether it is there or not.
pub(super) fn owners(file: Option<&Path>, facts: &HostFacts) -> Result<PathBuf, VerbFailure> {
    match places::user_file(file, facts) {
        UserFile::Named(path) | UserFile::Usual(path) => Ok(path),
        UserFile::Nowhere => Err(VerbFailure::bad_value(
            "there is no home, so your own configuration has no usual place".to_owned(),
            "Name a file with `--config` or `RUNWARD_CONFIG`.",
        )),
    }
}
