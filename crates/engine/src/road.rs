//! The road: resolve, judge, draft, leave, seal, launch. One function walks it for every door.

use crate::approve::{self, Approver, Queue, Remember};
use crate::journal::{Attempt, Entry, Journal};
use crate::session::{self, Books, Listening, Session, Unbroken};
use crate::spool::Spool;
use crate::telemetry::Telemetry;
use crate::{EngineBuilder, Error, Workspace, workspace};
use runward_core::error::{Coded, ErrorView};
use runward_core::facts::HostFacts;
use runward_core::plan::{Draft, ExecPlan, Leave, Refusal, RunId, draft};
use runward_core::policy::{Decision, Ground, Policy, Rule, forejudge, judge, judge_absent};
use runward_core::record::Receipt;
use runward_core::redact::Redactor;
use runward_core::render::{command_line, word};
use runward_core::resolve::{Defaults, ResolveError, resolve};
use runward_core::sandbox::{self, Place, SandboxError, SandboxPlan, SandboxSettings};
use runward_core::spec::{Caller, CommandSpec, Program};
use runward_os::{Disk, HeldFolder, Launcher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// Everything an engine knows. The rules alone may change while it runs.
pub(crate) struct House {
    pub(crate) facts: HostFacts,
    pub(crate) policy: InForce,
    pub(crate) defaults: Defaults,
    pub(crate) sandbox: SandboxSettings,
    pub(crate) remember: Option<Arc<dyn Remember>>,
    pub(crate) ask_limit: Duration,
    pub(crate) questions: Queue,
    pub(crate) spool: Option<Spool>,
    pub(crate) journal: Option<Journal>,
    pub(crate) redactor: Redactor,
    pub(crate) telemetry: Option<Telemetry>,
}

impl House {
    fn ground(&self) -> Ground<'_> {
        Ground { facts: &self.facts, look: &Disk }
    }

    /// A program that is not there, and would not be allowed if it were, is refused: what is installed is not told. Nor
    /// is anything told about folders outside the workspace.
    fn withholds(&self, request: &Request, error: &ResolveError) -> Option<Refusal> {
        use ResolveError as E;
        if let (Some(workspace), Some(cwd)) = (&request.workspace, &request.spec.cwd)
            && !matches!(error, E::Spec(_))
        {
            let place = self.facts.naming.join(&self.facts.cwd, cwd);
            let admitted = workspace.admit_asked(&place, &self.facts.naming, &Disk);
            if let Err(told) = admitted {
                return Some(Refusal::told(told));
            }
        }
        match error {
            E::NotFound { .. } | E::NotExecutable { .. } => self.refuses_absent(request),
            _ => None,
        }
    }

    fn refuses_absent(&self, Request { caller, spec, .. }: &Request) -> Option<Refusal> {
        judge_absent(&self.policy.now(), spec, caller, &self.ground(), &self.defaults)
    }

    /// The same error, which names only programs that may run.
    fn discreet(&self, request: &Request, mut error: ResolveError) -> ResolveError {
        let ResolveError::NotFound { nearest, .. } = &mut error else { return error };
        let policy = self.policy.now();
        nearest.retain(|other| {
            let mut spec = request.spec.clone();
            spec.program = spec.program.named(other);
            let command = resolve(&spec, &self.facts, &self.defaults, &Disk);
            let judged = command.map(|command| judge(&policy, &command, &request.caller, &self.ground()));
            judged.is_ok_and(|ruling| ruling.decision() != Decision::Deny)
        });
        error
    }

    /// What is kept around a command: what the operator set, tightened by what is wished.
    fn walls(
        &self,
        spec: &CommandSpec,
        workspace: impl FnOnce() -> Vec<PathBuf>,
        cwd: &Path,
    ) -> Result<SandboxPlan, SandboxError> {
        let wish = &spec.sandbox;
        if wish.is_empty() && self.sandbox.is_off() {
            return Ok(SandboxPlan::default());
        }
        let settings = self.sandbox.tightened_by(wish);
        let layers = match &self.facts.abilities.layers {
            Some(layers) => layers.as_slice(),
            None if settings.mode == sandbox::Mode::Off => &[],
            None => runward_os::sandbox_layers(),
        };
        let place = Place {
            facts: &self.facts,
            look: &Disk,
            layers,
            workspace: workspace(),
            cwd,
            shown: &spec.shown,
        };
        sandbox::plan(&settings, &place)
    }
}

