//! `runward mcp`: serve tools to an agent, on stdio or over HTTP, until the client is gone or we are told to end.
//!
//! Reads what was typed and configured and passes it in. May not speak the protocol.

mod reread;

use super::{Done, code_of};
use crate::args::McpArgs;
use crate::house::{House, Spooling};
use crate::output::{Failure, tell};
use crate::places;
use crate::verbs::gateway::Servers;
use reread::Rereader;
use runward::control::Children;
use runward::core::facts::{FileKind, Look};
use runward::host::{Disk, Interrupt, Order, Orders};
use runward::sessions::{SessionRules, Sessions};
use runward::{HostFacts, Policy, control};
use runward_mcp::gateway::names::Separator;
use runward_mcp::gateway::{Gateway, Strictness};
use runward_mcp::http::{self, Reach, Token};
use runward_mcp::{Desk, Flows, Offer, Profile, stdio};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// What to serve, and how.
pub(super) struct Serving {
    pub(super) offer: Offer,
    pub(super) flows: Option<Flows>,
    pub(super) workspace: PathBuf,
    pub(super) http: Option<SocketAddr>,
    pub(super) allow_remote: bool,
    pub(super) servers: Option<Servers>,
}

pub(super) fn run(args: &McpArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?.allowing(&args.presets.presets);
    let serving = Serving {
        offer: offer(args)?,
        flows: flows(args, &house)?,
        workspace: workspace(args, &house.facts)?,
        http: args.http,
        allow_remote: args.allow_remote,
        servers: servers(args, &house.facts)?,
    };
    serve_house(&house, file, serving)
}

/// Serves until the client is gone or we are told to end.
pub(super) fn serve_house(house: &House, file: Option<&Path>, serving: Serving) -> Done {
    let Serving { offer, flows, workspace, http, allow_remote, servers } = serving;
    let engine = house.engine(Spooling::ToDisk)?;
    // Read before anything runs: a broken list starts nothing.
    let roster = servers.as_ref().map(|servers| servers.read(&house.facts)).transpose()?;
    let sessions = Sessions::new(engine.clone(), SessionRules::default());
    let languages = house.settings.languages();
    let desk = Desk::new(sessions.clone(), offer.clone(), workspace.clone(), languages, flows);
    desk.set_policy(opened(house.policy(&house.settings), &offer, &workspace));
    if !house.settings.masks_answers() {
        desk.show_secrets();
    }
    if desk.refuses_everything() {
        tell(NOTHING_RUNS);
    }
    let terms = servers.as_ref().map(|servers| servers.terms(&engine, &house.facts)).transpose()?;
    let runtime = runtime(http).map_err(|error| Failure::host("no runtime could be started", &error))?;
    let door = Door { http, reach: if allow_remote { Reach::Remote } else { Reach::Loopback } };
    let done = runtime.block_on(async {
        let gateway = terms.zip(roster).map(|(terms, roster)| Gateway::open(terms, roster));
        let children = gateway.clone().map(|gateway| -> Arc<dyn Children> { gateway });
        let joined = gateway.clone().zip(servers);
        let rereader = Rereader { house, file, offer, workspace, desk: Arc::clone(&desk), joined };
        let done = tokio::select! {
            done = serve(desk, gateway.clone(), door, &rereader) => done,
            done = offer_sessions(sessions, children, &house.facts) => done,
        };
        // Every sentence about why was told already.
        if gateway.is_some_and(|gateway| gateway.has_failed()) { Ok(125) } else { done }
    });
    // A read of standard input that nobody answers must not hold us.
    runtime.shutdown_background();
    done
}

/// Where clients come in.
struct Door {
    http: Option<SocketAddr>,
    reach: Reach,
}

/// One client is served fastest by one thread, which nobody has to wake; over HTTP there may be many.
fn runtime(http: Option<SocketAddr>) -> io::Result<Runtime> {
    match http {
        None => Builder::new_current_thread().enable_all().build(),
        Some(_) => Builder::new_multi_thread().worker_threads(2).enable_all().build(),
    }
}

/// What is said at the start of a server that would refuse every command.
const NOTHING_RUNS: &str = "no command is allowed here, so every call will be refused: start the server with `--preset readonly` \
    (or `--preset build` besides), or set ALLOWED_COMMANDS";

/// Tools that choosing to offer them opens; a list of commands, where there is one, governs them all the same.
const OPENED_BY_CHOICE: [&str; 2] = ["exec_command", "exec"];

