//! A remote child server: messages over streamable HTTP.
//!
//! The SDK speaks the transport: sessions, streams and their resumption. Requests are made by [`FarClient`], which bounds
//! the answers. A message that the server does not take is an
//! error answer to its caller; a server that cannot be reached, refuses us, or does not even take a
//! ping, is gone. Redirections are not followed: configured headers are meant for one host. May not know what a message
//! means.

use super::aside::Aside;
use super::config::RemoteServer;
use super::far::{FarClient, OURS};
use super::link::Outgoing;
use super::talk::{self, ChildMessage};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{Transport, WorkerTransport};
use rmcp::{ErrorData, transport::streamable_http_client::StreamableHttpClientWorker};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// How many calls may be under way at once.
const AT_ONCE: usize = 256;
/// How many messages may be under way inside the SDK. Each may be as long as one can be.
const INSIDE: usize = 4;
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How long to wait, once it is over, for what was still being sent to fail.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The transport to a remote server.
pub(super) struct Web {
    transport: WorkerTransport<StreamableHttpClientWorker<FarClient>>,
    aside: Arc<Aside>,
    /// Until it is over. Unbounded itself: there is no more in it than was asked.
    unsent: Option<mpsc::UnboundedSender<Unsent>>,
    failures: mpsc::UnboundedReceiver<Unsent>,
    /// What went wrong last.
    trouble: Option<String>,
}

/// A message that could not be sent.
#[derive(Debug)]
struct Unsent {
    /// The id of the request, if it was one.
    id: Option<u64>,
    why: String,
    /// Whether the server is gone.
    gone: bool,
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").field("trouble", &self.trouble).finish_non_exhaustive()
    }
}

/// Prepares the transport. Nothing is sent yet; a failure is one sentence.
pub(super) fn reach(remote: &RemoteServer, most: usize) -> Result<Web, String> {
    // The first caller has made the same choice.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .build()
        .map_err(|error| format!("no HTTP client could be made: {error}"))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(remote.url.as_str())
        .custom_headers(headers(remote)?)
        .max_concurrent_requests(AT_ONCE)
        .max_sse_event_size(most)
        .reinit_on_expired_session(true);
    config.channel_buffer_capacity = INSIDE;
    let aside = Arc::<Aside>::default();
    let client = FarClient { client, most, aside: Arc::clone(&aside) };
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let (unsent, failures) = mpsc::unbounded_channel();
    Ok(Web { transport, aside, unsent: Some(unsent), failures, trouble: None })
}

fn headers(remote: &RemoteServer) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let read = |(name, value): (&String, &String)| {
        let header =
            HeaderName::try_from(name).map_err(|_| format!("`{name}` is not a name for a header"))?;
        if OURS.contains(&header) {
            return Err(format!("the header `{name}` is written by the gateway itself"));
        }
        let mut value = HeaderValue::try_from(value).map_err(|_| {
            format!("the value of the header `{name}` has characters that no header may have")
        })?;
        value.set_sensitive(true);
        Ok((header, value))
    };
    remote.headers.iter().map(read).collect()
}

impl Web {
    /// Sends a message. Never waits.
    pub(super) fn send(&mut self, Outgoing { message, place }: Outgoing) {
        let Some(unsent) = self.unsent.clone() else { return };
        let id = message.get("method").and(message["id"].as_u64());
        if message["method"] == "notifications/cancelled"
            && let Some(id) = message["params"]["requestId"].as_u64()
        {
            self.aside.take(id);
        }
        if let Some(id) = id {
            self.aside.expect(id);
        }
        // A request is under way until it is answered, and others must not wait for that.
        let place = Some(place).filter(|_| id.is_none());
        let ping = message["method"] == "ping";
        let fail = move |why: String, gone: bool| drop(unsent.send(Unsent { id, why, gone }));
        match serde_json::from_value::<ClientJsonRpcMessage>(message) {
            Ok(message) => {
                let sending = self.transport.send(message);
                tokio::spawn(async move {
                    if let Err(error) = sending.await {
                        fail(said(&error), ping || is_gone(&error));
                    }
                    drop(place);
                });
            }
            Err(error) => fail(error.to_string(), false),
        }
    }

    /// Why it has to be stopped, if it has.
    pub(super) fn fault(&self) -> Option<String> {
        self.aside.fault()
    }

