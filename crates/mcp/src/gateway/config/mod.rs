//! The list of child servers: the configurations of common clients, read as they are.
//!
//! `{"mcpServers": {KEY: {…}}}`, VS Code's `{"servers": {KEY: {…}}}` and `mcp.servers` of its settings, Zed's
//! `context_servers`; with comments and trailing commas. All problems are reported at once, each with its place. Other
//! keys at the top of a file are the client's own, and are ignored. May not read a file or the environment: both
//! are arguments. Read first: [`Roster`].

mod comments;
mod entry;
mod filter;
mod json;
mod known;
mod lists;
mod place;
mod problem;
mod reader;
#[cfg(test)]
mod tests;
pub mod written;

pub use filter::ToolFilter;
pub use problem::{BadConfig, ServerListProblem};

use super::expand::Environment;
use json::JsonAsWritten;
use place::JsonPath;
use reader::ServerListReader;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a call may take where nothing else is said: `timeout_ms`.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(600);
/// How long a child may take to start and answer `initialize`: `startup_timeout_ms`. A first `npx` downloads.
pub const STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

/// All servers of a configuration, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roster {
    /// The servers; no two have the same key.
    pub servers: Vec<Server>,
}

/// One child server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its key in the file, and the prefix of its tools' names.
    pub key: String,
    /// How it is reached.
    pub reach: ServerReach,
    /// When it is started.
    pub start: ServerStart,
    /// Which of its tools are shown.
    pub tools: ToolFilter,
    /// How long a call may take.
    pub timeout: Duration,
    /// How long it may take to start and answer `initialize`.
    pub startup_timeout: Duration,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerReach {
    /// It is started here; the transport is stdin and stdout.
    Command(Launch),
    /// It is remote; the transport is streamable HTTP.
    Address(RemoteServer),
}

/// The command of a server, its variables expanded unless the server is switched off.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Launch {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables over those it inherits.
    pub env: BTreeMap<String, String>,
    /// Its folder, as written.
    pub cwd: Option<String>,
}

/// The address of a server, its variables expanded unless the server is switched off.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteServer {
    /// `http://…` or `https://…`.
    pub url: String,
    /// Headers sent with each request.
    pub headers: BTreeMap<String, String>,
}

/// When a server is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServerStart {
    /// With the gateway.
    #[default]
    AtOnce,
    /// When it is first used: `lazy`.
    WhenUsed,
    /// Not at all: `disabled`.
    Never,
    /// Not before a person approves it.
    WhenAgreed,
}

impl Roster {
    /// Reads the text of a file; its name is for the problems.
    pub fn read(file: &str, text: &str, environment: &Environment<'_>) -> Result<Self, BadConfig> {
        let json = match json::parse(&comments::blanked(text)) {
            Ok(json) => json,
            Err(problem) => return Err(BadConfig::of(file, vec![problem])),
        };
        let mut reader = ServerListReader::new(environment);
        let servers = roster(&json, &mut reader);
        match reader.problems {
            problems if problems.is_empty() => Ok(Self { servers }),
            problems => Err(BadConfig::of(file, problems)),
        }
    }

    /// The servers that may be started.
    pub fn on(&self) -> impl Iterator<Item = &Server> {
        self.servers
            .iter()
            .filter(|server| matches!(server.start, ServerStart::AtOnce | ServerStart::WhenUsed))
    }

    /// The server of this key.
    pub fn server(&self, key: &str) -> Option<&Server> {
        self.servers.iter().find(|server| server.key == key)
    }
}

fn roster(json: &JsonAsWritten, reader: &mut ServerListReader<'_>) -> Vec<Server> {
    let top = JsonPath::top();
    let Some(members) = reader.object(json, &top) else { return Vec::new() };
    reader.no_key_twice(members, &top);
    let lists = lists::all(members);
    let [(place, list)] = lists.as_slice() else {
        reader.problem(&top, lists::wrong(members, &lists));
        return Vec::new();
    };
    let Some(servers) = reader.object(list, place) else { return Vec::new() };
    if servers.is_empty() {
        reader.problem(place, "expected at least one server".to_owned());
    }
    reader.no_key_twice(servers, place);
    servers.iter().filter_map(|(key, value)| entry::server(key, value, &place.key(key), reader)).collect()
}
