//! Many clients over streamable HTTP: each request needs a token, and other machines are refused unless allowed.
//!
//! Each session is a client of its own. How many connections there are, and how long they may take, is bounded before
//! a request shows its token. May not serve a request without the token, with a foreign `Host`, or
//! with an `Origin` that is not this server's own.

mod accept;
mod body;
mod connections;
mod token;

pub use token::BearerToken;

use crate::client::ClientState;
use crate::gateway::{Gateway, Joined, TypedGateway};
use crate::server::{McpServer, ServerState};
use accept::Acceptance;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use runward_engine::config::ServerBounds;
use runward_engine::registry::SessionRules;
use runward_engine::{Code, Coded};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Connections may have this part of the files that the server may have open: the rest is for commands.
const SHARE: u64 = 4;

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";

/// From where clients may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This machine.
    Loopback,
    /// Anywhere; the operator said so.
    Remote,
}

/// The server could not listen.
#[derive(Debug)]
pub enum ListenError {
    /// The address can be reached from other machines, and that was not allowed.
    Remote(SocketAddr),
    /// The host does not let us.
    Host(SocketAddr, std::io::Error),
}

impl std::fmt::Display for ListenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ListenError::Remote(address) => write!(f, "`{address}` can be reached from other machines"),
            ListenError::Host(address, _) => write!(f, "cannot listen on `{address}`"),
        }
    }
}

impl std::error::Error for ListenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ListenError::Remote(_) => None,
            ListenError::Host(_, error) => Some(error),
        }
    }
}

impl Coded for ListenError {
    fn code(&self) -> Code {
        Code::SpecBadValue
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            ListenError::Remote(_) => "Use `127.0.0.1`, or allow it with `--allow-remote`.".to_owned(),
            ListenError::Host(..) => "Choose an address of this machine and a free port.".to_owned(),
        })
    }
}

/// A server that listens and does not serve yet.
#[derive(Debug)]
pub struct HttpListener {
    listener: TcpListener,
    address: SocketAddr,
    reach: Reach,
    bounds: ServerBounds,
}

/// Listens on an address.
pub async fn listen(
    address: SocketAddr,
    reach: Reach,
    bounds: ServerBounds,
) -> Result<HttpListener, ListenError> {
    if reach == Reach::Loopback && !address.ip().is_loopback() {
        return Err(ListenError::Remote(address));
    }
    let failed = |error| ListenError::Host(address, error);
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok(HttpListener { listener, address, reach, bounds })
}

impl HttpListener {
    /// Where it is; the port is the real one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` comes; nothing is left running.
    ///
    /// With a gateway, each client has children of its own, and what they offer is offered to it too.
    pub async fn serve<T>(
        self,
        state: Arc<ServerState>,
        gateway: Option<Arc<Gateway>>,
        token: BearerToken,
        stop: impl Future<Output = T>,
    ) -> Option<T> {
        let closing = CancellationToken::new();
        let Self { listener, address, reach, bounds } = self;
        let rules = rules(reach, address)
            .with_max_request_body_bytes(bounds.request_bytes)
            .with_cancellation_token(closing.clone());
        let (most, header_time) = (connections_of(&bounds), bounds.header_time);
        let gate = HttpGate { token, hosts: hosts(reach, address).into(), bounds };
        let router = router(Arc::clone(&state), gateway.clone(), gate, rules);
        let stopped = tokio::select! {
            stopped = stop => Some(stopped),
            // Accepting does not end by itself.
            () = Acceptance { listener, router, most, header_time }.run() => None,
        };
        gateway.iter().for_each(|gateway| gateway.close());
        state.close().await;
        closing.cancel();
        stopped
    }
}

/// The limit of connections: the configured one, and never so many that commands run out of files.
fn connections_of(bounds: &ServerBounds) -> usize {
    let share = runward_engine::host::open_files_limit().map(|files| files / SHARE);
    share
        .and_then(|share| usize::try_from(share).ok())
        .map_or(bounds.connections, |share| bounds.connections.min(share))
}

