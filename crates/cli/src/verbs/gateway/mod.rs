//! `runward gateway`: child servers served as one, found, and agreed to.
//!
//! Reads what was typed and passes it in. May not speak the protocol.

mod import;
mod import_view;
mod serve;

use super::Done;
use crate::args::{GatewayArgs, GatewayVerb};
use crate::output::{Failure, Format};
use crate::places;
use runward::HostFacts;
use std::path::{Path, PathBuf};

impl GatewayArgs {
    /// How the result is printed.
    pub(super) fn format(&self) -> Format {
        match &self.verb {
            None => Format::Plain,
            Some(GatewayVerb::Import(args)) => Format::of(&args.format),
        }
    }
}

/// Does what was typed.
pub(super) fn run(args: &GatewayArgs) -> Done {
    match &args.verb {
        None => serve::run(&args.serve),
        Some(GatewayVerb::Import(args)) => import::run(args),
    }
}

/// The list of servers: as it was typed, or beside the owner's configuration.
fn list_file(typed: Option<&Path>, facts: &HostFacts, flag: &str) -> Result<PathBuf, Failure> {
    let typed = typed.map(|file| facts.naming.join(&facts.cwd, file));
    typed.or_else(|| Some(places::config_folder(facts)?.join("servers.json"))).ok_or_else(|| {
        let hint = format!("Name a file with `{flag}`.");
        Failure::bad_value("there is no home to keep a list of servers in".to_owned(), &hint)
    })
}
