//! The door of a gateway: Runward's own tools and those of its child servers, as one server.
//!
//! Lists are Runward's own, then the children's. A request about something of a child is forwarded; every other one is
//! answered by the children. May not know what a tool does.
#![expect(deprecated, reason = "newer revisions of the protocol drop logging and roots; older ones use them")]

use super::children::{ChildServers, ListingKind};
use super::forward::ForwardTrouble;
use super::host::ClientProxy;
use super::link::ProgressWish;
use super::listing::{Listing, PassedTool};
use super::search::{self, ToolQuery};
use super::terms::{Gateway, OfferedTools, Strictness};
use crate::answer::{CallFailure, ToolAnswer};
use crate::client::is_stateless;
use crate::server::{GatewayOffer, McpServer};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequest, CallToolResult, ClientNotification, ClientRequest, CompleteRequestParams, CustomResult,
    ErrorCode, Implementation, InitializeRequestParams, JsonObject, Reference, ServerConfig, ServerResult,
    Tool,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};

/// Serves one client of a gateway.
pub(crate) struct Joined {
    children: McpServer,
    gateway: Arc<Gateway>,
    /// The children of this connection, once it needs any.
    own: OnceLock<Arc<ChildServers>>,
}

type Answered = Result<ServerResult, ErrorData>;

impl Joined {
    /// Serves a client with Runward's own tools and those of its children.
    pub(crate) fn new(children: McpServer, gateway: Arc<Gateway>) -> Self {
        let children = children.beside(GatewayOffer { name: gateway.terms().name.clone() });
        Self { children, gateway, own: OnceLock::new() }
    }