/// Which requests are accepted.
fn rules(reach: Reach, address: SocketAddr) -> StreamableHttpServerConfig {
    let own = [format!("http://{address}"), format!("http://localhost:{}", address.port())];
    let rules = StreamableHttpServerConfig::default().enforce_origin_validation().with_allowed_origins(own);
    match reach {
        Reach::Loopback => rules,
        // The names under which we are reached are not known; the token is needed all the same.
        Reach::Remote => rules.disable_allowed_hosts(),
    }
}

/// What a request must have to be accepted.
#[derive(Clone)]
struct HttpGate {
    token: BearerToken,
    /// Every `Host` that means us; none where the names under which we are reached are not known.
    hosts: Arc<[String]>,
    bounds: ServerBounds,
}

/// The names under which this machine reaches us, each whole: a page elsewhere could name a host that only begins so.
fn hosts(reach: Reach, address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let names = ["127.0.0.1".to_owned(), "localhost".to_owned(), "[::1]".to_owned()];
    let with_port = names.iter().map(|name| format!("{name}:{port}")).chain([address.to_string()]);
    let without = names.iter().filter(|_| port == 80).cloned();
    match reach {
        Reach::Loopback => with_port.chain(without).collect(),
        Reach::Remote => Vec::new(),
    }
}

impl HttpGate {
    /// Whether a request names us, in its header and, where it has one, in its URL.
    fn is_ours(&self, request: &Request) -> bool {
        let header = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let address = request.uri().authority().map(|authority| authority.as_str());
        let ours = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        self.hosts.is_empty()
            || (header.is_some() || address.is_some()) && header.is_none_or(ours) && address.is_none_or(ours)
    }
}

fn router(
    state: Arc<ServerState>,
    gateway: Option<Arc<Gateway>>,
    gate: HttpGate,
    rules: StreamableHttpServerConfig,
) -> Router {
    let (common, all) = (Arc::new(ClientState::default()), Arc::new(connections()));
    let own = move || McpServer::sharing(Arc::clone(&state), Arc::clone(&common));
    let router = match gateway {
        None => {
            let server = move || Ok(own());
            Router::new().nest_service(PATH, StreamableHttpService::new(server, all, rules))
        }
        Some(gateway) => {
            let server = move || Ok(TypedGateway(Joined::new(own(), Arc::clone(&gateway))));
            Router::new().nest_service(PATH, StreamableHttpService::new(server, all, rules))
        }
    };
    router.layer(middleware::from_fn_with_state(gate, admit))
}

/// Connections: each ends, and its sessions with it, after as long without a request as finished ones are kept.
fn connections() -> LocalSessionManager {
    let mut connections = LocalSessionManager::default();
    connections.session_config.keep_alive = Some(SessionRules::default().keep_for);
    connections
}

/// Lets a request through that names us and has the token.
async fn admit(State(gate): State<HttpGate>, request: Request, next: Next) -> Response {
    if !gate.is_ours(&request) {
        return (StatusCode::FORBIDDEN, "the host of the request is not this server\n").into_response();
    }
    let shown = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let shown = shown.and_then(|value| value.strip_prefix("Bearer "));
    if shown.is_some_and(|shown| gate.token.is(shown)) {
        accept::trust(&request);
        let (parts, body) = request.into_parts();
        return match body::whole(body, gate.bounds.request_bytes, gate.bounds.body_time).await {
            Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
            Err(none) => none.into_response(),
        };
    }
    let asked = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, asked, "a bearer token is needed\n").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_that_others_reach_must_be_allowed() {
        let everywhere: SocketAddr = "0.0.0.0:0".parse().unwrap();
        let error = listen(everywhere, Reach::Loopback, ServerBounds::default()).await.unwrap_err();
        assert_eq!(error.to_string(), "`0.0.0.0:0` can be reached from other machines");
        assert!(error.hint().unwrap().contains("--allow-remote"));
        assert!(listen(everywhere, Reach::Remote, ServerBounds::default()).await.is_ok());
        let here =
            listen("127.0.0.1:0".parse().unwrap(), Reach::Loopback, ServerBounds::default()).await.unwrap();
        assert_ne!(here.address().port(), 0);
        let taken = listen(here.address(), Reach::Loopback, ServerBounds::default()).await.unwrap_err();
        assert!(taken.to_string().contains("cannot listen"));
    }
}