/// The rules in force. Whoever judges takes them once and uses no others for that command.
#[derive(Debug)]
pub(crate) struct InForce(RwLock<Arc<Policy>>);

impl InForce {
    pub(crate) fn new(policy: Policy, facts: &HostFacts) -> Self {
        Self(RwLock::new(Arc::new(policy.found(facts, &Disk))))
    }

    fn now(&self) -> Arc<Policy> {
        // Nothing panics while it holds the lock; if it did, the rules would still be whole.
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn replace(&self, policy: Policy, facts: &HostFacts) {
        let policy = Arc::new(policy.found(facts, &Disk));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = policy;
    }

    /// Adds rules to whatever is in force by now.
    pub(crate) fn add(&self, rules: &[Rule], facts: &HostFacts) {
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut policy = Policy::clone(&held);
        let new = rules.iter().filter(|rule| !policy.rules.contains(rule)).cloned();
        policy.rules.extend(new.collect::<Vec<_>>());
        *held = Arc::new(policy.found(facts, &Disk));
    }

    /// Opens a tool beside whatever is in force by now.
    fn grant(&self, tool: &str, because: &str) {
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if held.granted.get(tool).is_none_or(|why| why != because) {
            *held = Arc::new(Policy::clone(&held).grant(tool, because));
        }
    }
}

/// Walks commands along the road. Cheap to clone; the clones are one engine.
#[derive(Clone)]
pub struct Engine {
    house: Arc<House>,
    approver: Arc<dyn Approver>,
    launcher: Launcher,
    running: session::Running,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("policy", &self.house.policy.now()).finish_non_exhaustive()
    }
}

/// A command and who asks for it.
#[derive(Debug, Clone)]
pub struct Request {
    caller: Caller,
    spec: CommandSpec,
    workspace: Option<Workspace>,
}

impl Request {
    /// A command asked for by somebody.
    pub fn by(caller: Caller, spec: CommandSpec) -> Self {
        Self { caller, spec, workspace: None }
    }

    /// The same command, which may run only inside this workspace. Asked about the very directory it will run in.
    #[must_use]
    pub fn within(mut self, workspace: Workspace) -> Self {
        self.workspace = Some(workspace);
        self
    }
}

impl Request {
    /// What is asked.
    pub fn spec(&self) -> &CommandSpec {
        &self.spec
    }

    /// What is asked, as a person would type it.
    pub fn command_line(&self) -> String {
        match &self.spec.program {
            Program::Exec { name, args } => command_line(std::iter::once(name).chain(args)),
            Program::Shell { script, .. } => word(script),
        }
    }
}

impl From<CommandSpec> for Request {
    /// A command asked for by the program that uses this library.
    fn from(spec: CommandSpec) -> Self {
        Self::by(Caller::library(), spec)
    }
}

/// What became of a request that did not fail.
#[derive(Debug)]
pub enum Outcome {
    /// It ran; a non-zero exit is still this.
    Ran(Box<Receipt>),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

/// What became of a request to start something.
#[derive(Debug)]
pub enum Started {
    /// It runs.
    Running(Session),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

impl Engine {
    /// An engine to put together.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    pub(crate) fn of(house: House, approver: Arc<dyn Approver>) -> Self {
        let (launcher, running) = (Launcher::new(), session::Running::default());
        Self { house: Arc::new(house), approver, launcher, running }
    }

    /// The same engine, which asks people in another way.
    #[must_use]
    pub fn asking(&self, approver: impl Approver + 'static) -> Self {
        Self { approver: Arc::new(approver), ..self.clone() }
    }

