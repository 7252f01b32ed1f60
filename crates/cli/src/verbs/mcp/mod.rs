//! `runward mcp`: serve tools to an agent, on stdio or over HTTP, until the client is gone or we are told to end.
//!
//! Reads the arguments and the configuration and passes them in. May not speak the protocol.

mod reread;

use super::{VerbResult, code_of};
use crate::args::McpArgs;
use crate::output::{VerbFailure, tell};
use crate::places;
use crate::rules::RulesInForce;
use crate::setup::{Setup, SpoolChoice, TypedRules};
use crate::threads;
use crate::verbs::gateway::Servers;
use reread::Rereader;
use runward::config::ServerBounds;
use runward::control::Children;
use runward::core::facts::{FileKind, Look};
use runward::core::policy::NO_RULES;
use runward::host::{Disk, Interrupt, OperatorOrder, Orders};
use runward::registry::{SessionRules, Sessions};
use runward::{HostFacts, Policy, control};
use runward_mcp::gateway::names::Separator;
use runward_mcp::gateway::{Gateway, OfferedTools, Strictness};
use runward_mcp::http::{self, BearerToken, Reach};
use runward_mcp::{Flows, Offer, Profile, ServerState, stdio};
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// What to serve, and how.
pub(super) struct Serving {
    pub(super) offer: Offer,
    pub(super) flows: Option<Flows>,
    pub(super) workspace: PathBuf,
    pub(super) http: Option<SocketAddr>,
    pub(super) allow_remote: bool,
    pub(super) servers: Option<Servers>,
}

pub(super) fn run(args: &McpArgs, file: Option<&Path>) -> VerbResult {
    let presets = args.presets.presets.clone();
    let rules = TypedRules { presets, level: args.level, folder: args.workspace.clone() };
    let setup = Setup::allowing(file, rules)?.tightened(&args.sandbox)?;
    let serving = Serving {
        offer: offer(args)?,
        flows: flows(args, &setup)?,
        workspace: workspace(args, &setup.facts)?,
        http: args.http,
        allow_remote: args.allow_remote,
        servers: servers(args, &setup.facts)?,
    };
    serve_house(&setup, file, serving)
}

/// Serves until the client is gone or we are told to end.
pub(super) fn serve_house(setup: &Setup, file: Option<&Path>, serving: Serving) -> VerbResult {
    let Serving { offer, flows, workspace, http, allow_remote, servers } = serving;
    let engine = setup.engine(SpoolChoice::ToDisk)?;
    // Read before anything runs: a broken list starts nothing.
    let roster = servers.as_ref().map(|servers| servers.read(&setup.facts)).transpose()?;
    let sessions = Sessions::new(engine.clone(), SessionRules::default());
    let languages = setup.settings.languages();
    let server = ServerState::new(sessions.clone(), offer.clone(), workspace.clone(), languages, flows);
    server.set_policy(opened(setup.settings.policy(), &offer, &workspace));
    server.answer_with(setup.answers());
    if http.is_none() && io::stdin().is_terminal() {
        told_on_a_terminal(setup);
    } else if server.refuses_everything() {
        tell(NO_RULES);
    }
    let terms = servers.as_ref().map(|servers| servers.terms(&engine, setup)).transpose()?;
    let runtime = runtime(http)?;
    let reach = if allow_remote { Reach::Remote } else { Reach::Loopback };
    let door = ServerDoor { http, reach, bounds: setup.settings.server_bounds() };
    let done = runtime.block_on(async {
        let gateway = terms.zip(roster).map(|(terms, roster)| Gateway::open(terms, roster));
        let children = gateway.clone().map(|gateway| -> Arc<dyn Children> { gateway });
        let joined = gateway.clone().zip(servers);
        let rereader = Rereader { setup, file, offer, workspace, server: Arc::clone(&server), joined };
        let done = tokio::select! {
            done = serve(server, gateway.clone(), door, &rereader) => done,
            done = offer_sessions(sessions, children, &setup.facts) => done,
        };
        // The reasons were all reported already.
        if gateway.is_some_and(|gateway| gateway.has_failed()) { Ok(125) } else { done }
    });
    // A thread that blocks must not hold us.
    runtime.shutdown_background();
    done
}

/// Where clients come in.
struct ServerDoor {
    http: Option<SocketAddr>,
    reach: Reach,
    bounds: ServerBounds,
}

/// One client is served fastest by one thread, which needs no wake-up; over HTTP there may be many.
fn runtime(http: Option<SocketAddr>) -> Result<Runtime, VerbFailure> {
    match http {
        None => threads::runtime(),
        Some(_) => threads::wide_runtime(2),
    }
}

/// For a person who started a server by hand, and now looks at a terminal that says nothing.
fn told_on_a_terminal(setup: &Setup) {
    tell("Serving MCP on standard input; a client starts this, see runward init. Ctrl-C ends it.");
    let rules = RulesInForce::of(&setup.settings, &setup.settings.policy());
    tell(&format!("Rules: {}.", rules.sentence()));
}

/// Tools that are allowed by offering them; a list of commands, where there is one, governs them all the same.
const OPENED_BY_CHOICE: [&str; 2] = ["exec_command", "exec"];

