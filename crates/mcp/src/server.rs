//! The handler: what the protocol asks, answered from the table of tools, the client's shelf and the engine.
//!
//! May not know a tool, a transport or a rule.

use crate::answer::Answer;
use crate::asking::{self, Asking, Round, Rounds};
use crate::audience::{Audience, News};
use crate::client::{self, Client};
use crate::flows::{self, Flows, Reading};
use crate::line::{Line, Switch};
use crate::log::{self, Weight};
use crate::offer::Offer;
use crate::resources;
use crate::roots;
use crate::tools::{self, Call, Came, Chosen, Errand};
use crate::veil::Veil;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams, GetPromptResponse,
    Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, Peer, RoleServer};
use runward::core::facts::Backslashes;
use runward::languages::Languages;
use runward::sessions::Sessions;
use runward::toolkit::{AgentToolkit, ToolkitGround, create_agent_toolkit};
use runward::{Door, Policy};
use runward_flow::run::Published;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

const INSTRUCTIONS: &str = "Runward runs commands on this host. Every command is judged by the owner's rules, limited, \
killed whole at its time limit or when you cancel, and accounted for. `execute_command` runs one short command to its \
end; `start_command` starts anything interactive or long-running. A refusal is an answer that says which rule refused \
and what can be done; asking again in other words does not change it. Long output is shown with its head and tail; the \
rest can be read as a resource, `runward://exec/ID/stdout?offset=BYTES&length=BYTES`.";

const NOTHING_RUNS: &str = "No command is allowed here yet, so every call is refused. Tell the person to start the server \
    with `--preset readonly` (or `--preset build` besides), or to set ALLOWED_COMMANDS.";

const CHILDREN: &str = "Tools and prompts whose names have two parts, `SERVER__name`, come from other servers that \
Runward has joined. One that is down answers with an error that says when it is tried again.";

/// What all clients of one server share: the road and its sessions, the tools on offer, the workspace.
#[derive(Debug)]
pub struct Desk {
    sessions: Sessions,
    offer: Offer,
    /// Made once: whoever can swap the workspace for a link later must not move it.
    toolkit: AgentToolkit,
    languages: Arc<Languages>,
    flows: Option<Arc<Flows>>,
    audience: Audience,
    /// Whether secrets are shown in answers.
    shows_secrets: AtomicBool,
}

impl Desk {
    /// A desk with a book of sessions. The workspace is a folder that exists.
    pub fn new(
        sessions: Sessions,
        offer: Offer,
        workspace: PathBuf,
        languages: Languages,
        flows: Option<Flows>,
    ) -> Arc<Self> {
        let ground =
            ToolkitGround { door: Door::Mcp, ..ToolkitGround::new(sessions.engine().clone(), workspace) };
        let toolkit = create_agent_toolkit(ground);
        let (languages, audience) = (Arc::new(languages), Audience::default());
        let (flows, shows_secrets) = (flows.map(Arc::new), AtomicBool::new(false));
        Arc::new(Self { sessions, offer, toolkit, languages, flows, audience, shows_secrets })
    }

    /// Answers show secrets from now on: the owner wants it so.
    pub fn show_secrets(&self) {
        self.shows_secrets.store(true, Ordering::Relaxed);
    }

    /// What hides secrets in answers.
    fn veil(&self) -> Veil {
        if self.shows_secrets.load(Ordering::Relaxed) {
            return Veil::off();
        }
        Veil::of(self.sessions.engine().redactor())
    }

    /// Whether there are tools for commands, and no rule that could ever let one run.
    pub fn refuses_everything(&self) -> bool {
        let policy = self.sessions.engine().policy();
        let tools = ["execute_command", "start_command", "exec_command", "exec"];
        let mut offered = tools.into_iter().filter(|tool| self.offer.has(tool)).peekable();
        offered.peek().is_some() && offered.all(|tool| !policy.opens(tool))
    }

