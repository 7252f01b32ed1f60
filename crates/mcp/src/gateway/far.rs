//! HTTP requests to a remote server, with bounded answers.
//!
//! The SDK keeps the session, its streams and their resumption; here its requests are made, because its own HTTP
//! client takes an answer of any length. May not keep a session.

use super::aside::Aside;
use super::events::{self, Whose};
use super::lines::LineText;
use super::pipe::too_long;
use super::talk::{self, ChildMessage};
use futures_util::stream::BoxStream;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use reqwest::{Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient,
    StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use std::collections::HashMap;
use std::sync::Arc;

type Failure = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";
const BOTH: HeaderValue = HeaderValue::from_static("text/event-stream, application/json");
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
/// How much of the text of a refusal is read.
const WORDS: usize = 64 * 1024;
/// Headers that the operator may not set.
pub(super) const OURS: [HeaderName; 3] = [ACCEPT, SESSION, LAST_EVENT];

/// Makes requests.
#[derive(Debug, Clone)]
pub(super) struct FarClient {
    pub(super) client: reqwest::Client,
    /// The longest message.
    pub(super) most: usize,
    pub(super) aside: Arc<Aside>,
}

impl StreamableHttpClient for FarClient {
    type Error = reqwest::Error;

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        custom: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let mut headers = headers(custom, session.as_deref(), token.as_deref())?;
        if let Some(last) = last_event {
            headers.insert(LAST_EVENT, value(&last)?);
        }
        let response = self.client.get(uri.as_ref()).headers(headers).send().await?;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Err(Failure::ServerDoesNotSupportSse);
        }
        let response = let_in(response)?;
        if let Some(error) = troubled(&response) {
            return Err(error);
        }
        let response = response.error_for_status()?;
        let kind = kind(&response);
        if !kind.as_deref().is_some_and(|kind| kind.starts_with(EVENTS) || kind.starts_with(JSON)) {
            return Err(Failure::UnexpectedContentType(kind));
        }
        Ok(events::read(response, self.most, Whose::Anybodys, &self.aside))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        custom: Headers,
    ) -> Result<(), Failure> {
        self.client.delete_session(uri, session, token, custom).await
    }

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        custom: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let mut headers = headers(custom, session.as_deref(), token.as_deref())?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        let body = serde_json::to_vec(&message)?;
        let request = self.client.post(uri.as_ref()).headers(headers).body(body);
        let response = let_in(request.send().await?)?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session.is_some() {
            return Err(Failure::SessionExpired);
        }
        if !status.is_success() {
            return refused(response).await;
        }
        match Asked::of(&message) {
            // A notification gets no answer.
            Asked::Nothing => Ok(StreamableHttpPostResponse::Accepted),
            asked => self.answer(response, asked).await,
        }
    }
}

/// What a message expects.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Nothing,
    /// The answer to `initialize`, which the SDK has to read itself.
    Greeting,
    Question(u64),
}

impl Asked {
    fn of(message: &ClientJsonRpcMessage) -> Self {
        let ClientJsonRpcMessage::Request(request) = message else { return Self::Nothing };
        match (&request.request, &request.id) {
            (ClientRequest::InitializeRequest(_), _) => Self::Greeting,
            (_, RequestId::Number(id)) => u64::try_from(*id).map_or(Self::Greeting, Self::Question),
            (_, RequestId::String(_)) => Self::Greeting,
        }
    }
}

