//! The conversation with one child, from its first message to its last.
//!
//! Answers go to the caller that waits; requests go to the client, each in its own task so that none blocks another;
//! notifications go to the client in order. What the client has not taken is bounded: a child that sends more is read
//! no further until there is room. May not start a child, or decide when one has to be stopped.

use super::backlog::{BRIEF_MESSAGES, Backlog, BacklogPlace};
use super::child::ChildServer;
use super::host::ClientProxy;
use super::link::{ChildLink, Outgoing};
use super::talk::{self, ChildMessage};
use super::terms::GatewayTerms;
use super::way::ChildTransport;
use rmcp::ErrorData;
use rmcp::model::{ProgressToken, RequestId};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Requests of one child that may be open at once. A further one is refused.
pub(super) const MOST_QUESTIONS: usize = 64;

/// The token under which the client reports progress, and the child and its own token that it is for.
#[derive(Debug, Default)]
pub(super) struct Returning(Mutex<HashMap<ProgressToken, (ChildLink, Value)>>);

impl Returning {
    /// The client reported progress.
    pub(super) fn progressed(&self, token: &ProgressToken, mut params: Value) {
        let wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(token).cloned();
        if let Some((link, theirs)) = wanted {
            params["progressToken"] = theirs;
            link.mention("notifications/progress", params);
        }
    }

    fn expect(&self, token: ProgressToken, link: &ChildLink, theirs: Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(token, (link.clone(), theirs));
    }

    fn forget(&self, token: &ProgressToken) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
    }
}

/// The two ends of a conversation.
#[derive(Clone)]
pub(super) struct Conversation {
    pub(super) child: Arc<ChildServer>,
    pub(super) link: ChildLink,
    pub(super) host: ClientProxy,
    pub(super) returning: Arc<Returning>,
    pub(super) terms: Arc<GatewayTerms>,
}

impl Conversation {
    /// Logs every message for an operator who wants it: from which child, what, how large; never what is in it.
    fn trace(&self, arrow: &str, what: impl FnOnce() -> String) {
        if self.terms.trace {
            (self.terms.tell)(&format!("{} {arrow} {}", self.child.server().key, what()));
        }
    }

    /// Runs until the child is gone or `enough`; says how it ended.
    pub(super) async fn hold(
        self,
        mut way: ChildTransport,
        mut out: mpsc::UnboundedReceiver<Outgoing>,
        enough: CancellationToken,
    ) -> String {
        // Unbounded itself: whatever is in it has a place in the backlog.
        let (notices, to_tell) = mpsc::unbounded_channel();
        let mut ears = Ears { talk: self.clone(), notices, asked: HashMap::new() };
        let messenger = tokio::spawn(self.clone().messages(to_tell));
        let ahead = Backlog::default();
        // A message without a place yet. Until it has one, nothing more is read.
        let mut held: Option<ChildMessage> = None;
        loop {
            let params = held.as_ref().and_then(ChildMessage::params).unwrap_or(&Value::Null);
            tokio::select! {
                biased;
                () = enough.cancelled() => break,
                () = self.link.stuck() => {
                    let why = format!("it was ended because it does not read: {BRIEF_MESSAGES} messages wait for it");
                    self.link.gives_up(Some(why));
                    break;
                }
                Some(outgoing) = out.recv() => {
                    self.trace("<-", || headline(&outgoing.message));
                    way.send(outgoing);
                }
                place = ahead.place(params), if held.is_some() => {
                    self.link.hold_up(false);
                    if let Some(said) = held.take() {
                        ears.hear(said, place.unwrap_or_default());
                    }
                }
                said = way.next(), if held.is_none() => {
                    let Some(said) = said else {
                        self.link.gives_up(way.fault());
                        break;
                    };
                    self.trace("->", || said.headline());
                    match said.params().map_or(Some(BacklogPlace::default()), |params| ahead.place_now(params)) {
                        Some(place) => ears.hear(said, place),
                        None => {
                            self.link.hold_up(true);
                            held = Some(said);
                        }
                    }
                }
            }
        }
        self.link.cut();
        ears.asked.values().for_each(CancellationToken::cancel);
        messenger.abort();
        let why = self.link.why();
        let ended = way.end().await;
        why.unwrap_or(ended)
    }

    /// Passes a notification of the child to the client.
    async fn messages(self, mut notices: mpsc::UnboundedReceiver<WaitingNotice>) {
        while let Some(WaitingNotice { method, params, place }) = notices.recv().await {
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
            // The client has taken it.
            drop(place);
        }
    }

    /// Answers a request of the child.
    async fn reply(self, id: RequestId, method: String, params: Option<Value>, given_up: CancellationToken) {
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
        // A cancelled request gets no answer.
        if !given_up.is_cancelled() {
            self.link.send(talk::answer(&id, result)).await;
        }
        given_up.cancel();
    }
}

/// A notification for the client, with its place in the backlog.
struct WaitingNotice {
    method: String,
    params: Option<Value>,
    place: BacklogPlace,
}

/// Handles what a child sends. Nothing here waits.
struct Ears {
    talk: Conversation,
    notices: mpsc::UnboundedSender<WaitingNotice>,
    /// Requests of the child that are open.
    asked: HashMap<RequestId, CancellationToken>,
}

impl Ears {
    fn hear(&mut self, said: ChildMessage, place: BacklogPlace) {
        let link = &self.talk.link;
        match said {
            ChildMessage::Answer { id, result } => link.answered(id, result),
            ChildMessage::Useless { id, why } => {
                self.talk.child.log.remark(&format!("it {why}"));
                link.answered_uselessly(id, why);
            }
            ChildMessage::Question { id, method, params } => self.question(id, method, params, place),
            ChildMessage::Notice { method, params } => match method.as_str() {
                "notifications/progress" => link.progressed(params.unwrap_or_default(), place),
                "notifications/cancelled" => {
                    let id =
                        params.and_then(|mut params| serde_json::from_value(params["requestId"].take()).ok());
                    if let Some(token) = id.and_then(|id: RequestId| self.asked.remove(&id)) {
                        token.cancel();
                    }
                }
                // One that cannot be passed on is gone with its client.
                _ => drop(self.notices.send(WaitingNotice { method, params, place })),
            },
        }
    }

    fn question(&mut self, id: RequestId, method: String, params: Option<Value>, place: BacklogPlace) {
        let link = &self.talk.link;
        if method == "ping" {
            return link.send_brief(talk::answer(&id, Ok(json!({}))));
        }
        self.asked.retain(|_, token| !token.is_cancelled());
        if self.asked.len() >= MOST_QUESTIONS {
            let words = format!("{MOST_QUESTIONS} questions are open already");
            return link.send_brief(talk::answer(&id, Err(ErrorData::internal_error(words, None))));
        }
        let given_up = CancellationToken::new();
        // Two requests with one id are answered once.
        if let Some(before) = self.asked.insert(id.clone(), given_up.clone()) {
            before.cancel();
        }
        let reply = self.talk.clone().reply(id, method, params, given_up);
        tokio::spawn(async move {
            reply.await;
            drop(place);
        });
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
