//! Every client that has shaken hands, for news that are no client's own.
//!
//! May not hold the server up: each client is told on the side, and one that takes no message misses it.

use crate::client::Client;
use crate::log::{self, Weight};
use rmcp::{Peer, RoleServer};
use runward::core::redact::Redactor;
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// How long a client may take to be told.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much news weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// Something changed as it was meant to.
    Change,
    /// Something did not go well.
    Trouble,
}

/// The clients that are there.
#[derive(Debug, Default)]
pub(crate) struct Audience(Mutex<Vec<(Weak<Client>, Peer<RoleServer>)>>);

impl Audience {
    /// A client is there; whoever left meanwhile is forgotten.
    pub(crate) fn add(&self, client: &Arc<Client>, peer: &Peer<RoleServer>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(client, _)| client.strong_count() > 0);
        all.push((Arc::downgrade(client), peer.clone()));
    }

    /// Tells everyone who wants to hear that much. Needs a tokio runtime.
    pub(crate) fn tell(&self, news: News, sentence: &str, redactor: &Redactor) {
        let weight = match news {
            News::Change => Weight::Detail,
            News::Trouble => Weight::Trouble,
        };
        for (client, peer) in self.all() {
            let (hearing, fields) = (client.threshold.hearing(), json!({ "message": sentence }));
            let redactor = redactor.clone();
            tokio::spawn(async move {
                // Whoever takes no message is not waited for.
                let told = log::tell(&peer, hearing, &redactor, weight, fields);
                let _ = tokio::time::timeout(PATIENCE, told).await;
            });
        }
    }
    /// Tells everyone that there are other prompts and tools than before. Needs a tokio runtime.
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

    /// Whoever is still there.
    fn all(&self) -> Vec<(Arc<Client>, Peer<RoleServer>)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.into_iter().filter_map(|(client, peer)| Some((client.upgrade()?, peer))).collect()
    }
}