impl FarClient {
    async fn answer(&self, response: Response, asked: Asked) -> Result<StreamableHttpPostResponse, Failure> {
        let session = response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
        match kind(&response) {
            Some(kind) if kind.starts_with(EVENTS) => {
                let whose = match asked {
                    Asked::Question(id) => Whose::Answering(id),
                    Asked::Greeting | Asked::Nothing => Whose::Greeting,
                };
                let events = events::read(response, self.most, whose, &self.aside);
                Ok(StreamableHttpPostResponse::Sse(events, session))
            }
            Some(kind) if kind.starts_with(JSON) => {
                let message = self.message(response, asked).await?;
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            kind => Err(Failure::UnexpectedContentType(kind)),
        }
    }

    /// The one message in an answer.
    async fn message(&self, response: Response, asked: Asked) -> Result<ServerJsonRpcMessage, Failure> {
        let body = body(response, self.most).await?;
        let Asked::Question(id) = asked else {
            let body = body.ok_or_else(|| odd(format!("it {}", too_long(self.most))))?;
            return Ok(serde_json::from_slice(body.text())?);
        };
        let said = match body {
            None => ChildMessage::Useless { id, why: too_long(self.most) },
            Some(body) => talk::read(&body, self.most).map_err(|_| odd("it is not a message".to_owned()))?,
        };
        let said = match said {
            ChildMessage::Answer { id: theirs, .. } | ChildMessage::Useless { id: theirs, .. }
                if theirs == id =>
            {
                said
            }
            _ => ChildMessage::Useless { id, why: "sent no answer to this request".to_owned() },
        };
        Ok(serde_json::from_str(&self.aside.keep(id, said))?)
    }
}

fn odd(what: String) -> Failure {
    Failure::UnexpectedServerResponse(what.into())
}

fn headers(custom: Headers, session: Option<&str>, token: Option<&str>) -> Result<HeaderMap, Failure> {
    let mut all: HeaderMap = custom.into_iter().collect();
    all.insert(ACCEPT, BOTH);
    if let Some(session) = session {
        all.insert(SESSION, value(session)?);
    }
    if let Some(token) = token {
        all.insert(AUTHORIZATION, value(&format!("Bearer {token}"))?);
    }
    Ok(all)
}

fn value(text: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(text).map_err(|_| odd(format!("`{}` cannot be sent back", text.escape_debug())))
}

fn kind(response: &Response) -> Option<String> {
    response.headers().get(CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or("(no text)").to_owned())
}

/// A server that wants authentication says so in a header.
fn let_in(response: Response) -> Result<Response, Failure> {
    let challenge = response.headers().get(WWW_AUTHENTICATE);
    let challenge = challenge.map(|words| words.to_str().unwrap_or("(no text)").to_owned());
    match (response.status(), challenge) {
        (StatusCode::UNAUTHORIZED, Some(words)) => Err(Failure::AuthRequired(AuthRequiredError::new(words))),
        (StatusCode::FORBIDDEN, Some(words)) => {
            Err(Failure::InsufficientScope(InsufficientScopeError::new(words, None)))
        }
        _ => Ok(response),
    }
}

/// An error on the server's side, reported without its text.
fn troubled(response: &Response) -> Option<Failure> {
    let status = response.status();
    let retry = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let troubled = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
    troubled.then(|| HttpStatusError::new(status.as_u16(), retry).into())
}

/// A server that does not take a message may say why, in an answer or as text.
async fn refused(response: Response) -> Result<StreamableHttpPostResponse, Failure> {
    let (status, trouble) = (response.status(), troubled(&response));
    let json = kind(&response).is_some_and(|kind| kind.starts_with(JSON));
    if let Some(trouble) = trouble.filter(|_| !json || status == StatusCode::TOO_MANY_REQUESTS) {
        return Err(trouble);
    }
    let trouble = troubled(&response);
    let words = body(response, WORDS).await.ok().flatten().unwrap_or_default();
    let words = words.text();
    let stranger = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    match serde_json::from_slice(words) {
        Ok(message @ ServerJsonRpcMessage::Error(_)) if json && !stranger => {
            Ok(StreamableHttpPostResponse::Json(message, None))
        }
        _ => Err(trouble.unwrap_or_else(|| {
            odd(format!("HTTP {status}: {}", std::str::from_utf8(words).unwrap_or("(no text)")))
        })),
    }
}

/// The body of an answer; nothing if it is longer than it may be.
async fn body(mut response: Response, most: usize) -> Result<Option<LineText>, reqwest::Error> {
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Ok(None);
    }
    let mut text = LineText::default();
    while let Some(chunk) = response.chunk().await? {
        if text.text().len() + chunk.len() > most {
            return Ok(None);
        }
        text.push(&chunk);
    }
    Ok(Some(text))
}