    /// The open questions that can be answered from elsewhere. An approver has to put them there.
    pub fn questions(&self) -> &Queue {
        &self.house.questions
    }

    /// What every command may reach, before its own wish tightens it.
    pub fn sandbox(&self) -> &SandboxSettings {
        &self.house.sandbox
    }

    /// What is true on this host.
    pub fn facts(&self) -> &HostFacts {
        &self.house.facts
    }

    /// The rules in force.
    pub fn policy(&self) -> Arc<Policy> {
        self.house.policy.now()
    }

    /// Puts other rules in force. They hold for every command that is judged from now on; what runs already goes
    /// on running.
    pub fn set_policy(&self, policy: Policy) {
        self.house.policy.replace(policy, &self.house.facts);
    }

    /// The operator opened one more tool, and this is why. Other rules stay as they are.
    pub fn grant(&self, tool: &str, because: &str) {
        self.house.policy.grant(tool, because);
    }

    /// The journal, where one is kept.
    pub fn journal(&self) -> Option<&Journal> {
        self.house.journal.as_ref()
    }

    /// Who knows what must not be written down or told.
    pub fn redactor(&self) -> &Redactor {
        &self.house.redactor
    }

    /// An early no: why this can never be allowed, whatever it resolves to. Silence is not leave.
    pub fn forejudge(&self, asked: &Program, caller: &Caller) -> Option<Refusal> {
        let refusal = forejudge(&self.policy(), asked, caller, &self.house.facts)?;
        self.note(&Attempt { caller, program: asked, cwd: None, draft: None, env: None }, &refusal);
        Some(refusal)
    }

    /// Writes down what did not come to run.
    pub(crate) fn note(&self, asked: &Attempt<'_>, why: &dyn Coded) {
        if let Some(journal) = &self.house.journal {
            journal.refused(asked, &ErrorView::of(why));
        }
    }

    /// The road up to the draft: everything that would be done, and what policy thinks of it. Starts nothing.
    pub fn explain(&self, request: impl Into<Request>) -> Result<Draft, Error> {
        self.drawn(&request.into())
    }

    fn drawn(&self, request: &Request) -> Result<Draft, Error> {
        let Request { caller, spec, workspace } = request;
        let house = &self.house;
        let command = resolve(spec, &house.facts, &house.defaults, &Disk)?;
        let policy = house.policy.now();
        let ruling = judge(&policy, &command, caller, &house.ground());
        let id = RunId(uuid::Uuid::now_v7());
        let admitted = workspace.as_ref().map(|it| it.admit(command.cwd(), &house.facts.naming));
        if let Some(Err(told)) = admitted {
            // What may not run needs no sandbox.
            let ruling = ruling.refused_by(workspace::RULE, told);
            return Ok(draft(id, command, caller.clone(), ruling, &house.facts.abilities)?);
        }
        // A command that is bound to no workspace of its own has that of the rules: where Runward was started, or the
        // folder that a server was given.
        let of_rules = || vec![policy.workspace.clone().unwrap_or_else(|| house.facts.cwd.clone())];
        let folders = || workspace.as_ref().map_or_else(of_rules, Workspace::roots);
        let walls = house.walls(spec, folders, command.cwd())?;
        let draft = draft(id, command, caller.clone(), ruling, &house.facts.abilities)?;
        Ok(if walls.is_off() { draft } else { draft.within(walls) })
    }

