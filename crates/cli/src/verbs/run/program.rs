//! The file that a name means.

use crate::house::House;
use crate::output::Failure;
use crate::places::{self, UserFile};
use runward_flow::lookup::Places;
use runward_flow::run::Program;
use runward_flow::words::Ours;
use std::path::PathBuf;

/// Finds and reads it.
pub(super) async fn program(name: &str, _ours: &Ours, house: &House) -> Result<Program, Failure> {
    let config = match places::user_file(None, &house.facts) {
        UserFile::Named(file) | UserFile::Usual(file) => file.parent().map(PathBuf::from),
        UserFile::Nowhere => None,
    };
    let path: Vec<PathBuf> =
        house.facts.env_var("PATH").map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    let facts = &house.facts;
    let places =
        Places { cwd: &facts.cwd, home: facts.home.as_deref(), config: config.as_deref(), path: &path };
    Ok(Program::find(name, &places)?)
}