    /// Puts other rules in force, under which the tools of markdown agents are open. Those are read again.
    pub fn set_policy(&self, policy: Policy) {
        let agents = self.agents();
        let policy = agents.iter().fold(policy, |policy, agent| policy.grant(&agent.tool, flows::OPENED));
        self.sessions.engine().set_policy(policy);
    }

    /// Reads the markdown agents again, and tells whoever should know what changed. Needs a tokio runtime once there are
    /// clients.
    pub fn reread_flows(&self) {
        self.agents();
    }

    /// The markdown agents, as they are now.
    fn agents(&self) -> Vec<Published> {
        let Some(flows) = &self.flows else { return Vec::new() };
        let Reading { agents, news, changed } = flows.read();
        for agent in &agents {
            self.sessions.engine().grant(&agent.tool, flows::OPENED);
        }
        news.iter().for_each(|sentence| self.announce(News::Trouble, sentence));
        if changed {
            self.audience.lists_changed();
        }
        agents
    }

    /// The tool of that name, if it is offered.
    fn tool(&self, name: &str) -> Option<Chosen> {
        if let Some(row) = tools::find(name) {
            return self.offer.has(row.name).then_some(Chosen::Row(row));
        }
        let flows = self.flows.as_ref()?;
        let agent = self.agents().into_iter().find(|agent| agent.tool == name && flows::is_tool(agent))?;
        Some(Chosen::Agent(Arc::clone(flows), Box::new(agent)))
    }

    /// Tells every client that wants to hear that much how the server fares.
    pub fn announce(&self, news: News, sentence: &str) {
        self.audience.tell(news, sentence, self.sessions.engine().redactor());
    }

    /// Stops everything that runs and waits until nothing is left.
    pub(crate) async fn close(&self) {
        self.sessions.engine().shutdown().await;
    }
}

/// Serves one client.
pub(crate) struct Server {
    desk: Arc<Desk>,
    /// The client of this connection.
    own: Arc<Client>,
    /// Where requests come without a connection of their own, the client that all of them belong to.
    common: Option<Arc<Client>>,
    /// Whether the client of this connection hears news.
    met: Once,
    /// What else is offered through the same door.
    beside: Option<Beside>,
}

/// What is offered beside what the house has: child servers, under the name of a gateway.
#[derive(Debug, Clone)]
pub(crate) struct Beside {
    /// What the gateway calls itself.
    pub(crate) name: Option<String>,
}

impl Server {
    /// Serves the one client of a connection.
    pub(crate) fn new(desk: Arc<Desk>) -> Self {
        Self { desk, own: Arc::default(), common: None, met: Once::new(), beside: None }
    }

    /// Serves a client that may send requests outside any connection.
    pub(crate) fn sharing(desk: Arc<Desk>, common: Arc<Client>) -> Self {
        Self { desk, own: Arc::default(), common: Some(common), met: Once::new(), beside: None }
    }

    /// The same server, which says that there is more behind its door.
    #[must_use]
    pub(crate) fn beside(mut self, beside: Beside) -> Self {
        self.beside = Some(beside);
        self
    }