    /// The tool of this name, Runward's own or a child's.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        let own = self.own.get().map(|children| children.found());
        let found =
            |lists: Arc<Listing>| Some(Tool::clone(lists.tools().iter().find(|tool| tool.name == name)?));
        let theirs = own.and_then(found);
        let search = || search::definitions().into_iter().find(|tool| self.searches() && tool.name == name);
        theirs.or_else(|| self.children.get_tool(name)).or_else(search)
    }

    /// Whether the children's tools are found instead of listed.
    fn searches(&self) -> bool {
        self.gateway.terms().offered == OfferedTools::BySearch
    }

    /// Answers `find_tool`.
    async fn find(&self, arguments: Option<&JsonObject>, children: &ChildServers) -> ToolAnswer {
        match ToolQuery::read(arguments) {
            Ok(query) => {
                let listing = children.remembered().await;
                query.answer(listing.tools(), &children.down())
            }
            Err(failure) => failure.into(),
        }
    }

    /// A call in the words of `find_tool` and `call_tool`.
    async fn call_by_search(
        &self,
        mut call: CallToolRequest,
        context: RequestContext<RoleServer>,
    ) -> Answered {
        if call.params.name == search::FIND {
            let children = self.children(&context);
            let answer = self.find(call.params.arguments.as_ref(), &children).await;
            return Ok(CallToolResult::from(answer).into());
        }
        match search::called(call.params.arguments.take()) {
            Ok((name, arguments)) => {
                call.params.name = name.clone().into();
                call.params.arguments = arguments;
                let called = self.call(ClientRequest::CallToolRequest(call), &name, context).await;
                called.or_else(|error| seen_by_models(error, &name))
            }
            Err(failure) => Ok(CallToolResult::from(ToolAnswer::from(failure)).into()),
        }
    }

    /// The children of a request.
    fn children(&self, context: &RequestContext<RoleServer>) -> Arc<ChildServers> {
        if !is_stateless(context) {
            return Arc::clone(self.own.get_or_init(|| self.gateway.children()));
        }
        let children = self.gateway.common();
        if !children.is_greeted() {
            let name =
                context.client_info().unwrap_or_else(|| Implementation::new("runward", crate::VERSION));
            children.greet(ClientProxy::silent(name));
        }
        children
    }

    /// The client is known: its children are initialized, and with `--strict` must all start.
    async fn meet(
        &self,
        client: InitializeRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let children = self.children(context);
        children.greet(ClientProxy::of(client.client_info, &client.capabilities, context.peer.clone()));
        if self.gateway.terms().start == Strictness::Degrade {
            return Ok(());
        }
        let failures = children.failures().await;
        if failures.is_empty() {
            return Ok(());
        }
        self.gateway.fail(&failures);
        let data = json!({"code": runward_engine::Code::GatewayUnavailable.name(), "failures": failures});
        Err(ErrorData::internal_error(failures.join("; "), Some(data)))
    }

    async fn call(
        &self,
        request: ClientRequest,
        name: &str,
        context: RequestContext<RoleServer>,
    ) -> Answered {
        let children = self.children(&context);
        let found = |listing: &Listing| listing.tool(name).cloned();
        let origin = match found(&children.found()) {
            None if !self.children.has_tool(name) => match children.absent(name).await {
                // What a model can see and act on.
                Some(down) => {
                    return Ok(CallToolResult::from(ToolAnswer::from(CallFailure::from(down))).into());
                }
                None => children.sought(found).await,
            },
            origin => origin,
        };
        let (Some(origin), ClientRequest::CallToolRequest(call)) = (origin, &request) else {
            return self.children.handle_request(request, context).await;
        };
        match children.forward_named(&origin, "tools/call", &call.params, &context).await {
            Ok(result) => passed(result),
            // What a model can see and act on.
            Err(ForwardTrouble::Down(down)) => {
                Ok(CallToolResult::from(ToolAnswer::from(CallFailure::from(down))).into())
            }
            Err(other) => Err(other.into()),
        }
    }

    async fn prompt(
        &self,
        request: ClientRequest,
        name: &str,
        context: RequestContext<RoleServer>,
    ) -> Answered {
        let children = self.children(&context);
        let found = |listing: &Listing| listing.prompt(name).cloned();
        let origin = match found(&children.found()) {
            None => match children.absent(name).await {
                Some(down) => return Err(ForwardTrouble::Down(down).into()),
                None => children.sought(found).await,
            },
            origin => origin,
        };
        let (Some(origin), ClientRequest::GetPromptRequest(get)) = (origin, &request) else {
            return self.children.handle_request(request, context).await;
        };
        passed(children.forward_named(&origin, "prompts/get", &get.params, &context).await?)
    }

    /// A request about one address: reading it, or subscribing to it.
    async fn resource(&self, request: ClientRequest, context: RequestContext<RoleServer>) -> Answered {
        let children = self.children(&context);
        let listing = children.listing().await;
        let (method, uri, params) = match &request {
            ClientRequest::ReadResourceRequest(read) => {
                ("resources/read", &read.params.uri, json!(read.params))
            }
            ClientRequest::SubscribeRequest(ask) => {
                ("resources/subscribe", &ask.params.uri, json!(ask.params))
            }
            ClientRequest::UnsubscribeRequest(ask) => {
                ("resources/unsubscribe", &ask.params.uri, json!(ask.params))
            }
            _ => return self.children.handle_request(request, context).await,
        };
        let server = listing.resource(uri).map(str::to_owned).or_else(|| children.mentioned.server(uri));
        let ours = uri.starts_with("runward://");
        let Some(server) = server.filter(|_| !ours) else {
            let uri = uri.clone();
            let answered = self.children.handle_request(request, context).await;
            // A server that is down may have it.
            let down = children.unlisted();
            return match (answered, down.first()) {
                (Err(_), Some(first)) if !ours => {
                    Err(ForwardTrouble::Down(first.clone().seeking(&uri, down.len() - 1)).into())
                }
                (answered, _) => answered,
            };
        };
        let result = children.forward(&server, method, params, &context).await?;
        if let Some(child) = children.child(&server) {
            child.state.send_modify(|state| match method {
                "resources/subscribe" => drop(state.subscribed.insert(uri.clone())),
                "resources/unsubscribe" => drop(state.subscribed.remove(uri)),
                _ => {}
            });
        }
        passed(result)
    }

    async fn completion(
        &self,
        params: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answered {
        let children = self.children(&context);
        let listing = children.listing().await;
        let mut written = json!(params);
        let server = match &params.r#ref {
            Reference::Prompt(prompt) => listing.prompt(&prompt.name).map(|origin| {
                written["ref"]["name"] = Value::from(origin.name.clone());
                origin.server.as_str()
            }),
            Reference::Resource(resource) => {
                listing.template(&resource.uri).or_else(|| listing.resource(&resource.uri))
            }
            _ => None,
        };
        match server {
            Some(server) => passed(children.forward(server, "completion/complete", written, &context).await?),
            None => {
                let down = match &params.r#ref {
                    Reference::Prompt(prompt) => children.absent(&prompt.name).await,
                    _ => children.unlisted().into_iter().next(),
                };
                let nothing =
                    || ErrorData::invalid_params("there is nothing of that name to complete for", None);
                Err(down.map_or_else(nothing, |down| ForwardTrouble::Down(down).into()))
            }
        }
    }

    /// The client sets the log level, of children too. Those that are down get it when they start.
    fn set_level(&self, level: &Value, context: &RequestContext<RoleServer>) {
        for child in self.children(context).children() {
            child.state.send_modify(|state| state.level = Some(level.clone()));
            let (link, params) = (child.state.borrow().link.clone(), json!({ "level": level }));
            let within = child.server().timeout;
            // Sent before the client gets its answer: the client's next request comes after it.
            let asked = link.map(|link| link.ask_now("logging/setLevel", params, ProgressWish::Unwanted));
            if let Some(Ok(mut asked)) = asked {
                // A child without logging answers with an error, which is ignored.
                tokio::spawn(async move { drop(tokio::time::timeout(within, asked.next()).await) });
            }
        }
    }

    /// Runward's own lists, then those of the children.
    async fn lists(&self, request: ClientRequest, context: RequestContext<RoleServer>) -> Answered {
        let children = self.children(&context);
        let mut result = self.children.handle_request(request, context).await?;
        if let ServerResult::ListToolsResult(list) = &mut result
            && self.searches()
        {
            list.tools.extend(search::definitions());
            return Ok(result);
        }
        let kind = match &result {
            ServerResult::ListToolsResult(_) => ListingKind::Tools,
            ServerResult::ListPromptsResult(_) => ListingKind::Prompts,
            _ => ListingKind::Resources,
        };
        let listing = children.shown(kind).await;
        match &mut result {
            ServerResult::ListToolsResult(list) => return passed(with_tools(json!(list), listing.tools())),
            ServerResult::ListPromptsResult(list) => list.prompts.extend_from_slice(listing.prompts()),
            ServerResult::ListResourcesResult(list) => list.resources.extend_from_slice(listing.resources()),
            ServerResult::ListResourceTemplatesResult(list) => {
                list.resource_templates.extend_from_slice(listing.templates());
            }
            _ => {}
        }
        Ok(result)
    }
}

