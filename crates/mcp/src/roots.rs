//! The client's roots: folders that narrow the workspace and never widen it.
//!
//! A client that declares them is asked once it has connected, again when it says that they changed, and by each
//! call that finds no list. A call waits no longer than [`PATIENCE`]; without a list no folder may be used. A list
//! that comes later counts from then on. May not touch the disk: the engine judges paths.
#![expect(deprecated, reason = "newer revisions of the protocol drop roots; clients of older ones use them")]

mod file_uri;

use crate::client::ClientState;
use crate::log::{self, Weight};
use rmcp::model::{ClientResult, ListRootsRequest, Root, ServerRequest};
use rmcp::service::PeerRequestOptions;
use rmcp::{Peer, RoleServer};
use runward_engine::core::facts::Backslashes;
use runward_engine::core::redact::Redactor;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long a call waits for a client to list its roots.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// How much of that is for a request that was sent before the call. The client may not read where it was sent
/// (over HTTP, a stream that it never opened); the next one goes along with the call's answer.
const EARLIER: Duration = Duration::from_millis(200);

/// The folders of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MeantRoots {
    /// The whole workspace.
    Everything,
    /// Only what lies in these folders.
    Only(Vec<PathBuf>),
    /// It did not list them, though it declared roots.
    Untold,
}

/// The last list. A new round begins when the client says that its roots changed.
#[derive(Debug, Clone, Default)]
struct HeardRoots {
    round: u64,
    asked: bool,
    answer: Option<MeantRoots>,
}

/// The roots of one client.
#[derive(Debug, Default)]
pub(crate) struct Roots(watch::Sender<HeardRoots>);

impl Roots {
    /// The client has other roots now: the old list no longer counts.
    pub(crate) fn forget(&self) {
        self.0.send_modify(|heard| *heard = HeardRoots { round: heard.round + 1, ..HeardRoots::default() });
    }

    /// Takes an answer to the question of a round, unless another round began or a list is there already.
    fn hear(&self, round: u64, answer: MeantRoots) {
        self.0.send_if_modified(|heard| {
            let wanted = heard.round == round && !matches!(heard.answer, Some(MeantRoots::Only(_)));
            if wanted {
                heard.answer = Some(answer);
            }
            wanted
        });
    }

    /// Waits for the answer to a question that was asked, if one was.
    async fn pending(&self) -> MeantRoots {
        if self.0.borrow().asked { self.answer().await } else { MeantRoots::Untold }
    }

    /// Waits for an answer.
    async fn answer(&self) -> MeantRoots {
        let mut heard = self.0.subscribe();
        let answered = heard.wait_for(|heard| heard.answer.is_some()).await;
        answered.ok().and_then(|heard| heard.answer.clone()).unwrap_or(MeantRoots::Untold)
    }
}

/// The roots of a client that declares them. Waits no longer than [`PATIENCE`].
pub(crate) async fn meant(
    client: &Arc<ClientState>,
    peer: &Peer<RoleServer>,
    slashes: Backslashes,
) -> MeantRoots {
    let answered = async {
        if let Ok(earlier @ MeantRoots::Only(_)) = timeout(EARLIER, client.roots.pending()).await {
            return earlier;
        }
        // A list that has come meanwhile stays.
        client
            .roots
            .0
            .send_modify(|heard| heard.answer = heard.answer.take().filter(|it| *it != MeantRoots::Untold));
        ask(client, peer, slashes).await;
        client.roots.answer().await
    };
    timeout(PATIENCE, answered).await.unwrap_or(MeantRoots::Untold)
}

/// Asks the client for its roots. The answer counts whenever it comes.
pub(crate) async fn ask(client: &Arc<ClientState>, peer: &Peer<RoleServer>, slashes: Backslashes) {
    client.roots.0.send_modify(|heard| heard.asked = true);
    let round = client.roots.0.borrow().round;
    let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
    // Sent from here, so that it goes the same way as the answer to the call that needs it.
    let sent = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    let (client, peer) = (Arc::clone(client), peer.clone());
    let Ok(handle) = sent else { return client.roots.hear(round, MeantRoots::Untold) };
    tokio::spawn(async move {
        let answer = match handle.await_response().await {
            Ok(ClientResult::ListRootsResult(listed)) => {
                MeantRoots::Only(folders(&listed.roots, &client, &peer, slashes).await)
            }
            _ => MeantRoots::Untold,
        };
        client.roots.hear(round, answer);
    });
}

/// The folders that roots name. Other URIs are ignored, and the client is told.
async fn folders(
    roots: &[Root],
    client: &ClientState,
    peer: &Peer<RoleServer>,
    slashes: Backslashes,
) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for root in roots {
        match file_uri::folder(&root.uri, slashes) {
            Ok(folder) => folders.push(folder),
            Err(why) => {
                let fields = json!({ "root": root.uri, "ignored": why.why() });
                // It goes back to the client that wrote it; masking by look is enough.
                let redactor = Redactor::default();
                log::tell(peer, client.threshold.hearing(), &redactor, Weight::Trouble, fields).await;
            }
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(folder: &str) -> MeantRoots {
        MeantRoots::Only(vec![folder.into()])
    }

    #[test]
    fn an_answer_to_an_earlier_question_does_not_count() {
        let roots = Roots::default();
        roots.forget();
        roots.hear(0, only("/old"));
        assert_eq!(roots.0.borrow().answer, None);
        roots.hear(1, only("/new"));
        assert_eq!(roots.0.borrow().answer, Some(only("/new")));
    }

    #[test]
    fn a_list_is_not_lost_to_a_question_that_failed() {
        let roots = Roots::default();
        roots.hear(0, MeantRoots::Untold);
        roots.hear(0, only("/a"));
        roots.hear(0, MeantRoots::Untold);
        assert_eq!(roots.0.borrow().answer, Some(only("/a")));
    }
}