    /// Whether the house itself has a tool of this name.
    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.desk.tool(name).is_some()
    }

    /// Whose request this is. One that carries its own protocol version belongs to no connection.
    fn client(&self, context: &RequestContext<RoleServer>) -> &Arc<Client> {
        match &self.common {
            Some(common) if context.meta.protocol_version().is_some() => common,
            _ => &self.own,
        }
    }

    /// Begins a call, with its own way of asking a person.
    fn begin(
        &self,
        chosen: Chosen,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Errand {
        let line = Switch::new(Line::of(context, &self.client(context).threshold));
        let (call, rounds) = self.call(chosen.name(), context, line);
        Errand::begin(chosen, call, arguments, rounds)
    }

    /// Goes on with a call that waited for a person's answer, if it is this very call.
    fn resume(&self, request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Resumed {
        let client = self.client(context);
        let this = |errand: &Errand| errand.is(&request.name, request.arguments.as_ref());
        let state = request.request_state.as_deref().unwrap_or_default();
        let Some((errand, round)) = client.parked.take(state, this) else { return Resumed::Unknown };
        errand.moves_to(Line::of(context, &client.threshold));
        match round.settle(request.input_responses.as_ref()) {
            None => Resumed::Settled(errand),
            Some(round) => Resumed::Open(errand, round),
        }
    }

    /// A call of a tool. Questions to its client that need a round of their own come out of the receiver.
    fn call(&self, tool: &str, context: &RequestContext<RoleServer>, line: Switch) -> (Call, Option<Rounds>) {
        let name = context.client_info().map(|client| client.name);
        let queue = self.desk.sessions.engine().questions().clone();
        let (asking, rounds) = Asking::of(context, name.clone(), line.clone(), queue);
        let call = Call {
            sessions: self.desk.sessions.asking(asking),
            client: Arc::clone(self.client(context)),
            caller: client::caller(tool, name),
            line,
            toolkit: self.desk.toolkit.clone(),
            roots: declares_roots(context).then(|| self.backslashes()),
            languages: Arc::clone(&self.desk.languages),
            veil: self.desk.veil(),
        };
        (call, rounds)
    }

    /// Begins a call, or goes on with one, and says what it has come to.
    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.meet_in(&context);
        let unknown =
            || ErrorData::invalid_params(format!("there is no tool named `{}`", request.name), None);
        let chosen = self.desk.tool(&request.name).ok_or_else(unknown)?;
        let came = match &request.request_state {
            None => self.begin(chosen, request.arguments, &context).go_on(context.ct.clone()).await,
            Some(_) => match self.resume(&request, &context) {
                Resumed::Settled(errand) => errand.go_on(context.ct.clone()).await,
                Resumed::Open(errand, round) => Came::Question(errand, round),
                Resumed::Unknown => Came::Answer(asking::not_open().into()),
            },
        };
        Ok(match came {
            Came::Answer(answer) => CallToolResult::from(answer).into(),
            Came::Question(errand, round) => match self.client(&context).parked.put(errand, round) {
                Ok(question) => question.into(),
                Err(refusal) => CallToolResult::from(Answer::from(refusal)).into(),
            },
        })
    }

    /// The client is there. Handlers run side by side, so whichever is first says so.
    fn meet(&self, peer: &Peer<RoleServer>) {
        self.met.call_once(|| self.desk.audience.add(&self.own, peer));
    }

    /// The same in a request, which must be before anything is found that clients are told of. One that stands for itself
    /// has no client that could be told.
    fn meet_in(&self, context: &RequestContext<RoleServer>) {
        if !client::is_stateless(context) {
            self.meet(&context.peer);
        }
    }

    /// Tells a client which agents it will not find.
    async fn tell_of_troubles(&self, peer: &Peer<RoleServer>) {
        for sentence in self.desk.flows.iter().flat_map(|flows| flows.troubles()) {
            let fields = json!({ "message": sentence });
            let redactor = self.desk.sessions.engine().redactor();
            log::tell(peer, self.own.threshold.hearing(), redactor, Weight::Trouble, fields).await;
        }
    }

    fn backslashes(&self) -> Backslashes {
        self.desk.sessions.engine().facts().naming.backslashes
    }

    /// Asks the client for its roots, if it has any and a tool would use them.
    async fn ask_for_roots(&self, context: &NotificationContext<RoleServer>) {
        let declared = context.peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
        if declared && self.desk.offer.has(tools::WORKSPACE_BOUND) {
            roots::ask(&self.own, &context.peer, self.backslashes()).await;
        }
    }
}

/// What can be done where child servers are behind the door: everything that one of them might.
fn with_children(mut can: ServerCapabilities) -> ServerCapabilities {
    let more = ServerCapabilities::builder()
        .enable_tools()
        .enable_tool_list_changed()
        .enable_prompts()
        .enable_prompts_list_changed()
        .enable_resources()
        .enable_resources_list_changed()
        .enable_resources_subscribe()
        .enable_completions()
        .build();
    (can.tools, can.prompts, can.resources) = (more.tools, more.prompts, more.resources);
    can.completions = more.completions;
    can
}

