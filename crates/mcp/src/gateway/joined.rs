//! The door of a gateway: what the house offers and what its children offer, as one server.
//!
//! Lists are the house's own, then the children's. A request about something of a child is forwarded; every other one is
//! answered by the house. May not know what a tool does.
#![expect(deprecated, reason = "newer revisions of the protocol drop logging and roots; older ones use them")]

use super::forward::Trouble;
use super::host::Host;
use super::household::{Household, Kind};
use super::link::Progress;
use super::listing::Listing;
use super::terms::{Gateway, Strictness};
use crate::answer::{Answer, Failure};
use crate::client::is_stateless;
use crate::server::{Beside, Server};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolResult, ClientNotification, ClientRequest, CompleteRequestParams, CustomResult, Implementation,
    InitializeRequestParams, Reference, ServerConfig, ServerResult, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};

/// Serves one client of a gateway.
pub(crate) struct Joined {
    house: Server,
    gateway: Arc<Gateway>,
    /// The children of this connection, once it needs any.
    own: OnceLock<Arc<Household>>,
}

type Answered = Result<ServerResult, ErrorData>;

impl Joined {
    /// Serves a client with what the house offers and what its children do.
    pub(crate) fn new(house: Server, gateway: Arc<Gateway>) -> Self {
        let house = house.beside(Beside { name: gateway.terms().name.clone() });
        Self { house, gateway, own: OnceLock::new() }
    }

