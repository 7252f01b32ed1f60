//! One request of a client, forwarded to its child server.
//!
//! Names are turned back into the child's own; everything else passes as it is, results and errors too. Progress
//! reaches the client before the answer. May not hold a request longer than its child's time limit without a sign of
//! life.

use super::child::ChildServer;
use super::children::ChildServers;
use super::link::{AskerMessage, ProgressWish, RequestFailure};
use super::names::ToolOrigin;
use super::unavailable::Unavailable;
use crate::client::is_stateless;
use rmcp::model::{ProgressNotificationParam, ProgressToken, RequestMetaObject};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use runward_engine::ErrorView;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// Keys of `_meta` that are about the one request of the client, not about what is asked.
const OWN_META: &str = "io.modelcontextprotocol/";

/// Why a request has no result.
#[derive(Debug)]
pub(super) enum ForwardTrouble {
    /// The child cannot be asked.
    Down(Unavailable),
    /// The child answered with an error.
    Refused(ErrorData),
    /// The client cancelled it.
    GivenUp,
}

impl From<ForwardTrouble> for ErrorData {
    fn from(trouble: ForwardTrouble) -> Self {
        match trouble {
            ForwardTrouble::Refused(error) => error,
            ForwardTrouble::GivenUp => ErrorData::internal_error("the request was cancelled", None),
            ForwardTrouble::Down(down) => {
                let view = ErrorView::of(&down);
                ErrorData::internal_error(view.message.clone(), serde_json::to_value(&view).ok())
            }
        }
    }
}

impl ChildServers {
    /// Asks the child that a name came from, under its own name.
    pub(super) async fn forward_named(
        &self,
        origin: &ToolOrigin,
        method: &str,
        params: impl Serialize,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, ForwardTrouble> {
        let mut params = written(params);
        params["name"] = Value::from(origin.name.clone());
        self.forward(&origin.server, method, params, context).await
    }

    /// Asks a child.
    pub(super) async fn forward(
        &self,
        server: &str,
        method: &str,
        params: impl Serialize,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, ForwardTrouble> {
        let Some(child) = self.child(server) else {
            return Err(ForwardTrouble::Down(Unavailable::died(server)));
        };
        let (mut params, token) = (written(params), context.meta.get_progress_token());
        if let Value::Object(fields) = &mut params {
            fields.remove("_meta");
            fields.extend(passed_on(&context.meta).map(|meta| ("_meta".to_owned(), meta)));
        }
        let begun = Instant::now();
        let result = asked(&child, method, params, token.as_ref(), context).await;
        child.took(begun.elapsed());
        if let Ok(answer) = &result {
            self.mentioned.note(server, answer);
        }
        result.map(|result| suited(result, context))
    }
}

async fn asked(
    child: &Arc<ChildServer>,
    method: &str,
    params: Value,
    token: Option<&ProgressToken>,
    context: &RequestContext<RoleServer>,
) -> Result<Value, ForwardTrouble> {
    let server = child.server();
    let link = tokio::select! {
        biased;
        () = context.ct.cancelled() => return Err(ForwardTrouble::GivenUp),
        link = child.line() => link.map_err(ForwardTrouble::Down)?,
    };
    let progress = if token.is_some() { ProgressWish::Wanted } else { ProgressWish::Unwanted };
    let died = || {
        let died = Unavailable::died(&server.key);
        ForwardTrouble::Down(link.why().map_or(died.clone(), |why| died.because(&why)))
    };
    let late = || ForwardTrouble::Down(Unavailable::late(&server.key, server.timeout));
    let mut question = tokio::select! {
        biased;
        () = context.ct.cancelled() => return Err(ForwardTrouble::GivenUp),
        asked = link.ask(method, params, progress) => asked.map_err(|failed| match failed {
            RequestFailure::Busy => ForwardTrouble::Down(Unavailable::busy(&server.key)),
            _ => died(),
        })?,
        () = tokio::time::sleep(server.timeout) => return Err(late()),
    };
    loop {
        let heard = tokio::select! {
            biased;
            heard = question.next() => heard,
            () = context.ct.cancelled() => return Err(ForwardTrouble::GivenUp),
            () = tokio::time::sleep(server.timeout) => return Err(late()),
        };
        match heard {
            None => return Err(died()),
            Some(AskerMessage::Answer(answer)) => return answer.map_err(ForwardTrouble::Refused),
            Some(AskerMessage::Useless(why)) => {
                return Err(ForwardTrouble::Down(Unavailable::useless(&server.key, &why)));
            }
            Some(AskerMessage::Progress(params, place)) => {
                tell_progress(params, token, context).await;
                drop(place);
            }
        }
    }
}

/// Progress under the client's own token. The client has taken it when this returns, so the answer comes after it.
async fn tell_progress(
    mut params: Value,
    token: Option<&ProgressToken>,
    context: &RequestContext<RoleServer>,
) {
    let Some(token) = token else { return };
    params["progressToken"] = json!(token);
    if let Ok(params) = serde_json::from_value::<ProgressNotificationParam>(params) {
        // A client that is gone needs no progress.
        let _ = context.peer.notify_progress(params).await;
    }
}

fn written(params: impl Serialize) -> Value {
    // Whatever was read from JSON can be written as JSON.
    let params = serde_json::to_value(params).unwrap_or_default();
    if params.is_null() { json!({}) } else { params }
}

/// The `_meta` of a request, without the keys about the client's own request.
fn passed_on(meta: &RequestMetaObject) -> Option<Value> {
    let Ok(Value::Object(mut meta)) = serde_json::to_value(meta) else { return None };
    meta.retain(|key, _| key != "progressToken" && !key.starts_with(OWN_META));
    (!meta.is_empty()).then_some(Value::Object(meta))
}

/// A result as the client's revision wants it: newer ones say that it is complete.
fn suited(mut result: Value, context: &RequestContext<RoleServer>) -> Value {
    if is_stateless(context)
        && let Value::Object(fields) = &mut result
    {
        fields.entry("resultType").or_insert_with(|| Value::from("complete"));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_hears_what_was_said_beside_a_request_but_not_whose_it_is() {
        let meta = |value: Value| serde_json::from_value::<RequestMetaObject>(value).unwrap();
        let said = meta(json!({"progressToken": 1, "io.modelcontextprotocol/clientInfo": {}, "trace": "x"}));
        assert_eq!(passed_on(&said), Some(json!({"trace": "x"})));
        assert_eq!(passed_on(&meta(json!({"progressToken": 1}))), None);
    }

    #[test]
    fn a_child_that_is_down_is_an_error_with_its_code() {
        let error = ErrorData::from(ForwardTrouble::Down(Unavailable::died("github")));
        assert_eq!(error.message, "the server `github` died before it answered");
        assert_eq!(error.data.unwrap()["code"], "gateway.unavailable");
    }
}
