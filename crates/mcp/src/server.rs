//! The handler: answers the protocol's requests from the table of tools, the finished commands and the engine.
//!
//! May not know a tool, a transport or a rule.

use crate::answer::ToolAnswer;
use crate::asking::{self, CallApprover, QuestionRound, Rounds};
use crate::audience::{Audience, News};
use crate::client::{self, ClientState};
use crate::flows::{self, AgentsReading, Flows};
use crate::line::{ClientChannel, CurrentChannel};
use crate::log::{self, Weight};
use crate::offer::Offer;
use crate::resources;
use crate::roots;
use crate::shown;
use crate::tools::{self, CallInFlight, CallProgress, ChosenTool, ToolCall};
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
use runward_engine::config::AnswerSettings;
use runward_engine::core::facts::Backslashes;
use runward_engine::core::policy::NO_RULES;
use runward_engine::languages::Languages;
use runward_engine::registry::Sessions;
use runward_engine::toolkit::{AgentToolkit, ToolkitGround, create_agent_toolkit};
use runward_engine::{Door, Policy};
use runward_flow::run::Published;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Once, OnceLock};

const INSTRUCTIONS: &str = "Runward runs commands on this host. Every command is checked against the owner's policy, \
limited, killed with everything it started at its time limit or when you cancel, and logged. `execute_command` runs one \
short command to its end; `start_command` starts anything interactive or long-running. A refusal is an answer that says \
which rule refused and what can be done; asking again in other words does not change it. What a long answer leaves out \
is counted, with the `read_output` call that returns it.";

const CHILDREN: &str = "Tools and prompts whose names have two parts, `SERVER__name`, come from other servers that \
Runward has joined. One that is down answers with an error that says when it is tried again.";

/// What all clients of one server share: the road and its sessions, the tools on offer, the workspace.
#[derive(Debug)]
pub struct ServerState {
    sessions: Sessions,
    offer: Offer,
    /// Resolved once: replacing the workspace by a link later must not move it.
    toolkit: AgentToolkit,
    languages: Arc<Languages>,
    flows: Option<Arc<Flows>>,
    audience: Audience,
    /// How answers are made; what is built in, unless the owner says otherwise.
    answers: OnceLock<Arc<AnswerSettings>>,
}

impl ServerState {
    /// A state with a registry of sessions. The workspace is a folder that exists.
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
        let (flows, answers) = (flows.map(Arc::new), OnceLock::new());
        Arc::new(Self { sessions, offer, toolkit, languages, flows, audience, answers })
    }

    /// Answers are made so, as the owner wants them. Once, before the first call.
    pub fn answer_with(&self, answers: AnswerSettings) {
        // A second time changes nothing: half of a conversation would follow other rules.
        let _ = self.answers.set(Arc::new(answers));
    }

    /// How answers are made.
    fn answers(&self) -> Arc<AnswerSettings> {
        Arc::clone(self.answers.get_or_init(Arc::default))
    }

    /// An answer for the wire, with structured content where the owner wants it.
    fn result(&self, answer: ToolAnswer) -> CallToolResult {
        let mut result = CallToolResult::from(answer);
        if !self.answers().structured {
            result.structured_content = None;
        }
        result
    }

    /// A tool for clients. One that answers without structured content may not promise any.
    fn listed(&self, mut tool: Tool) -> Tool {
        if !self.answers().structured {
            tool.output_schema = None;
        }
        tool
    }

    /// The masker of secrets in answers.
    fn veil(&self) -> Veil {
        if self.answers().mask { Veil::of(self.sessions.engine().redactor()) } else { Veil::off() }
    }

    /// Whether there are tools for commands, and no rule that could ever let one run.
    pub fn refuses_everything(&self) -> bool {
        let policy = self.sessions.engine().policy();
        let tools = ["execute_command", "start_command", "exec_command", "exec"];
        let mut offered = tools.into_iter().filter(|tool| self.offer.has(tool)).peekable();
        offered.peek().is_some() && offered.all(|tool| !policy.opens(tool))
    }

    /// Puts other rules in force, under which the tools of markdown agents are allowed. Those are read again.
    pub fn set_policy(&self, policy: Policy) {
        let agents = self.agents();
        let policy = agents.iter().fold(policy, |policy, agent| policy.grant(&agent.tool, flows::OPENED));
        self.sessions.engine().set_policy(policy);
    }

    /// Reads the markdown agents again, and notifies clients of changes. Needs a tokio runtime once there are
    /// clients.
    pub fn reread_flows(&self) {
        self.agents();
    }

    /// The markdown agents, as they are now.
    fn agents(&self) -> Vec<Published> {
        let Some(flows) = &self.flows else { return Vec::new() };
        let AgentsReading { agents, news, changed } = flows.read();
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
    fn tool(&self, name: &str) -> Option<ChosenTool> {
        if let Some(row) = tools::find(name) {
            return self.offer.has(row.name).then_some(ChosenTool::Row(row));
        }
        let flows = self.flows.as_ref()?;
        let agent = self.agents().into_iter().find(|agent| agent.tool == name && flows::is_tool(agent))?;
        Some(ChosenTool::Agent(Arc::clone(flows), Box::new(agent)))
    }

    /// Sends a log message about the server to every client that wants this level.
    pub fn announce(&self, news: News, sentence: &str) {
        self.audience.tell(news, sentence, self.sessions.engine().redactor());
    }

    /// Stops everything that runs and waits until nothing is left.
    pub(crate) async fn close(&self) {
        self.sessions.engine().shutdown().await;
    }
}