fn opened(policy: Policy, offer: &Offer, workspace: &Path) -> Policy {
    let policy = Policy { workspace: Some(workspace.to_owned()), ..policy };
    let chosen = OPENED_BY_CHOICE.iter().filter(|tool| offer.has(tool));
    chosen.fold(policy, |policy, tool| policy.grant(*tool, "the operator chose to offer this tool"))
}

async fn serve(
    server: Arc<ServerState>,
    gateway: Option<Arc<Gateway>>,
    door: ServerDoor,
    rereader: &Rereader<'_>,
) -> VerbResult {
    let orders =
        Orders::listen().map_err(|error| VerbFailure::lacking("signals cannot be received", &error))?;
    let end = obey(orders, rereader);
    match door.http {
        None => {
            let streams = stdio::open(door.bounds);
            let streams = streams
                .map_err(|error| VerbFailure::host("standard input and output cannot be used", &error))?;
            Ok(streams.telling(tell).serve(server, gateway, end).await.map_or(0, code_of))
        }
        Some(address) => {
            let listening = http::listen(address, door.reach, door.bounds).await?;
            let token = token(&rereader.setup.facts)?;
            tell(&format!("listening on http://{}{}", listening.address(), http::PATH));
            Ok(listening.serve(server, gateway, token, end).await.map_or(125, code_of))
        }
    }
}

/// Serves until it is told to end.
async fn obey(mut orders: Orders, rereader: &Rereader<'_>) -> Interrupt {
    loop {
        match orders.next().await {
            OperatorOrder::Reread => rereader.reread(),
            OperatorOrder::End(interrupt) => return interrupt,
        }
    }
}

/// Lets `runward ps` and the like see the sessions, as long as this future is polled. A server serves all the same
/// where that is not possible.
async fn offer_sessions(
    sessions: Sessions,
    children: Option<Arc<dyn Children>>,
    facts: &HostFacts,
) -> VerbResult {
    if let Some(folder) = places::run_folder(facts)
        && let Err(error) = control::serve(sessions, children, &control::socket_path(&folder)).await
    {
        tell(&format!("`runward ps` cannot see this server's sessions: {error}"));
    }
    std::future::pending().await
}

fn offer(args: &McpArgs) -> Result<Offer, VerbFailure> {
    if !args.tools.is_empty() {
        return Ok(Offer::named(&args.tools)?);
    }
    let profile = Profile::ALL.iter().find(|(name, _)| *name == args.profile);
    Ok(Offer::of(profile.map(|(_, profile)| *profile).unwrap_or_default()))
}

/// The child servers to join, if any were named.
fn servers(args: &McpArgs, facts: &HostFacts) -> Result<Option<Servers>, VerbFailure> {
    let Some(file) = &args.servers else { return Ok(None) };
    Ok(Some(Servers {
        file: Servers::file(Some(file), facts, "--servers")?,
        listed: Servers::listed(Some(file), args.ask),
        separator: Separator::new(&args.separator)?,
        strictness: if args.strict { Strictness::FailFast } else { Strictness::Degrade },
        offered: OfferedTools::Listed,
        debug: false,
        log_file: None,
        name: None,
    }))
}

/// The workspace, which must be there.
fn workspace(args: &McpArgs, facts: &HostFacts) -> Result<PathBuf, VerbFailure> {
    let Some(asked) = &args.workspace else { return Ok(facts.cwd.clone()) };
    directory(asked, facts).ok_or_else(|| {
        let message = format!("the workspace `{}` is not a directory", asked.display());
        VerbFailure::bad_value(message, "Name a directory that exists with `--workspace`.")
    })
}

/// The agents to offer; their folders must exist.
fn flows(args: &McpArgs, setup: &Setup) -> Result<Option<Flows>, VerbFailure> {
    let mut folders = Vec::new();
    for asked in &args.flows {
        let folder = directory(asked, &setup.facts).ok_or_else(|| {
            let message = format!("the folder of agents `{}` is not a directory", asked.display());
            VerbFailure::bad_value(message, "Name a directory that exists with `--flows`.")
        })?;
        // Named twice, its agents are there once.
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let offered = || Flows::new(folders, setup.settings.clone(), &setup.facts, tell);
    Ok((!args.flows.is_empty()).then(offered))
}

fn directory(asked: &Path, facts: &HostFacts) -> Option<PathBuf> {
    let real = Disk.real_path(&facts.naming.join(&facts.cwd, asked));
    real.filter(|path| Disk.kind(path) == Some(FileKind::Directory))
}

/// The token of the environment, or a new one, printed once.
fn token(facts: &HostFacts) -> Result<BearerToken, VerbFailure> {
    match facts.env_var("RUNWARD_TOKEN").and_then(|token| token.to_str()).filter(|token| !token.is_empty()) {
        Some(token) => Ok(BearerToken::given(token)),
        None => {
            let token =
                BearerToken::random().map_err(|error| VerbFailure::host("no token could be made", &error))?;
            tell(&format!("bearer token: {}", token.reveal()));
            Ok(token)
        }
    }
}
