//! Many clients over streamable HTTP: a token for whoever asks, and nobody from elsewhere unless that was said.
//!
//! Each connection is a client of its own. May not serve a request without the token, with a foreign `Host`, or
//! with an `Origin` that is not this server's own.

mod token;

pub use token::Token;

use crate::client::Client;
use crate::gateway::{Gateway, Joined, Typed};
use crate::server::{Desk, Server};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use runward::sessions::SessionRules;
use runward::{Code, Coded};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Bytes of one request's body, at most.
const REQUEST_BYTES: usize = 16 * 1024 * 1024;

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
    /// The address can be reached from elsewhere, and nobody allowed that.
    Remote(SocketAddr),
    /// The host would not let us.
    Host(SocketAddr, std::io::Error),
}

impl std::fmt::Display for ListenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ListenError::Remote(address) => write!(f, "`{address}` can be reached from other machines"),
            ListenError::Host(address, _) => write!(f, "nobody can listen on `{address}`"),
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
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    reach: Reach,
}

/// Listens on an address.
pub async fn listen(address: SocketAddr, reach: Reach) -> Result<Listening, ListenError> {
    if reach == Reach::Loopback && !address.ip().is_loopback() {
        return Err(ListenError::Remote(address));
    }
    let failed = |error| ListenError::Host(address, error);
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok(Listening { listener, address, reach })
}

impl Listening {
    /// Where it is; the port is the real one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` comes; nothing is left running.
    ///
    /// With a gateway, each client has children of its own, and what they offer is offered to it too.
    pub async fn serve<T>(
        self,
        desk: Arc<Desk>,
        gateway: Option<Arc<Gateway>>,
        token: Token,
        stop: impl Future<Output = T>,
    ) -> Option<T> {
        let closing = CancellationToken::new();
        let rules = rules(self.reach, self.address).with_cancellation_token(closing.clone());
        let gate = Gate { token, hosts: hosts(self.reach, self.address).into() };
        let router = router(Arc::clone(&desk), gateway.clone(), gate, rules);
        let stopped = tokio::select! {
            stopped = stop => Some(stopped),
            // Accepting does not end by itself.
            _ = async { axum::serve(self.listener, router).await } => None,
        };
        gateway.iter().for_each(|gateway| gateway.close());
        desk.close().await;
        closing.cancel();
        stopped
    }
}

/// Which requests are looked at.
fn rules(reach: Reach, address: SocketAddr) -> StreamableHttpServerConfig {
    let own = [format!("http://{address}"), format!("http://localhost:{}", address.port())];
    let rules = StreamableHttpServerConfig::default()
        .enforce_origin_validation()
        .with_allowed_origins(own)
        .with_max_request_body_bytes(REQUEST_BYTES);
    match reach {
        Reach::Loopback => rules,
        // Nobody knows under which names we are reached; the token is asked for all the same.
        Reach::Remote => rules.disable_allowed_hosts(),
    }
}

/// What a request must show to be looked at.
#[derive(Clone)]
struct Gate {
    token: Token,
    /// Every `Host` that means us; none where nobody knows under which names we are reached.
    hosts: Arc<[String]>,
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

impl Gate {
    /// Whether a request names us, in its header and, where it has one, in its address.
    fn is_ours(&self, request: &Request) -> bool {
        let header = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let address = request.uri().authority().map(|authority| authority.as_str());
        let ours = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        self.hosts.is_empty()
            || (header.is_some() || address.is_some()) && header.is_none_or(ours) && address.is_none_or(ours)
    }
}

fn router(
    desk: Arc<Desk>,
    gateway: Option<Arc<Gateway>>,
    gate: Gate,
    rules: StreamableHttpServerConfig,
) -> Router {
    let (common, all) = (Arc::new(Client::default()), Arc::new(connections()));
    let house = move || Server::sharing(Arc::clone(&desk), Arc::clone(&common));
    let router = match gateway {
        None => {
            let server = move || Ok(house());
            Router::new().nest_service(PATH, StreamableHttpService::new(server, all, rules))
        }
        Some(gateway) => {
            let server = move || Ok(Typed(Joined::new(house(), Arc::clone(&gateway))));
            Router::new().nest_service(PATH, StreamableHttpService::new(server, all, rules))
        }
    };
    router.layer(middleware::from_fn_with_state(gate, admit))
}

/// Connections: each ends, and its sessions with it, when nothing was heard for as long as finished ones are kept.
fn connections() -> LocalSessionManager {
    let mut connections = LocalSessionManager::default();
    connections.session_config.keep_alive = Some(SessionRules::default().keep_for);
    connections
}

/// Lets a request through that means us and shows the token.
async fn admit(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    if !gate.is_ours(&request) {
        return (StatusCode::FORBIDDEN, "the host of the request is not this server\n").into_response();
    }
    let shown = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let shown = shown.and_then(|value| value.strip_prefix("Bearer "));
    if shown.is_some_and(|shown| gate.token.is(shown)) {
        return next.run(request).await;
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
        let error = listen(everywhere, Reach::Loopback).await.unwrap_err();
        assert_eq!(error.to_string(), "`0.0.0.0:0` can be reached from other machines");
        assert!(error.hint().unwrap().contains("--allow-remote"));
        assert!(listen(everywhere, Reach::Remote).await.is_ok());
        let here = listen("127.0.0.1:0".parse().unwrap(), Reach::Loopback).await.unwrap();
        assert_ne!(here.address().port(), 0);
        let taken = listen(here.address(), Reach::Loopback).await.unwrap_err();
        assert!(taken.to_string().contains("nobody can listen"));
    }
}
