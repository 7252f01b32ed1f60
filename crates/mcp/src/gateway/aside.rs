//! Answers of remote servers (HTTP), kept outside the SDK.
//!
//! The SDK would parse an answer into types of its own: several times its size in memory, and without unknown
//! fields. So the answer itself is kept here, and the SDK carries an empty one with its id. May not know what an
//! answer means.

use super::talk::ChildMessage;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The kept answers.
#[derive(Debug, Default)]
pub(super) struct Aside {
    kept: Mutex<KeptAnswers>,
    faulty: Notify,
}

#[derive(Debug, Default)]
struct KeptAnswers {
    /// Open requests, with their answers as far as they came.
    answers: HashMap<u64, Option<ChildMessage>>,
    /// Why the server has to be stopped, if it has.
    fault: Option<String>,
}

impl Aside {
    /// This request is sent. An answer without a request is not kept.
    pub(super) fn expect(&self, id: u64) {
        self.kept().answers.insert(id, None);
    }

    /// Keeps an answer, and gives the empty one for the SDK.
    pub(super) fn keep(&self, id: u64, answer: ChildMessage) -> String {
        if let Some(open) = self.kept().answers.get_mut(&id) {
            *open = Some(answer);
        }
        json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string()
    }

    /// The answer that was kept for this id, which is not open any more.
    pub(super) fn take(&self, id: u64) -> Option<ChildMessage> {
        self.kept().answers.remove(&id).flatten()
    }

    /// The server has to be stopped, and this is why.
    pub(super) fn give_up(&self, why: String) {
        self.kept().fault.get_or_insert(why);
        self.faulty.notify_one();
    }

    /// Why the server has to be stopped, if it has.
    pub(super) fn fault(&self) -> Option<String> {
        self.kept().fault.clone()
    }

    /// Waits until the server has to be stopped.
    pub(super) async fn given_up(&self) {
        self.faulty.notified().await;
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn kept(&self) -> MutexGuard<'_, KeptAnswers> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
