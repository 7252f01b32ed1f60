//! The client as its child servers see it: the receiver of their requests and notifications.
//!
//! Only what is in the client's capabilities is passed to it. May not answer for the client.

use rmcp::model::{
    ClientCapabilities, ClientResult, CustomRequest, ErrorCode, Implementation, ProgressToken,
    ServerNotification, ServerRequest,
};
use rmcp::service::PeerRequestOptions;
use rmcp::{ErrorData, Peer, RoleServer, ServiceError};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// The client of a set of child servers.
#[derive(Debug, Clone)]
pub(super) struct ClientProxy {
    /// Its name.
    pub(super) name: Implementation,
    /// Its capabilities.
    pub(super) can: ClientCapabilities,
    /// The connection to it; none where requests are stateless.
    peer: Option<Peer<RoleServer>>,
}

impl ClientProxy {
    /// A connected client.
    pub(super) fn of(name: Implementation, can: &ClientCapabilities, peer: Peer<RoleServer>) -> Self {
        let mut mirrored = ClientCapabilities::default();
        mirrored.roots.clone_from(&can.roots);
        mirrored.sampling.clone_from(&can.sampling);
        mirrored.elicitation.clone_from(&can.elicitation);
        Self { name, can: mirrored, peer: Some(peer) }
    }

    /// A client that cannot be sent anything outside its own requests.
    pub(super) fn silent(name: Implementation) -> Self {
        Self { name, can: ClientCapabilities::default(), peer: None }
    }

    /// Sends the client a child's request. `progress` gets the token under which the client will report progress.
    pub(super) async fn ask(
        &self,
        method: &str,
        params: Option<Value>,
        given_up: CancellationToken,
        progress: impl FnOnce(ProgressToken),
    ) -> Result<Value, ErrorData> {
        let able = match method {
            "roots/list" => self.can.roots.is_some(),
            "sampling/createMessage" => self.can.sampling.is_some(),
            "elicitation/create" => self.can.elicitation.is_some(),
            _ => false,
        };
        let (true, Some(peer)) = (able, &self.peer) else {
            return Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("the client does not answer `{method}`"),
                None,
            ));
        };
        // The SDK's own types would round a `temperature` and add what was left out.
        let request: CustomRequest = serde_json::from_value(with(method, params))
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let request = ServerRequest::CustomRequest(request);
        let sent = peer.send_request_with_option(request, PeerRequestOptions::default()).await;
        let mut handle = sent.map_err(failed)?;
        progress(handle.progress_token.clone());
        let answer = tokio::select! {
            biased;
            answer = &mut handle.rx => answer.unwrap_or(Err(ServiceError::TransportClosed)),
            () = given_up.cancelled() => {
                let _ = handle.cancel(Some("the server cancelled its request".to_owned())).await;
                return Err(ErrorData::internal_error("the request was cancelled", None));
            }
        };
        answer.map_err(failed).and_then(|result: ClientResult| {
            serde_json::to_value(result).map_err(|error| ErrorData::internal_error(error.to_string(), None))
        })
    }

    /// Notifies the client. Nothing is sent to one that is gone.
    pub(super) async fn tell(&self, method: &str, params: Option<Value>) {
        let Some(peer) = &self.peer else { return };
        if let Ok(notification) = serde_json::from_value::<ServerNotification>(with(method, params)) {
            let _ = peer.send_notification(notification).await;
        }
    }
}

fn with(method: &str, params: Option<Value>) -> Value {
    match params {
        Some(params) => json!({"method": method, "params": params}),
        None => json!({"method": method}),
    }
}

fn failed(error: ServiceError) -> ErrorData {
    match error {
        ServiceError::McpError(error) => error,
        other => ErrorData::internal_error(format!("the client did not answer: {other}"), None),
    }
}
