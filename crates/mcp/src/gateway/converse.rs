//! The conversation with one child, from its first message to its last.
//!
//! Answers go to whoever asked; questions go to the client, each on its own so that none holds another up; notices go to
//! the client in the order in which they came. May not start a child, or decide when one has to go.

use super::child::Child;
use super::host::Host;
use super::link::Link;
use super::talk::{self, Said};
use super::terms::Terms;
use super::way::Way;
use rmcp::model::{ProgressToken, RequestId};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Notices that wait for the client to take them, before the child is slowed down.
const AHEAD: usize = 256;

/// Under which token the client tells of progress, and which child wants to hear it under which of its own.
#[derive(Debug, Default)]
pub(super) struct Returning(Mutex<HashMap<ProgressToken, (Link, Value)>>);

impl Returning {
    /// The client told of progress.
    pub(super) fn progressed(&self, token: &ProgressToken, mut params: Value) {
        let wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(token).cloned();
        if let Some((link, theirs)) = wanted {
            params["progressToken"] = theirs;
            link.tell("notifications/progress", Some(&params));
        }
    }

    fn expect(&self, token: ProgressToken, link: &Link, theirs: Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(token, (link.clone(), theirs));
    }

    fn forget(&self, token: &ProgressToken) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
    }
}

/// Two who talk.
#[derive(Clone)]
pub(super) struct Conversation {
    pub(super) child: Arc<Child>,
    pub(super) link: Link,
    pub(super) host: Host,
    pub(super) returning: Arc<Returning>,
    pub(super) terms: Arc<Terms>,
}

impl Conversation {
    /// Tells an operator who wants to know of every message: whose, what, how much; never what is in it.
    fn trace(&self, arrow: &str, what: impl FnOnce() -> String) {
        if self.terms.trace {
            (self.terms.tell)(&format!("{} {arrow} {}", self.child.server().key, what()));
        }
    }

    /// Talks until the child is gone or `enough`; says how it ended.
    pub(super) async fn hold(
        self,
        mut way: Way,
        mut out: mpsc::UnboundedReceiver<Value>,
        enough: CancellationToken,
    ) -> String {
        let (notices, to_tell) = mpsc::channel(AHEAD);
        let messenger = tokio::spawn(self.clone().messages(to_tell));
        let mut asked: HashMap<RequestId, CancellationToken> = HashMap::new();
        loop {
            let said = tokio::select! {
                biased;
                () = enough.cancelled() => break,
                Some(message) = out.recv() => {
                    self.trace("<-", || headline(&message));
                    way.send(message);
                    continue;
                }
                said = way.next() => said,
            };
            if let Some(said) = &said {
                self.trace("->", || said.headline());
            }
            match said {
                None => {
                    self.link.gives_up(way.fault());
                    break;
                }
                Some(Said::Answer { id, result }) => self.link.answered(id, result),
                Some(Said::Question { id, method, params }) => {
                    asked.retain(|_, token| !token.is_cancelled());
                    let given_up = CancellationToken::new();
                    asked.insert(id.clone(), given_up.clone());
                    tokio::spawn(self.clone().reply(id, method, params, given_up));
                }
                Some(Said::Notice { method, params }) => match method.as_str() {
                    "notifications/progress" => self.link.progressed(params.unwrap_or_default()),
                    "notifications/cancelled" => {
                        let id = params
                            .and_then(|params| serde_json::from_value(params["requestId"].clone()).ok());
                        if let Some(token) = id.and_then(|id: RequestId| asked.remove(&id)) {
                            token.cancel();
                        }
                    }
                    // One that cannot be told on is gone with its client.
                    _ => drop(notices.send((method, params)).await),
                },
            }
        }
        self.link.cut();
        asked.values().for_each(CancellationToken::cancel);
        messenger.abort();
        way.end().await
    }

    /// Tells the client what the child tells.
    async fn messages(self, mut notices: mpsc::Receiver<(String, Option<Value>)>) {
        while let Some((method, params)) = notices.recv().await {
            match method.as_str() {
                "notifications/tools/list_changed"
                | "notifications/prompts/list_changed"
                | "notifications/resources/list_changed" => self.child.relist.notify_one(),
                "notifications/message" => {
                    let params = params.map(|params| named(params, &self.child.server().key));
                    self.host.tell(&method, params).await;
                }
                _ => self.host.tell(&method, params).await,
            }
        }
    }

    /// Answers a question of the child.
    async fn reply(self, id: RequestId, method: String, params: Option<Value>, given_up: CancellationToken) {
        if method == "ping" {
            return self.link.send(talk::answer(&id, Ok(json!({}))));
        }
        let theirs = params.as_ref().and_then(|params| params.pointer("/_meta/progressToken")).cloned();
        let mut ours = None;
        let expect = |token: ProgressToken| {
            if let Some(theirs) = theirs {
                self.returning.expect(token.clone(), &self.link, theirs);
                ours = Some(token);
            }
        };
        let result = self.host.ask(&method, params, given_up.clone(), expect).await;
        if let Some(token) = ours {
            self.returning.forget(&token);
        }
        // Whoever gave a question up wants no answer.
        if !given_up.is_cancelled() {
            self.link.send(talk::answer(&id, result));
        }
        given_up.cancel();
    }
}

/// What a message to a child is, without what is in it.
fn headline(message: &Value) -> String {
    let what = message["method"].as_str().unwrap_or("answer");
    match &message["id"] {
        Value::Null => what.to_owned(),
        id => format!("{what} #{id}"),
    }
}

/// A log message that says which child it is from.
fn named(mut params: Value, key: &str) -> Value {
    let logger = match params["logger"].as_str() {
        Some(logger) => format!("{key}/{logger}"),
        None => key.to_owned(),
    };
    if params.is_object() {
        params["logger"] = Value::from(logger);
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_message_says_which_child_it_is_from() {
        assert_eq!(named(json!({"level": "info"}), "k"), json!({"level": "info", "logger": "k"}));
        assert_eq!(named(json!({"logger": "db"}), "k"), json!({"logger": "k/db"}));
        assert_eq!(named(json!([]), "k"), json!([]));
    }
}