fn opened(policy: Policy, offer: &Offer, workspace: &Path) -> Policy {
    let policy = Policy { workspace: Some(workspace.to_owned()), ..policy };
    let chosen = OPENED_BY_CHOICE.iter().filter(|tool| offer.has(tool));
    chosen.fold(policy, |policy, tool| policy.grant(*tool, "the operator chose to offer this tool"))
}

async fn serve(desk: Arc<Desk>, gateway: Option<Arc<Gateway>>, door: Door, rereader: &Rereader<'_>) -> Done {
    let orders = Orders::listen().map_err(|error| Failure::host("no signal can be heard", &error))?;
    let end = obey(orders, rereader);
    match door.http {
        None => Ok(stdio::serve(desk, gateway, end).await.map_or(0, code_of)),
        Some(address) => {
            let listening = http::listen(address, door.reach).await?;
            let token = token(&rereader.house.facts)?;
            tell(&format!("listening on http://{}{}", listening.address(), http::PATH));
            Ok(listening.serve(desk, gateway, token, end).await.map_or(125, code_of))
        }
    }
}

/// Does what it is told until that is to end.
async fn obey(mut orders: Orders, rereader: &Rereader<'_>) -> Interrupt {
    loop {
        match orders.next().await {
            Order::Reread => rereader.reread(),
            Order::End(interrupt) => return interrupt,
        }
    }
}

/// Lets `runward ps` and its kin see the sessions, for as long as this is waited for. A server serves all the same
/// where that cannot be had.
async fn offer_sessions(sessions: Sessions, children: Option<Arc<dyn Children>>, facts: &HostFacts) -> Done {
    if let Some(folder) = places::run_folder(facts)
        && let Err(error) = control::serve(sessions, children, &control::socket_path(&folder)).await
    {
        tell(&format!("`runward ps` cannot see this server's sessions: {error}"));
    }
    std::future::pending().await
}

fn offer(args: &McpArgs) -> Result<Offer, Failure> {
    if !args.tools.is_empty() {
        return Ok(Offer::named(&args.tools)?);
    }
    let profile = Profile::ALL.iter().find(|(name, _)| *name == args.profile);
    Ok(Offer::of(profile.map(|(_, profile)| *profile).unwrap_or_default()))
}

/// The child servers to join, if any were named.
fn servers(args: &McpArgs, facts: &HostFacts) -> Result<Option<Servers>, Failure> {
    let Some(file) = &args.servers else { return Ok(None) };
    Ok(Some(Servers {
        file: Servers::file(Some(file), facts, "--servers")?,
        listed: Servers::listed(Some(file), args.ask),
        separator: Separator::new(&args.separator)?,
        strictness: if args.strict { Strictness::FailFast } else { Strictness::Degrade },
        debug: false,
        log_file: None,
        name: None,
    }))
}

/// The workspace, which must be there.
fn workspace(args: &McpArgs, facts: &HostFacts) -> Result<PathBuf, Failure> {
    let Some(asked) = &args.workspace else { return Ok(facts.cwd.clone()) };
    directory(asked, facts).ok_or_else(|| {
        let message = format!("the workspace `{}` is not a directory", asked.display());
        Failure::bad_value(message, "Name a directory that exists with `--workspace`.")
    })
}

/// The agents to offer, whose folders must be there.
fn flows(args: &McpArgs, house: &House) -> Result<Option<Flows>, Failure> {
    let mut folders = Vec::new();
    for asked in &args.flows {
        let folder = directory(asked, &house.facts).ok_or_else(|| {
            let message = format!("the folder of agents `{}` is not a directory", asked.display());
            Failure::bad_value(message, "Name a directory that exists with `--flows`.")
        })?;
        // Named twice, its agents are there once.
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let offered = || Flows::new(folders, house.settings.clone(), &house.facts, tell);
    Ok((!args.flows.is_empty()).then(offered))
}

fn directory(asked: &Path, facts: &HostFacts) -> Option<PathBuf> {
    let real = Disk.real_path(&facts.naming.join(&facts.cwd, asked));
    real.filter(|path| Disk.kind(path) == Some(FileKind::Directory))
}

/// The token of the environment, or a new one, told once.
fn token(facts: &HostFacts) -> Result<Token, Failure> {
    match facts.env_var("RUNWARD_TOKEN").and_then(|token| token.to_str()).filter(|token| !token.is_empty()) {
        Some(token) => Ok(Token::given(token)),
        None => {
            let token = Token::random().map_err(|error| Failure::host("no token could be made", &error))?;
            tell(&format!("bearer token: {}", token.reveal()));
            Ok(token)
        }
    }
}
