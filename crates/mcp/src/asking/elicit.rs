//! A form (MCP elicitation) that the client is asked to show, in a request of our own. Cancelled when the call is gone.

use super::ElicitationForm;
use rmcp::model::{CancelledNotificationParam, ClientResult, ElicitRequest, RequestId, ServerRequest};
use rmcp::service::PeerRequestOptions;
use rmcp::{Peer, RoleServer};
use runward_engine::approve::Verdict;
use std::time::Instant;

/// Asks the client to show a form. A client that cannot, or closes it, gives no answer.
pub(super) async fn ask(peer: &Peer<RoleServer>, form: ElicitationForm) -> Option<Verdict> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form.params()));
    let since = Instant::now();
    let sent = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.ok()?;
    let mut shown = ShownForm { peer: peer.clone(), id: Some(sent.id.clone()) };
    let answer = sent.await_response().await;
    shown.id = None;
    match answer {
        Ok(ClientResult::ElicitResult(result)) => form.verdict(&result, since.elapsed()),
        _ => None,
    }
}

/// A form on a person's screen. Dropping it before the answer cancels the request.
struct ShownForm {
    peer: Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for ShownForm {
    fn drop(&mut self) {
        // Without a runtime everything is over anyway.
        if let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) {
            let peer = self.peer.clone();
            let why = CancelledNotificationParam::new(Some(id), Some("it is no longer needed".to_owned()));
            runtime.spawn(async move { peer.notify_cancelled(why).await });
        }
    }
}
