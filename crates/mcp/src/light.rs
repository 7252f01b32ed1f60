//! A service that boxes its futures, so that moving one moves a pointer.
//!
//! The SDK moves a handler's future some thirty times for each request, and its type has room
//! for the largest of all requests. May not change what is asked or answered.

use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, ProtocolVersion, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use std::borrow::Cow;
use std::future::Future;

/// The same service, with boxed futures.
pub(crate) struct Light<S>(pub(crate) S);

impl<S: Service<RoleServer>> Service<RoleServer> for Light<S> {
    fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ServerResult, ErrorData>> + Send + '_ {
        Box::pin(self.0.handle_request(request, context))
    }

    fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send + '_ {
        Box::pin(self.0.handle_notification(notification, context))
    }

    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.0.supported_protocol_versions()
    }
}
