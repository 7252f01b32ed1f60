//! The road: resolve, judge, draft, leave, seal, launch. One function walks it for every door.

use crate::approve::{self, Approver, QuestionQueue};
use crate::attempt::Attempt;
use crate::journal::{Journal, JournalEntry};
use crate::lookout::{LookInterest, Lookout, NoAnswer};
use crate::network;
use crate::session::{
    self, Books, EventListening, Lining, RunningPlace, Session, TurnHeld, TurnRules, Unbroken,
};
use crate::state::{Drawn, EngineState};
use crate::{EngineBuilder, Error, Workspace};
use runward_core::error::{Coded, ErrorView};
use runward_core::facts::HostFacts;
use runward_core::facts::Look;
use runward_core::plan::{Draft, ExecPlan, Grantor, Leave, Refusal};
use runward_core::policy::{Policy, early_refusal};
use runward_core::record::Receipt;
use runward_core::redact::Redactor;
use runward_core::render::{command_line, word};
use runward_core::sandbox::SandboxSettings;
use runward_core::spec::{Caller, CommandSpec, Door, Program};
use runward_os::{Disk, Launcher};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;

/// Runs commands: the entry to this library. Cheap to clone; the clones are one engine.
///
/// Made by [`Engine::builder`]. Its asynchronous methods need a tokio runtime with I/O and time enabled; programs without
/// one use [`BlockingEngine`](crate::blocking::BlockingEngine).
#[derive(Clone)]
pub struct Engine {
    state: Arc<EngineState>,
    approver: Arc<dyn Approver>,
    launcher: Launcher,
    running: session::Running,
    lookout: Lookout,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("policy", &self.state.policy.now()).finish_non_exhaustive()
    }
}

/// A command and its caller.
///
/// Wherever one is taken, a [`CommandSpec`] will do: then the caller is [`Caller::library`].
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) caller: Caller,
    pub(crate) spec: CommandSpec,
    pub(crate) workspace: Option<Workspace>,
    lining: Lining,
}

impl Request {
    /// A command asked for by this caller.
    pub fn by(caller: Caller, spec: CommandSpec) -> Self {
        // A child server lasts for as long as it is wanted: its end is not waited for.
        let lining = if caller.door == Door::Gateway { Lining::Beside } else { Lining::Up };
        Self { caller, spec, workspace: None, lining }
    }

    /// The same command, which lasts for as long as it is wanted and takes no turn. The caller bounds how many of
    /// them there are.
    #[cfg(feature = "sessions")]
    pub(crate) fn beside(mut self) -> Self {
        self.lining = Lining::Beside;
        self
    }

    /// The same command, which may run only inside this workspace. Checked with the directory it will run in.
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

