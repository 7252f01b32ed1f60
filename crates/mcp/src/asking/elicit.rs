//! A form that the client is asked to show, in a request of our own. Taken back when nobody waits for it any more.

use super::Form;
use rmcp::model::{CancelledNotificationParam, ClientResult, ElicitRequest, RequestId, ServerRequest};
use rmcp::service::PeerRequestOptions;
use rmcp::{Peer, RoleServer};
use runward::approve::Verdict;
use std::time::Instant;

/// Asks the client to show a form. A client that cannot after all, or closes it, gives no answer.
pub(super) async fn ask(peer: &Peer<RoleServer>, form: Form) -> Option<Verdict> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form.params()));
    let since = Instant::now();
    let sent = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.ok()?;
    let mut shown = Shown { peer: peer.clone(), id: Some(sent.id.clone()) };
    let answer = sent.await_response().await;
    shown.id = None;
    match answer {
        Ok(ClientResult::ElicitResult(result)) => form.verdict(&result, since.elapsed()),
        _ => None,
    }
}

/// A form that stands on somebody's screen. Dropping it before the answer takes it away.
struct Shown {
    peer: Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for Shown {
    fn drop(&mut self) {
        // Without a runtime everything is over anyway.
        if let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) {
            let peer = self.peer.clone();
            let why = CancelledNotificationParam::new(Some(id), Some("nobody waits for it".to_owned()));
            runtime.spawn(async move { peer.notify_cancelled(why).await });
        }
    }
}