    /// Runs a command to its end.
    pub async fn run(&self, request: impl Into<Request>) -> Result<Outcome, Error> {
        match self.begin(request.into(), Listening::Nobody).await? {
            Started::Running(session) => Ok(Outcome::Ran(Box::new(session.wait().await?))),
            Started::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// Starts a command and hands over its session, with every event.
    pub async fn start(&self, request: impl Into<Request>) -> Result<Started, Error> {
        self.begin(request.into(), Listening::Someone).await
    }

    async fn begin(&self, request: Request, listening: Listening) -> Result<Started, Error> {
        let draft = match self.drafted(&request)? {
            Ok(draft) => draft,
            Err(refusal) => return Ok(Started::Refused(refusal)),
        };
        drop(request);
        // While a person is asked, nobody can put another folder with the same number in its place.
        let asks = draft.ruling().decision() == Decision::Ask;
        let _held = if asks { HeldFolder::of(draft.command())? } else { None };
        match self.leave(draft).await? {
            Ok(plan) => Ok(Started::Running(self.launch(plan, listening).await?)),
            Err(refusal) => Ok(Started::Refused(refusal)),
        }
    }

    /// The draft of a request. One that nothing can be made of is written down.
    fn drafted(&self, request: &Request) -> Result<Result<Box<Draft>, Refusal>, Error> {
        let attempt = Attempt::of(&request.caller, &request.spec);
        match self.drawn(request) {
            Ok(draft) => Ok(Ok(Box::new(draft))),
            Err(Error::Resolve(error)) => match self.house.withholds(request, &error) {
                Some(refusal) => {
                    self.note(&attempt, &refusal);
                    Ok(Err(refusal))
                }
                None => {
                    let error = Error::Resolve(self.house.discreet(request, error));
                    self.note(&attempt, &error);
                    Err(error)
                }
            },
            Err(error) => {
                self.note(&attempt, &error);
                Err(error)
            }
        }
    }

    /// Why nobody is told whether a program is there, if policy keeps that to itself.
    pub(crate) fn withholds(&self, request: &Request) -> Option<Refusal> {
        let refusal = self.house.refuses_absent(request)?;
        self.note(&Attempt::of(&request.caller, &request.spec), &refusal);
        Some(refusal)
    }

    /// Gets leave for a draft and seals it.
    async fn leave(&self, draft: Box<Draft>) -> Result<Result<ExecPlan, Refusal>, Error> {
        let permit = match draft.leave() {
            Leave::Granted(permit) => permit,
            Leave::Refused(refusal) => {
                self.note(&Attempt::drafted(&draft), &refusal);
                return Ok(Err(refusal));
            }
            Leave::Ask(question) => {
                match approve::ask(&self.house, &*self.approver, &draft, question).await {
                    Ok(permit) => permit,
                    Err(refusal) => {
                        self.note(&Attempt::drafted(&draft), &refusal);
                        return Ok(Err(refusal));
                    }
                }
            }
        };
        Ok(Ok(draft.seal(permit)?))
    }

    /// Starts what the plan says. Once it has begun it is not given up half way: see [`Unbroken`].
    async fn launch(&self, plan: ExecPlan, listening: Listening) -> Result<Session, Error> {
        let place = self.running.enter().ok_or(Error::Closing)?;
        let (launcher, spool) = (self.launcher.clone(), self.house.spool.clone());
        let telemetry = self.house.telemetry.clone();
        let span = telemetry.map(|telemetry| (telemetry.begin(&plan), telemetry));
        let mut entry = self.house.journal.as_ref().map(|journal| journal.begin(&plan));
        Unbroken::new(async move {
            let launched = launcher.launch_after(plan, written(entry.as_mut())).await;
            match launched {
                Ok(child) => Ok(Session::begin(child, Books { spool, entry, span }, place, listening)),
                Err(error) => {
                    if let Some(entry) = entry {
                        entry.never_started(&error);
                    }
                    if let Some((span, telemetry)) = span {
                        telemetry.failed(span, &ErrorView::of(&error));
                    }
                    Err(error)
                }
            }
        })
        .await
    }

    /// Stops every running command, starts no other, and waits until nothing is left of any.
    pub async fn shutdown(&self) {
        self.running.end_all().await;
    }
}

/// The first record is written, or need not be: nothing is started before.
async fn written(entry: Option<&mut Entry>) -> Result<(), Error> {
    match entry {
        Some(entry) => entry.written().await,
        None => Ok(()),
    }
}