    /// The files that it names.
    fn needed(&self) -> Vec<&Path> {
        let program = match &self.spec.program {
            Program::Exec { name, .. } => Some(Path::new(name)).filter(|name| name.is_absolute()),
            Program::Shell { .. } => None,
        };
        self.spec.cwd.as_deref().into_iter().chain(program).collect()
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

/// The result of [`Engine::run`], where nothing failed.
#[derive(Debug)]
pub enum Outcome {
    /// It ran and is over, whatever its exit code; also one that was stopped.
    Ran(Box<Receipt>),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

/// The result of [`Engine::start`], where nothing failed.
#[derive(Debug)]
pub enum Started {
    /// It runs.
    Running(Session),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

impl Engine {
    /// Begins to configure an engine. [`EngineBuilder::build`] makes it.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    pub(crate) fn of(
        state: EngineState,
        approver: Arc<dyn Approver>,
        turns: TurnRules,
        disk: Duration,
    ) -> Self {
        let (launcher, running) = (Launcher::new(), session::Running::new(turns));
        Self { state: Arc::new(state), approver, launcher, running, lookout: Lookout::new(disk) }
    }

    /// The same engine with another [`Approver`], for requests whose caller has a way of its own to ask a person.
    /// Running commands, rules and records stay shared.
    #[must_use]
    pub fn asking(&self, approver: impl Approver + 'static) -> Self {
        Self { approver: Arc::new(approver), ..self.clone() }
    }

    /// The engine's queue of open questions, to be listed and answered from elsewhere. It is empty unless an approver
    /// passes its questions on to it: pass a clone of it to [`Engine::asking`].
    pub fn questions(&self) -> &QuestionQueue {
        &self.state.questions
    }

    /// The sandbox of every command, before its own wish tightens it.
    pub fn sandbox(&self) -> &SandboxSettings {
        &self.state.sandbox
    }

    /// The facts of this host.
    pub fn facts(&self) -> &HostFacts {
        &self.state.facts
    }

    /// The rules in force.
    pub fn policy(&self) -> Arc<Policy> {
        self.state.policy.now()
    }

    /// Puts other rules in force. They hold for every command that is judged from now on; what runs already goes
    /// on running.
    pub fn set_policy(&self, policy: Policy) {
        self.state.policy.replace(policy, &self.state.facts);
    }

    /// Allows the callers that call this tool ([`Caller::tool`]), as [`Policy::grant`] does, while the engine runs.
    /// `because` is shown as the reason. Other rules stay as they are.
    pub fn grant(&self, tool: &str, because: &str) {
        self.state.policy.grant(tool, because);
    }

    /// The journal, where one is kept.
    #[cfg(feature = "journal")]
    pub fn journal(&self) -> Option<&Journal> {
        self.state.journal.as_ref()
    }

    /// What masks secrets in text that is written down.
    pub fn redactor(&self) -> &Redactor {
        &self.state.redactor
    }

    /// Why this can never be allowed, whatever it resolves to; the refusal is recorded. `None` is not leave: the command
    /// has still to be judged. For a caller that wants to refuse before it checks anything else.
    pub fn early_refusal(&self, asked: &Program, caller: &Caller) -> Option<Refusal> {
        let refusal = early_refusal(&self.policy(), asked, caller, &self.state.facts)?;
        self.note(&Attempt { caller, program: asked, cwd: None, draft: None, env: None }, &refusal);
        Some(refusal)
    }

    /// Records what did not run.
    pub(crate) fn note(&self, asked: &Attempt<'_>, why: &dyn Coded) {
        self.state.note(asked, why);
    }

    /// Looks at files for a command that needs these: for as long as the rules say, where they may not answer.
    pub(crate) async fn look<T, F>(&self, needed: &[&Path], look: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.lookout.look(look).await.map_err(|none| self.no_answer(none, needed))
    }

    fn no_answer(&self, none: NoAnswer, needed: &[&Path]) -> Error {
        let here = &self.state.facts.cwd;
        let needed: Vec<_> =
            needed.iter().copied().chain([here.as_path()]).map(|path| here.join(path)).collect();
        self.lookout.error(none, &needed)
    }

    /// Everything that would be done, and what the rules say about it ([`Draft::ruling`]). Starts nothing, asks nobody and
    /// records nothing. Looks at files, and blocks while it does.
    ///
    /// # Errors
    /// Where the command cannot be resolved, or this host cannot enforce what was asked for. A command that would be
    /// refused is no error.
    pub fn explain(&self, request: impl Into<Request>) -> Result<Draft, Error> {
        self.state.drawn(&request.into())
    }

    /// Leave (permission) for a draft that somebody else carries out, such as a client's own shell: a rule gives it, or a
    /// person who is asked. Starts nothing, and records nothing. To run the command here, use [`Engine::run`].
    ///
    /// # Errors
    /// The refusal, where there is no leave.
    pub async fn permit(&self, draft: &Draft) -> Result<Grantor, Refusal> {
        let permit = match draft.leave() {
            Leave::Granted(permit) => permit,
            Leave::Refused(refusal) => return Err(refusal),
            Leave::Ask(question) => approve::ask(&self.state, &*self.approver, draft, question).await?,
        };
        Ok(permit.grantor().clone())
    }

    /// Runs a command to its end and gives its receipt, or the refusal. Waits for a person where a rule says to ask, and
    /// for its turn where many commands run. Dropping the future stops the command.
    ///
    /// # Errors
    /// Where the command could not be resolved, drafted, recorded (if the journal is required) or started, or waited too
    /// long for its turn.
    pub async fn run(&self, request: impl Into<Request>) -> Result<Outcome, Error> {
        match self.begin(request.into(), EventListening::Nobody).await? {
            Started::Running(session) => Ok(Outcome::Ran(Box::new(session.wait().await?))),
            Started::Refused(refusal) => Ok(Outcome::Refused(refusal)),
        }
    }

    /// Starts a command and gives its [`Session`], to listen to it, write to it, stop it and wait for it.
    ///
    /// # Errors
    /// As those of [`Engine::run`].
    pub async fn start(&self, request: impl Into<Request>) -> Result<Started, Error> {
        self.begin(request.into(), EventListening::Someone).await
    }

    /// In one piece of memory: what waits inside is large, and every door would have a copy of its code.
    fn begin(
        &self,
        request: Request,
        listening: EventListening,
    ) -> Pin<Box<dyn Future<Output = Result<Started, Error>> + Send + '_>> {
        Box::pin(self.walk(request, listening))
    }

    async fn walk(&self, request: Request, listening: EventListening) -> Result<Started, Error> {
        let lining = request.lining;
        let Drawn { draft, held } = match self.drafted(request).await? {
            Ok(drawn) => drawn,
            Err(refusal) => return Ok(Started::Refused(refusal)),
        };
        let plan = match self.leave(draft).await? {
            Ok(plan) => plan,
            Err(refusal) => return Ok(Started::Refused(refusal)),
        };
        let place = self.place(&plan, lining).await?;
        let session = self.launch(plan, place, listening).await?;
        drop(held);
        Ok(Started::Running(session))
    }

    /// The draft of a request. One that cannot be drafted is recorded.
    async fn drafted(&self, request: Request) -> Result<Result<Drawn, Refusal>, Error> {
        let request = Arc::new(request);
        let (state, asked) = (Arc::clone(&self.state), Arc::clone(&request));
        let drafted = self.look(&request.needed(), move || state.drafted(&asked)).await;
        let attempt = Attempt::of(&request.caller, &request.spec);
        match drafted {
            Ok(Ok(Ok(drawn))) => Ok(Ok(drawn)),
            Ok(Ok(Err(refusal))) => {
                self.note(&attempt, &refusal);
                Ok(Err(refusal))
            }
            Ok(Err(error)) | Err(error) => {
                self.note(&attempt, &error);
                Err(error)
            }
        }
    }

    /// Waits for a plan's turn to be carried out. A refusal to wait is recorded.
    async fn place(&self, plan: &ExecPlan, lining: Lining) -> Result<RunningPlace, Error> {
        let draft = plan.draft();
        let turn = match lining {
            Lining::Up => self.running.turns().turn(draft.command().limits().wall).await,
            Lining::Beside => Ok(TurnHeld::none()),
        };
        let place = turn.and_then(|turn| self.running.enter(turn));
        place.inspect_err(|error| self.note(&Attempt::drafted(draft), error))
    }

    /// The refusal that hides whether a program exists, if policy says so.
    #[cfg(feature = "languages")]
    pub(crate) fn withholds(&self, request: &Request) -> Option<Refusal> {
        self.state.keeps_back(request)
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
                match approve::ask(&self.state, &*self.approver, &draft, question).await {
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
    async fn launch(
        &self,
        plan: ExecPlan,
        place: RunningPlace,
        listening: EventListening,
    ) -> Result<Session, Error> {
        let cwd = self.lookout.is_doubtful().then(|| plan.draft().command().cwd().to_owned());
        let launch = self.beginning(plan, place, listening);
        let Some(cwd) = cwd else { return Unbroken::new(launch(None)).await };
        // Opening the folder and the program may hang: another thread does it for this runtime.
        let runtime = Handle::current();
        let wait = self.lookout.wait() + self.starting();
        let carry = move |interest| runtime.block_on(launch(Some(interest)));
        let launched = self.lookout.aside(wait, carry).await;
        launched.map_err(|none| self.no_answer(none, &[&cwd]))?
    }

    /// How long a start may take beside waiting for files: its first record, and the warden.
    fn starting(&self) -> Duration {
        /// Longer than a warden is waited for.
        const WARDEN: Duration = Duration::from_secs(11);
        self.state.journal.as_ref().map_or(Duration::ZERO, Journal::write_timeout) + WARDEN
    }

    /// What starts a plan. On another thread, it starts nothing once its caller is gone.
    fn beginning(
        &self,
        plan: ExecPlan,
        place: RunningPlace,
        listening: EventListening,
    ) -> impl FnOnce(Option<LookInterest>) -> PendingStart + Send + 'static {
        let launcher = self.launcher.clone();
        let telemetry = self.state.telemetry.clone();
        let span = telemetry.map(|telemetry| (telemetry.begin(&plan), telemetry));
        let mut entry = self.state.journal.as_ref().map(|journal| journal.begin(&plan));
        let program = plan.draft().command().program().to_owned();
        let (state, lookout) = (Arc::clone(&self.state), self.lookout.clone());
        move |interest| {
            Box::pin(async move {
                let before = ready(entry.as_mut(), interest.as_ref(), &program);
                let launched = launcher.launch(plan, before).await;
                match launched {
                    Ok(mut child) => {
                        let spool = state.spool.clone();
                        let mut notes = state.notes.clone();
                        let no_spool = state.no_spool.clone();
                        let relay = network::relay(&mut child, &state).unwrap_or_else(|why| {
                            notes.push(why);
                            None
                        });
                        let lookout = Some(lookout);
                        let books = Books { spool, no_spool, entry, span, notes, lookout, relay };
                        Ok(Session::begin(child, books, place, listening))
                    }
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
        }
    }

    /// Begins what the one command of this process will need, beside other work: the helper processes that will hold it,
    /// the journal's database, and the list of sandbox layers where there is a sandbox. Only makes it start sooner; what
    /// goes wrong here is told by the command.
    #[doc(hidden)]
    pub fn prepare_for_one(&self) {
        /// What is opened beside other work could take the last descriptors from it, and then it would not be told
        /// apart who lacks them.
        const FEW: u64 = 64;
        if runward_os::open_files_limit().is_some_and(|limit| limit < FEW) {
            return;
        }
        if !self.state.sandbox.is_off() && self.state.facts.abilities.layers.is_none() {
            // Without a thread it is found out where it is needed.
            let find = || {
                runward_os::sandbox_layers();
            };
            let _ = std::thread::Builder::new().name("layers".to_owned()).spawn(find);
        }
        self.launcher.prepare(&self.state.facts.abilities.containment);
        if let Some(journal) = &self.state.journal {
            journal.open_ahead();
        }
    }

    /// Stops every running command, starts no other, and waits until nothing is left of any. Call it before the runtime
    /// ends. Later requests fail with [`Error::Closing`].
    pub async fn shutdown(&self) {
        self.running.end_all().await;
    }
}

/// A start in progress.
type PendingStart = Pin<Box<dyn Future<Output = Result<Session, Error>> + Send>>;

/// The first record is written, or need not be: nothing is started before. The other thread looks at the program once
/// more, which may take for ever, and goes on only if its caller still waits.
async fn ready(
    entry: Option<&mut JournalEntry>,
    interest: Option<&LookInterest>,
    program: &Path,
) -> Result<(), Error> {
    if let Some(entry) = entry {
        entry.written().await?;
    }
    if let Some(interest) = interest {
        let _ = Disk.stamp(program);
        if interest.is_gone() {
            let what = format!("`{}`", word(program.as_os_str()));
            return Err(Error::Unresponsive { what, within: "in time".to_owned() });
        }
    }
    Ok(())
}