/// Serves one client.
pub(crate) struct McpServer {
    state: Arc<ServerState>,
    /// The client of this connection.
    own: Arc<ClientState>,
    /// Where requests come without a connection of their own, the client that all of them belong to.
    common: Option<Arc<ClientState>>,
    /// Whether the client of this connection gets notifications.
    met: Once,
    /// What else is offered through the same door.
    beside: Option<GatewayOffer>,
}

/// What is offered beside Runward's own tools: child servers, under the name of a gateway.
#[derive(Debug, Clone)]
pub(crate) struct GatewayOffer {
    /// The name of the gateway.
    pub(crate) name: Option<String>,
}

impl McpServer {
    /// Serves the one client of a connection.
    pub(crate) fn new(state: Arc<ServerState>) -> Self {
        Self { state, own: Arc::default(), common: None, met: Once::new(), beside: None }
    }

    /// Serves a client that may send requests outside any connection.
    pub(crate) fn sharing(state: Arc<ServerState>, common: Arc<ClientState>) -> Self {
        Self { state, own: Arc::default(), common: Some(common), met: Once::new(), beside: None }
    }

    /// The same server, which says that there is more behind its door.
    #[must_use]
    pub(crate) fn beside(mut self, beside: GatewayOffer) -> Self {
        self.beside = Some(beside);
        self
    }

    /// Whether Runward itself has a tool of this name.
    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.state.tool(name).is_some()
    }

    /// The client of this request. One with its own protocol version belongs to no connection.
    fn client(&self, context: &RequestContext<RoleServer>) -> &Arc<ClientState> {
        match &self.common {
            Some(common) if context.meta.protocol_version().is_some() => common,
            _ => &self.own,
        }
    }

    /// Begins a call, with its own way of asking a person.
    fn begin(
        &self,
        chosen: ChosenTool,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> CallInFlight {
        let line = CurrentChannel::new(ClientChannel::of(context, &self.client(context).threshold));
        let (call, rounds) = self.call(chosen.name(), context, line);
        CallInFlight::begin(chosen, call, arguments, rounds)
    }

    /// Goes on with a call that waited for a person's answer, if tool and arguments are the same.
    fn resume(&self, request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Resumed {
        let client = self.client(context);
        let this = |in_flight: &CallInFlight| in_flight.is(&request.name, request.arguments.as_ref());
        let state = request.request_state.as_deref().unwrap_or_default();
        let Some((in_flight, round)) = client.parked.take(state, this) else { return Resumed::Unknown };
        in_flight.moves_to(ClientChannel::of(context, &client.threshold));
        match round.settle(request.input_responses.as_ref()) {
            None => Resumed::Settled(in_flight),
            Some(round) => Resumed::Open(in_flight, round),
        }
    }

    /// A call of a tool. Questions to its client that need a request of their own come out of the receiver.
    fn call(
        &self,
        tool: &str,
        context: &RequestContext<RoleServer>,
        line: CurrentChannel,
    ) -> (ToolCall, Option<Rounds>) {
        let name = context.client_info().map(|client| client.name);
        let queue = self.state.sessions.engine().questions().clone();
        let (asking, rounds) = CallApprover::of(context, name.clone(), line.clone(), queue);
        let call = ToolCall {
            sessions: self.state.sessions.asking(asking),
            client: Arc::clone(self.client(context)),
            caller: client::caller(tool, name),
            line,
            toolkit: self.state.toolkit.clone(),
            roots: declares_roots(context).then(|| self.backslashes()),
            languages: Arc::clone(&self.state.languages),
            veil: self.state.veil(),
            answers: self.state.answers(),
        };
        (call, rounds)
    }

    /// Begins a call, or goes on with one, and gives its progress.
    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.meet_in(&context);
        let unknown =
            || ErrorData::invalid_params(format!("there is no tool named `{}`", request.name), None);
        let chosen = self.state.tool(&request.name).ok_or_else(unknown)?;
        let came = match &request.request_state {
            None => self.begin(chosen, request.arguments, &context).go_on(context.ct.clone()).await,
            Some(_) => match self.resume(&request, &context) {
                Resumed::Settled(in_flight) => in_flight.go_on(context.ct.clone()).await,
                Resumed::Open(in_flight, round) => CallProgress::Question(in_flight, round),
                Resumed::Unknown => CallProgress::Answer(asking::not_open().into()),
            },
        };
        Ok(match came {
            CallProgress::Answer(answer) => shown::fit(self.state.result(answer), &context).into(),
            CallProgress::Question(in_flight, round) => {
                match self.client(&context).parked.put(in_flight, round) {
                    Ok(question) => question.into(),
                    Err(refusal) => shown::fit(self.state.result(refusal.into()), &context).into(),
                }
            }
        })
    }

    /// The client is connected. Handlers run side by side, so whichever is first says so.
    fn meet(&self, peer: &Peer<RoleServer>) {
        self.met.call_once(|| self.state.audience.add(&self.own, peer));
    }

    /// The same in a request, which must be before anything is found that clients are notified of. A stateless one
    /// has no client that could be notified.
    fn meet_in(&self, context: &RequestContext<RoleServer>) {
        if !client::is_stateless(context) {
            self.meet(&context.peer);
        }
    }

    /// Tells a client which agents it will not find.
    async fn tell_of_troubles(&self, peer: &Peer<RoleServer>) {
        for sentence in self.state.flows.iter().flat_map(|flows| flows.troubles()) {
            let fields = json!({ "message": sentence });
            let redactor = self.state.sessions.engine().redactor();
            log::tell(peer, self.own.threshold.hearing(), redactor, Weight::Trouble, fields).await;
        }
    }

    fn backslashes(&self) -> Backslashes {
        self.state.sessions.engine().facts().naming.backslashes
    }

    /// Asks the client for its roots, if it has any and a tool would use them.
    async fn ask_for_roots(&self, context: &NotificationContext<RoleServer>) {
        let declared = context.peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
        if declared && self.state.offer.has(tools::WORKSPACE_BOUND) {
            roots::ask(&self.own, &context.peer, self.backslashes()).await;
        }
    }
}

