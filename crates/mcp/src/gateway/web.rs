//! A child server that runs elsewhere: messages over streamable HTTP.
//!
//! The SDK speaks the transport: sessions, streams and their resumption. A message that the server does not take is an
//! answer that says so, to whoever asked; a server that cannot be reached, lets us in no more, or does not even take a
//! ping, is gone. Redirections are not followed: configured headers are meant for one host. May not know what a message
//! means.

use super::config::Remote;
use super::talk::{self, Said};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{Transport, WorkerTransport};
use rmcp::{ErrorData, transport::streamable_http_client::StreamableHttpClientWorker};
use serde_json::Value;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;
use tokio::sync::mpsc;

/// The longest message of a child.
const LONGEST: usize = 256 * 1024 * 1024;
/// How many calls may be on their way at once.
const AT_ONCE: usize = 256;
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How long is waited, once it is over, for what was still being sent to fail.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The way to a server elsewhere.
pub(super) struct Web {
    transport: WorkerTransport<StreamableHttpClientWorker<reqwest::Client>>,
    /// Until it is over.
    unsent: Option<mpsc::UnboundedSender<Unsent>>,
    failures: mpsc::UnboundedReceiver<Unsent>,
    /// What went wrong last.
    trouble: Option<String>,
}

/// A message that could not be sent.
#[derive(Debug)]
struct Unsent {
    /// The number of the question, if it was one.
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

/// Prepares the way. Nothing is sent yet; a failure is one sentence.
pub(super) fn reach(remote: &Remote) -> Result<Web, String> {
    // Whoever was first has made the same choice.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .build()
        .map_err(|error| format!("no HTTP client could be made: {error}"))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(remote.url.as_str())
        .custom_headers(headers(remote)?)
        .max_concurrent_requests(AT_ONCE)
        .max_sse_event_size(LONGEST)
        .reinit_on_expired_session(true);
    config.channel_buffer_capacity = AT_ONCE;
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let (unsent, failures) = mpsc::unbounded_channel();
    Ok(Web { transport, unsent: Some(unsent), failures, trouble: None })
}

fn headers(remote: &Remote) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let read = |(name, value): (&String, &String)| {
        let header =
            HeaderName::try_from(name).map_err(|_| format!("`{name}` is not a name for a header"))?;
        let mut value = HeaderValue::try_from(value)
            .map_err(|_| format!("the value of the header `{name}` holds letters that no header can"))?;
        value.set_sensitive(true);
        Ok((header, value))
    };
    remote.headers.iter().map(read).collect()
}

impl Web {
    /// Says something. Never waits.
    pub(super) fn send(&mut self, message: Value) {
        let Some(unsent) = self.unsent.clone() else { return };
        let id = message.get("method").and(message["id"].as_u64());
        let ping = message["method"] == "ping";
        let fail = move |why: String, gone: bool| drop(unsent.send(Unsent { id, why, gone }));
        match serde_json::from_value::<ClientJsonRpcMessage>(message) {
            Ok(message) => {
                let sending = self.transport.send(message);
                tokio::spawn(async move {
                    if let Err(error) = sending.await {
                        fail(said(&error), ping || is_gone(&error));
                    }
                });
            }
            Err(error) => fail(error.to_string(), false),
        }
    }

    /// The next message; `None` once it is over. Can be given up and asked again.
    pub(super) async fn next(&mut self) -> Option<Said> {
        while self.unsent.is_some() {
            let said = tokio::select! {
                biased;
                Some(Unsent { id, why, gone }) = self.failures.recv() => {
                    self.trouble = Some(why.clone());
                    match id {
                        _ if gone => break,
                        Some(id) => return Some(Said::Answer { id, result: Err(ErrorData::internal_error(why, None)) }),
                        None => continue,
                    }
                }
                said = self.transport.receive() => said,
            };
            let Some(said) = said.and_then(|said| serde_json::to_value(said).ok()) else { break };
            if said.get("error").is_some() && said["id"].is_null() {
                // It does not know what we mean any more: most likely it was started anew.
                self.trouble = Some(format!("it said: {}", said["error"]["message"]));
                break;
            }
            // What the SDK has read can be written again; what could not be read as a message says nothing.
            if let Ok(said) = talk::reread(said) {
                return Some(said);
            }
        }
        self.last_words().await;
        None
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
        // The session there ends with its time if it cannot be told.
        let _ = tokio::time::timeout(CONNECT, self.transport.close()).await;
        match self.trouble {
            Some(trouble) => format!("the connection is over: {trouble}"),
            None => "the connection is over".to_owned(),
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
        let remote = |name: &str, value: &str| Remote {
            url: "http://127.0.0.1:9/mcp".to_owned(),
            headers: [(name.to_owned(), value.to_owned())].into(),
        };
        assert_eq!(reach(&remote("a b", "x")).unwrap_err(), "`a b` is not a name for a header");
        assert!(reach(&remote("a", "x\ny")).unwrap_err().starts_with("the value of the header `a`"));
    }

    #[tokio::test]
    async fn whoever_asks_a_server_that_is_not_there_hears_so() {
        let remote = Remote { url: "http://127.0.0.1:9/mcp".to_owned(), ..Remote::default() };
        let mut web = reach(&remote).unwrap();
        let host = super::super::host::Host::silent(rmcp::model::Implementation::new("t", "1"));
        web.send(talk::question(
            1,
            "initialize",
            &serde_json::json!({"protocolVersion": "2025-11-25", "capabilities": host.can, "clientInfo": host.name}),
        ));
        // Either the question fails, or the whole way is over.
        match web.next().await {
            Some(Said::Answer { id: 1, result: Err(_) }) | None => {}
            other => panic!("{other:?}"),
        }
    }
}