    /// The next message; `None` once it is over. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<ChildMessage> {
        while self.unsent.is_some() {
            let said = tokio::select! {
                biased;
                Some(Unsent { id, why, gone }) = self.failures.recv() => {
                    self.trouble = Some(why.clone());
                    if let Some(id) = id {
                        self.aside.take(id);
                    }
                    match id {
                        _ if gone => break,
                        Some(id) => return Some(ChildMessage::Answer { id, result: Err(ErrorData::internal_error(why, None)) }),
                        None => continue,
                    }
                }
                () = self.aside.given_up() => break,
                said = self.transport.receive() => said,
            };
            if let Some(answer) = said.as_ref().and_then(|said| self.kept(said)) {
                return Some(answer);
            }
            let Some(said) = said.and_then(|said| serde_json::to_value(said).ok()) else { break };
            if said.get("error").is_some() && said["id"].is_null() {
                // It does not know our session any more: most likely it was restarted.
                self.trouble = Some(format!("it said: {}", said["error"]["message"]));
                break;
            }
            // What the SDK has parsed can be serialized again; what could not be parsed says nothing.
            if let Ok(said) = talk::reread(said) {
                return Some(said);
            }
        }
        self.last_words().await;
        None
    }

    /// The answer that was kept aside, if the SDK carried an empty one.
    fn kept(&self, said: &ServerJsonRpcMessage) -> Option<ChildMessage> {
        let id = match said {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => error.id.as_ref()?,
            _ => return None,
        };
        let RequestId::Number(id) = id else { return None };
        self.aside.take(u64::try_from(*id).ok()?)
    }

    /// What was on its way when it ended may say why.
    async fn last_words(&mut self) {
        self.unsent = None;
        let rest = async {
            while let Some(Unsent { why, .. }) = self.failures.recv().await {
                self.trouble.get_or_insert(why);
            }
        };
        let _ = tokio::time::timeout(LAST_WORDS, rest).await;
    }

    /// Ends it, and says how it ended.
    pub(super) async fn end(mut self) -> String {
        // If the server cannot be told, the session there ends with its timeout.
        let _ = tokio::time::timeout(CONNECT, self.transport.close()).await;
        match self.aside.fault().or(self.trouble) {
            Some(trouble) => format!("the connection is closed: {trouble}"),
            None => "the connection is closed".to_owned(),
        }
    }
}

/// Whether nothing more can be expected of the server. What is about one message is not.
fn is_gone(error: &StreamableHttpError<reqwest::Error>) -> bool {
    use StreamableHttpError as Http;
    matches!(
        error,
        Http::Client(_)
            | Http::AuthRequired(_)
            | Http::InsufficientScope(_)
            | Http::SessionExpired
            | Http::SessionRecoveryTimeout
            | Http::ReinitializationFailed(_)
    )
}

/// An error in words, with the status where the SDK leaves it out.
fn said(error: &StreamableHttpError<reqwest::Error>) -> String {
    let status = match error {
        StreamableHttpError::AuthRequired(_) => "HTTP 401 Unauthorized: ",
        StreamableHttpError::InsufficientScope(_) => "HTTP 403 Forbidden: ",
        _ => "",
    };
    format!("{status}{}", chain(error))
}

/// An error with its causes.
fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let mut all: Vec<String> = causes.map(ToString::to_string).collect();
    all.dedup();
    all.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn headers_that_cannot_be_sent_are_named() {
        let remote = |name: &str, value: &str| RemoteServer {
            url: "http://127.0.0.1:9/mcp".to_owned(),
            headers: [(name.to_owned(), value.to_owned())].into(),
        };
        let reach = |name: &str, value: &str| reach(&remote(name, value), 1 << 20).unwrap_err();
        assert_eq!(reach("a b", "x"), "`a b` is not a name for a header");
        assert!(reach("a", "x\ny").starts_with("the value of the header `a`"));
        assert_eq!(reach("Accept", "x"), "the header `Accept` is written by the gateway itself");
    }

    #[tokio::test]
    async fn whoever_asks_a_server_that_is_not_there_hears_so() {
        let remote = RemoteServer { url: "http://127.0.0.1:9/mcp".to_owned(), ..RemoteServer::default() };
        let mut web = reach(&remote, 1 << 20).unwrap();
        let host = super::super::host::ClientProxy::silent(rmcp::model::Implementation::new("t", "1"));
        let hello = serde_json::json!({"protocolVersion": "2025-11-25", "capabilities": host.can, "clientInfo": host.name});
        let message = talk::question(1, "initialize", hello);
        web.send(Outgoing { message, place: super::super::backlog::BacklogPlace::default() });
        // Either the request fails, or the whole transport is over.
        match web.next().await {
            Some(ChildMessage::Answer { id: 1, result: Err(_) }) | None => {}
            other => panic!("{other:?}"),
        }
    }
}
