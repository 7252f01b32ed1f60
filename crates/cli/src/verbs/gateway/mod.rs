//! `runward gateway`: child servers served as one, found, and agreed to.
//!
//! Reads what was typed and passes it in. May not speak the protocol.

mod agree;
mod consent;
mod import;
mod import_view;
mod listings;
mod serve;
mod servers;

pub(super) use servers::Servers;

use super::Done;
use crate::args::{GatewayArgs, GatewayVerb};
use crate::output::Format;

impl GatewayArgs {
    /// How the result is printed.
    pub(super) fn format(&self) -> Format {
        match &self.verb {
            None => Format::Plain,
            Some(GatewayVerb::Import(args)) => Format::of(&args.format),
            Some(GatewayVerb::Consent(args)) => Format::of(&args.format),
        }
    }
}

/// Does what was typed.
pub(super) fn run(args: &GatewayArgs) -> Done {
    match &args.verb {
        None => serve::run(&args.serve),
        Some(GatewayVerb::Import(args)) => import::run(args),
        Some(GatewayVerb::Consent(args)) => agree::run(args),
    }
}
