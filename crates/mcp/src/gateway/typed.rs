//! The same door with the SDK's types: over HTTP it has one handler for each kind of request.
//!
//! Results are read into the SDK's types on the way, so a field that no revision of the protocol knows is not passed on
//! here. May not answer anything itself.
#![expect(deprecated, reason = "newer revisions of the protocol drop logging; older ones use it")]

use super::joined::Joined;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientNotification, ClientRequest,
    CompleteRequestParams, CompleteResult, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, NotificationNoParam, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Request,
    RequestOptionalParam, ServerConfig, SetLevelRequestParams, SubscribeRequestParams, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;

/// A gateway's door over HTTP.
pub(crate) struct TypedGateway(pub(crate) Joined);

type Asks = RequestContext<RoleServer>;

impl TypedGateway {
    async fn ask<T: DeserializeOwned>(&self, request: ClientRequest, context: Asks) -> Result<T, ErrorData> {
        let result = Box::pin(self.0.handle_request(request, context)).await?;
        let read = serde_json::to_value(result).and_then(serde_json::from_value);
        read.map_err(|error| ErrorData::internal_error(format!("the answer is not valid: {error}"), None))
    }

    async fn tell(&self, notification: ClientNotification, context: NotificationContext<RoleServer>) {
        // A notification gets no answer.
        let _ = self.0.handle_notification(notification, context).await;
    }
}

/// A page of a list, as a request.
fn page<M: Default>(
    params: Option<PaginatedRequestParams>,
) -> RequestOptionalParam<M, PaginatedRequestParams> {
    params.map(RequestOptionalParam::with_param).unwrap_or_default()
}

impl ServerHandler for TypedGateway {
    fn get_info(&self) -> ServerConfig {
        Service::<RoleServer>::get_info(&self.0)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.tool(name)
    }

    async fn initialize(
        &self,
        params: InitializeRequestParams,
        context: Asks,
    ) -> Result<InitializeResult, ErrorData> {
        self.ask(ClientRequest::InitializeRequest(Request::new(params)), context).await
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: Asks,
    ) -> Result<CompleteResult, ErrorData> {
        self.ask(ClientRequest::CompleteRequest(Request::new(params)), context).await
    }

    async fn set_level(&self, params: SetLevelRequestParams, context: Asks) -> Result<(), ErrorData> {
        self.0.handle_request(ClientRequest::SetLevelRequest(Request::new(params)), context).await.map(drop)
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: Asks,
    ) -> Result<GetPromptResponse, ErrorData> {
        let got = self.ask(ClientRequest::GetPromptRequest(Request::new(params)), context).await;
        got.map(|result: GetPromptResult| result.into())
    }

    async fn list_prompts(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Asks,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.ask(ClientRequest::ListPromptsRequest(page(params)), context).await
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Asks,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.ask(ClientRequest::ListResourcesRequest(page(params)), context).await
    }

    async fn list_resource_templates(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Asks,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.ask(ClientRequest::ListResourceTemplatesRequest(page(params)), context).await
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: Asks,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.ask(ClientRequest::ReadResourceRequest(Request::new(params)), context).await;
        read.map(|result: ReadResourceResult| result.into())
    }

    async fn subscribe(&self, params: SubscribeRequestParams, context: Asks) -> Result<(), ErrorData> {
        self.0.handle_request(ClientRequest::SubscribeRequest(Request::new(params)), context).await.map(drop)
    }

    async fn unsubscribe(&self, params: UnsubscribeRequestParams, context: Asks) -> Result<(), ErrorData> {
        self.0
            .handle_request(ClientRequest::UnsubscribeRequest(Request::new(params)), context)
            .await
            .map(drop)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: Asks,
    ) -> Result<CallToolResponse, ErrorData> {
        let called = self.ask(ClientRequest::CallToolRequest(Request::new(params)), context).await;
        called.map(|result: CallToolResult| result.into())
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Asks,
    ) -> Result<ListToolsResult, ErrorData> {
        self.ask(ClientRequest::ListToolsRequest(page(params)), context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let initialized = ClientNotification::InitializedNotification(NotificationNoParam::default());
        self.tell(initialized, context).await;
    }

    async fn on_progress(&self, params: ProgressNotificationParam, context: NotificationContext<RoleServer>) {
        let progress = rmcp::model::Notification::new(params);
        self.tell(ClientNotification::ProgressNotification(progress), context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        let changed = ClientNotification::RootsListChangedNotification(NotificationNoParam::default());
        self.tell(changed, context).await;
    }
}
