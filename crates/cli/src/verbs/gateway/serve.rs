//! Serving: not joined to the rest yet, and says so.

use crate::args::GatewayServeArgs;
use crate::output::Failure;
use crate::verbs::Done;
use runward::{Code, ErrorView};

pub(super) fn run(args: &GatewayServeArgs) -> Done {
    let message = format!("`{}` cannot serve child servers in this build", args.name);
    let hint = Some("Use a build that has the gateway.".to_owned());
    Err(Failure::Told(ErrorView { code: Code::GatewayUnavailable, message, hint }))
}
