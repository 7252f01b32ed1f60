//! `runward gateway`: child servers served as one, imported, and approved.
//!
//! Reads the arguments and passes them in. May not speak the protocol.

mod agree;
mod consent;
mod import;
mod import_view;
mod listings;
mod serve;
mod servers;

pub(super) use servers::Servers;

use super::VerbResult;
use crate::args::{GatewayArgs, GatewayVerb};
use crate::output::OutputFormat;

impl GatewayArgs {
    /// How the result is printed.
    pub(super) fn format(&self) -> OutputFormat {
        match &self.verb {
            None => OutputFormat::Plain,
            Some(GatewayVerb::Import(args)) => OutputFormat::of(&args.format),
            Some(GatewayVerb::Consent(args)) => OutputFormat::of(&args.format),
        }
    }
}

/// Runs the verb that was typed.
pub(super) fn run(args: &GatewayArgs) -> VerbResult {
    match &args.verb {
        None => serve::run(&args.serve),
        Some(GatewayVerb::Import(args)) => import::run(args),
        Some(GatewayVerb::Consent(args)) => agree::run(args),
    }
}