/// The capabilities where there are child servers: everything that one of them might have.
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

/// How a request that goes on with an earlier one continues.
enum Resumed {
    /// It goes on.
    Settled(CallInFlight),
    /// The question was not answered.
    Open(CallInFlight, QuestionRound),
    /// Nothing waits under that name, or something else does.
    Unknown,
}

impl Drop for McpServer {
    /// The client is gone, and its sessions and questions go with it.
    fn drop(&mut self) {
        self.own.parked.clear();
        let (state, client) = (Arc::clone(&self.state), Arc::clone(&self.own));
        // Without a runtime everything is over anyway: the state was closed.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { state.sessions.end_owner(&client.owner).await });
        }
    }
}

impl ServerHandler for McpServer {
    #[expect(
        deprecated,
        reason = "newer revisions of the protocol drop logging; clients of older ones use it"
    )]
    fn get_info(&self) -> ServerConfig {
        let mut capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_logging().build();
        if self.state.flows.is_some() {
            let more = ServerCapabilities::builder().enable_prompts().enable_prompts_list_changed();
            let more = more.enable_tools().enable_tool_list_changed().build();
            (capabilities.prompts, capabilities.tools) = (more.prompts, more.tools);
        }
        let (mut name, mut instructions) = ("runward", vec![INSTRUCTIONS]);
        instructions.extend(self.state.refuses_everything().then_some(NO_RULES));
        if let Some(beside) = &self.beside {
            capabilities = with_children(capabilities);
            instructions.retain(|_| !self.state.offer.is_empty());
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
        let offered = tools::TABLE.iter().filter(|row| self.state.offer.has(row.name));
        let mut all: Vec<Tool> = offered.map(|row| (row.definition)()).collect();
        all.extend(self.state.agents().iter().filter(|agent| flows::is_tool(agent)).map(flows::definition));
        Ok(ListToolsResult::with_all_items(all.into_iter().map(|tool| self.state.listed(tool)).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.state.tool(name).map(|chosen| self.state.listed(chosen.definition()))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.meet_in(&context);
        Ok(ListPromptsResult::with_all_items(flows::prompts(&self.state.agents())))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.meet_in(&context);
        let agent = self.state.agents().into_iter().find(|agent| agent.name == request.name);
        let (Some(agent), Some(flows)) = (agent, &self.state.flows) else {
            let message = format!("there is no prompt named `{}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let line = CurrentChannel::new(ClientChannel::of(&context, &self.client(&context).threshold));
        // Where a question would need a request of its own, no person is asked: prompts are got in one.
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
        // The SDK moves a handler's future around; a pointer is moved faster than a whole call.
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
        // A server that runs no commands has no output of commands.
        if self.state.offer.is_empty() {
            return Ok(ListResourceTemplatesResult::default());
        }
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(self.client(&context), &request.uri, &self.state.veil()).await.map(Into::into)
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
