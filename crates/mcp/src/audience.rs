//! Every connected client, for notifications that are not about one client's own calls.
//!
//! May not block the server: each client is notified in a task of its own, and one that takes no message misses it.

use crate::client::ClientState;
use crate::log::{self, Weight};
use rmcp::{Peer, RoleServer};
use runward_engine::core::redact::Redactor;
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// How long sending to a client may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The level of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// Something changed as it was meant to.
    Change,
    /// Something failed.
    Trouble,
}

/// The connected clients.
#[derive(Debug, Default)]
pub(crate) struct Audience(Mutex<Vec<(Weak<ClientState>, Peer<RoleServer>)>>);

impl Audience {
    /// A client has connected; those that left are dropped.
    pub(crate) fn add(&self, client: &Arc<ClientState>, peer: &Peer<RoleServer>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(client, _)| client.strong_count() > 0);
        all.push((Arc::downgrade(client), peer.clone()));
    }

    /// Notifies every client that wants this level. Needs a tokio runtime.
    pub(crate) fn tell(&self, news: News, sentence: &str, redactor: &Redactor) {
        let weight = match news {
            News::Change => Weight::Detail,
            News::Trouble => Weight::Trouble,
        };
        for (client, peer) in self.all() {
            let (hearing, fields) = (client.threshold.hearing(), json!({ "message": sentence }));
            let redactor = redactor.clone();
            tokio::spawn(async move {
                // A client that takes no message is not waited for.
                let told = log::tell(&peer, hearing, &redactor, weight, fields);
                let _ = tokio::time::timeout(PATIENCE, told).await;
            });
        }
    }
    /// Notifies every client that the lists of prompts and tools changed. Needs a tokio runtime.
    pub(crate) fn lists_changed(&self) {
        for (_, peer) in self.all() {
            tokio::spawn(async move {
                let told = async {
                    let _ = peer.notify_prompt_list_changed().await;
                    let _ = peer.notify_tool_list_changed().await;
                };
                let _ = tokio::time::timeout(PATIENCE, told).await;
            });
        }
    }

    /// The clients that are still connected.
    fn all(&self) -> Vec<(Arc<ClientState>, Peer<RoleServer>)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.into_iter().filter_map(|(client, peer)| Some((client.upgrade()?, peer))).collect()
    }
}
