//! `runward gateway`: child servers served as one.
//!
//! Reads what was typed and passes it in. May not speak the protocol.

mod listings;
mod serve;
mod servers;

pub(super) use servers::Servers;

use super::Done;
use crate::args::GatewayArgs;

/// Does what was typed.
pub(super) fn run(args: &GatewayArgs) -> Done {
    serve::run(&args.serve)
}