/// Whether the client of a request has roots that it can be asked for.
fn declares_roots(context: &RequestContext<RoleServer>) -> bool {
    !client::is_stateless(context) && context.client_capabilities().is_some_and(|can| can.roots.is_some())
}

/// What became of a request that goes on with an earlier one.
enum Resumed {
    /// It goes on.
    Settled(Errand),
    /// The question was not answered.
    Open(Errand, Round),
    /// Nothing waits under that name, or something else does.
    Unknown,
}

impl Drop for Server {
    /// The client is gone, and its sessions and questions go with it.
    fn drop(&mut self) {
        self.own.parked.clear();
        let (desk, client) = (Arc::clone(&self.desk), Arc::clone(&self.own));
        // Without a runtime everything is over anyway: the desk was closed.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { desk.sessions.end_owner(&client.owner).await });
        }
    }
}

impl ServerHandler for Server {
    #[expect(
        deprecated,
        reason = "newer revisions of the protocol drop logging; clients of older ones use it"
    )]
    fn get_info(&self) -> ServerConfig {
        let mut capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_logging().build();
        if self.desk.flows.is_some() {
            let more = ServerCapabilities::builder().enable_prompts().enable_prompts_list_changed();
            let more = more.enable_tools().enable_tool_list_changed().build();
            (capabilities.prompts, capabilities.tools) = (more.prompts, more.tools);
        }
        let (mut name, mut instructions) = ("runward", vec![INSTRUCTIONS]);
        instructions.extend(self.desk.refuses_everything().then_some(NOTHING_RUNS));
        if let Some(beside) = &self.beside {
            capabilities = with_children(capabilities);
            instructions.retain(|_| !self.desk.offer.is_empty());
            instructions.push(CHILDREN);
            name = beside.name.as_deref().unwrap_or(name);
        }
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(name, crate::VERSION))
            .with_instructions(instructions.join(" "))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.meet(&context.peer);
        self.tell_of_troubles(&context.peer).await;
        self.ask_for_roots(&context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.own.roots.forget();
        self.ask_for_roots(&context).await;
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.meet_in(&context);
        let offered = tools::TABLE.iter().filter(|row| self.desk.offer.has(row.name));
        let mut all: Vec<Tool> = offered.map(|row| (row.definition)()).collect();
        all.extend(self.desk.agents().iter().filter(|agent| flows::is_tool(agent)).map(flows::definition));
        Ok(ListToolsResult::with_all_items(all))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.desk.tool(name).map(|chosen| chosen.definition())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.meet_in(&context);
        Ok(ListPromptsResult::with_all_items(flows::prompts(&self.desk.agents())))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.meet_in(&context);
        let agent = self.desk.agents().into_iter().find(|agent| agent.name == request.name);
        let (Some(agent), Some(flows)) = (agent, &self.desk.flows) else {
            let message = format!("there is no prompt named `{}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let line = Switch::new(Line::of(&context, &self.client(&context).threshold));
        // Where a question would need a request of its own, nobody is asked: prompts are got in one.
        let (call, _) = self.call(&agent.tool, &context, line);
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the request was cancelled", None)),
            prompt = Box::pin(flows::get(flows, &agent, &call, request.arguments)) => prompt.map(Into::into),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // The SDK moves what a handler is doing from place to place; a pointer is moved faster than a whole call.
        Box::pin(self.answer(request, context)).await
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources::list(self.client(&context)))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        // Whoever runs no commands has no output of commands.
        if self.desk.offer.is_empty() {
            return Ok(ListResourceTemplatesResult::default());
        }
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(self.client(&context), &request.uri, &self.desk.veil()).await.map(Into::into)
    }

    #[expect(
        deprecated,
        reason = "newer revisions of the protocol drop logging; clients of older ones use it"
    )]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.meet(&context.peer);
        self.client(&context).threshold.set(request.level);
        Ok(())
    }
}
