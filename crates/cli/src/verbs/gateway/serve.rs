//! Serving: the children of a list, and no tools of Runward's own.

use super::servers::Servers;
use crate::args::GatewayServeArgs;
use crate::setup::{Setup, TypedRules};
use crate::verbs::VerbResult;
use crate::verbs::mcp::{self, Serving};
use runward_mcp::Offer;
use runward_mcp::gateway::names::Separator;
use runward_mcp::gateway::{OfferedTools, Strictness};

pub(super) fn run(args: &GatewayServeArgs) -> VerbResult {
    let setup = Setup::allowing(None, TypedRules::presets(&args.presets.presets))?;
    let servers = Servers {
        file: Servers::file(args.config.as_deref(), &setup.facts, "--config")?,
        listed: Servers::listed(args.config.as_deref(), args.ask),
        separator: Separator::new(&args.separator)?,
        strictness: if args.strict { Strictness::FailFast } else { Strictness::Degrade },
        offered: if args.search { OfferedTools::BySearch } else { OfferedTools::Listed },
        debug: args.debug,
        log_file: args.log_file.clone(),
        name: Some(args.name.clone()),
    };
    let workspace = setup.facts.cwd.clone();
    let serving = Serving {
        offer: Offer::nothing(),
        flows: None,
        workspace,
        http: args.http,
        allow_remote: args.allow_remote,
        servers: Some(servers),
    };
    mcp::serve_house(&setup, None, serving)
}