    /// The tool of this name, whoever has it.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        let own = self.own.get().map(|household| household.found());
        let theirs = own.and_then(|lists| lists.tools().iter().find(|tool| tool.name == name).cloned());
        theirs.or_else(|| self.house.get_tool(name))
    }

    /// The children of a request.
    fn household(&self, context: &RequestContext<RoleServer>) -> Arc<Household> {
        if !is_stateless(context) {
            return Arc::clone(self.own.get_or_init(|| self.gateway.household()));
        }
        let household = self.gateway.common();
        if !household.is_greeted() {
            let name =
                context.client_info().unwrap_or_else(|| Implementation::new("runward", crate::VERSION));
            household.greet(Host::silent(name));
        }
        household
    }

    /// The client is known: its children are greeted, and with strictness must all come up.
    async fn meet(
        &self,
        client: InitializeRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let household = self.household(context);
        household.greet(Host::of(client.client_info, &client.capabilities, context.peer.clone()));
        if self.gateway.terms().start == Strictness::Degrade {
            return Ok(());
        }
        let failures = household.failures().await;
        if failures.is_empty() {
            return Ok(());
        }
        self.gateway.fail(&failures);
        let data = json!({"code": runward::Code::GatewayUnavailable.name(), "failures": failures});
        Err(ErrorData::internal_error(failures.join("; "), Some(data)))
    }

    async fn call(
        &self,
        request: ClientRequest,
        name: &str,
        context: RequestContext<RoleServer>,
    ) -> Answered {
        let household = self.household(&context);
        let found = |listing: &Listing| listing.tool(name).cloned();
        let origin = match found(&household.found()) {
            None if !self.house.has_tool(name) => household.sought(found).await,
            origin => origin,
        };
        let (Some(origin), ClientRequest::CallToolRequest(call)) = (origin, &request) else {
            return self.house.handle_request(request, context).await;
        };
        match household.forward_named(&origin, "tools/call", &call.params, &context).await {
            Ok(result) => passed(result),
            // What a model can see and act on.
            Err(Trouble::Down(down)) => Ok(CallToolResult::from(Answer::from(Failure::from(down))).into()),
            Err(other) => Err(other.into()),
        }
    }

    async fn prompt(
        &self,
        request: ClientRequest,
        name: &str,
        context: RequestContext<RoleServer>,
    ) -> Answered {
        let household = self.household(&context);
        let origin = household.sought(|listing| listing.prompt(name).cloned()).await;
        let (Some(origin), ClientRequest::GetPromptRequest(get)) = (origin, &request) else {
            return self.house.handle_request(request, context).await;
        };
        passed(household.forward_named(&origin, "prompts/get", &get.params, &context).await?)
    }

    /// A request about one address: reading it, or hearing when it changes.
    async fn resource(&self, request: ClientRequest, context: RequestContext<RoleServer>) -> Answered {
        let household = self.household(&context);
        let listing = household.listing().await;
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
            _ => return self.house.handle_request(request, context).await,
        };
        let server = listing.resource(uri).map(str::to_owned).or_else(|| household.mentioned.server(uri));
        let Some(server) = server.filter(|_| !uri.starts_with("runward://")) else {
            return self.house.handle_request(request, context).await;
        };
        let result = household.forward(&server, method, params, &context).await?;
        if let Some(child) = household.child(&server) {
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
        let household = self.household(&context);
        let listing = household.listing().await;
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
            Some(server) => {
                passed(household.forward(server, "completion/complete", written, &context).await?)
            }
            None => Err(ErrorData::invalid_params("there is nothing of that name to complete for", None)),
        }
    }

    /// The client wants to hear from this level on, of children too. Those that are down hear so when they come up.
    fn set_level(&self, level: &Value, context: &RequestContext<RoleServer>) {
        for child in self.household(context).children() {
            child.state.send_modify(|state| state.level = Some(level.clone()));
            let (link, params) = (child.state.borrow().link.clone(), json!({ "level": level }));
            let within = child.server().timeout;
            // Asked before the client hears that it is so: what the client asks next comes after it.
            let asked = link.map(|link| link.ask("logging/setLevel", params, Progress::Unwanted));
            if let Some(Ok(mut asked)) = asked {
                // A child without logging says no, and nobody minds.
                tokio::spawn(async move { drop(tokio::time::timeout(within, asked.next()).await) });
            }
        }
    }

    /// The lists of the house with those of the children behind.
    async fn lists(&self, request: ClientRequest, context: RequestContext<RoleServer>) -> Answered {
        let household = self.household(&context);
        let mut result = self.house.handle_request(request, context).await?;
        let kind = match &result {
            ServerResult::ListToolsResult(_) => Kind::Tools,
            ServerResult::ListPromptsResult(_) => Kind::Prompts,
            _ => Kind::Resources,
        };
        let listing = household.shown(kind).await;
        match &mut result {
            ServerResult::ListToolsResult(list) => list.tools.extend_from_slice(listing.tools()),
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

fn passed(result: Value) -> Answered {
    Ok(ServerResult::CustomResult(CustomResult(result)))
}

impl Service<RoleServer> for Joined {
    async fn handle_request(&self, request: ClientRequest, context: RequestContext<RoleServer>) -> Answered {
        match &request {
            ClientRequest::InitializeRequest(hello) => {
                self.meet(hello.params.clone(), &context).await?;
                self.house.handle_request(request, context).await
            }
            ClientRequest::ListToolsRequest(_)
            | ClientRequest::ListPromptsRequest(_)
            | ClientRequest::ListResourcesRequest(_)
            | ClientRequest::ListResourceTemplatesRequest(_) => Box::pin(self.lists(request, context)).await,
            ClientRequest::CallToolRequest(call) => {
                let name = call.params.name.clone();
                Box::pin(self.call(request, &name, context)).await
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
                self.house.handle_request(request, context).await
            }
            _ => self.house.handle_request(request, context).await,
        }
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if let Some(household) = self.own.get() {
            match &notification {
                ClientNotification::ProgressNotification(progress) => {
                    household.returning().progressed(&progress.params.progress_token, json!(progress.params));
                }
                ClientNotification::RootsListChangedNotification(_) => {
                    let links =
                        household.children().into_iter().map(|child| child.state.borrow().link.clone());
                    links.flatten().for_each(|link| link.tell("notifications/roots/list_changed", None));
                }
                _ => {}
            }
        }
        self.house.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::<RoleServer>::get_info(&self.house)
    }
}

impl Drop for Joined {
    /// The client is gone, and its children go with it.
    fn drop(&mut self) {
        if let Some(household) = self.own.get() {
            household.close();
        }
    }
}