/// A name that no tool has was chosen by a model, which sees answers and no errors of the protocol.
fn seen_by_models(error: ErrorData, name: &str) -> Answered {
    if error.code != ErrorCode::INVALID_PARAMS {
        return Err(error);
    }
    let message = format!("there is no tool named `{name}`");
    let failure = CallFailure::bad_value(message, "Look for it with `find_tool`.");
    Ok(CallToolResult::from(ToolAnswer::from(failure)).into())
}

/// A list with the children's tools behind our own, each as its child wrote it.
fn with_tools(mut list: Value, theirs: &[PassedTool]) -> Value {
    if let Some(Value::Array(tools)) = list.get_mut("tools") {
        tools.extend(theirs.iter().map(|tool| json!(tool)));
    }
    list
}

fn passed(result: Value) -> Answered {
    Ok(ServerResult::CustomResult(CustomResult(result)))
}

impl Service<RoleServer> for Joined {
    async fn handle_request(&self, request: ClientRequest, context: RequestContext<RoleServer>) -> Answered {
        match &request {
            ClientRequest::InitializeRequest(hello) => {
                self.meet(hello.params.clone(), &context).await?;
                self.children.handle_request(request, context).await
            }
            ClientRequest::ListToolsRequest(_)
            | ClientRequest::ListPromptsRequest(_)
            | ClientRequest::ListResourcesRequest(_)
            | ClientRequest::ListResourceTemplatesRequest(_) => Box::pin(self.lists(request, context)).await,
            ClientRequest::CallToolRequest(call) => {
                let name = call.params.name.clone();
                let searched = self.searches() && [search::FIND, search::CALL].contains(&&*name);
                match request {
                    ClientRequest::CallToolRequest(call) if searched => {
                        Box::pin(self.call_by_search(call, context)).await
                    }
                    request => Box::pin(self.call(request, &name, context)).await,
                }
            }
            ClientRequest::GetPromptRequest(get) => {
                let name = get.params.name.clone();
                Box::pin(self.prompt(request, &name, context)).await
            }
            ClientRequest::ReadResourceRequest(_)
            | ClientRequest::SubscribeRequest(_)
            | ClientRequest::UnsubscribeRequest(_) => Box::pin(self.resource(request, context)).await,
            ClientRequest::CompleteRequest(complete) => {
                let params = complete.params.clone();
                Box::pin(self.completion(params, context)).await
            }
            ClientRequest::SetLevelRequest(set) => {
                self.set_level(&json!(set.params.level), &context);
                self.children.handle_request(request, context).await
            }
            _ => self.children.handle_request(request, context).await,
        }
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if let Some(children) = self.own.get() {
            match &notification {
                ClientNotification::ProgressNotification(progress) => {
                    children.returning().progressed(&progress.params.progress_token, json!(progress.params));
                }
                ClientNotification::RootsListChangedNotification(_) => {
                    let links =
                        children.children().into_iter().map(|child| child.state.borrow().link.clone());
                    links.flatten().for_each(|link| link.tell("notifications/roots/list_changed", None));
                }
                _ => {}
            }
        }
        self.children.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::<RoleServer>::get_info(&self.children)
    }
}

impl Drop for Joined {
    /// The client is gone, and its children go with it.
    fn drop(&mut self) {
        if let Some(children) = self.own.get() {
            children.close();
        }
    }
}
