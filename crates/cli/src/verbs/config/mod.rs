//! `runward config …`: what is in force, where it comes from, and where to change it.

mod edit;
mod path;
mod show;

use super::VerbResult;
use crate::args::{ConfigArgs, ConfigVerb};
use std::path::Path;

pub(super) fn run(args: &ConfigArgs, file: Option<&Path>) -> VerbResult {
    match &args.verb {
        None => show::all(&args.show, file),
        Some(ConfigVerb::Show(show)) => show::all(show, file),
        Some(ConfigVerb::Get { key, how }) => show::one(key, how, file),
        Some(ConfigVerb::Path(format)) => path::run(format, file),
        Some(ConfigVerb::Edit) => edit::run(file),
    }
}
