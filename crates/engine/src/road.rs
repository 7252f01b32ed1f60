//! The road: resolve, judge, draft, leave, seal, launch. One function walks it for every door.

use crate::approve::Approver;
use crate::session::{self, Listening, Session};
use crate::spool::Spool;
use crate::{EngineBuilder, Error};
use runward_core::facts::HostFacts;
use runward_core::plan::{Draft, ExecPlan, Leave, Refusal, RunId, draft};
use runward_core::policy::{Policy, judge};
use runward_core::record::Receipt;
use runward_core::render::{command_line, word};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Program};
use runward_os::{Disk, Launcher};
use std::sync::Arc;

/// Everything an engine knows that does not change.
pub(crate) struct House {
    pub(crate) facts: HostFacts,
    pub(crate) policy: Policy,
    pub(crate) defaults: Defaults,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) spool: Option<Spool>,
}

/// Walks commands along the road. Cheap to clone; the clones are one engine.
#[derive(Clone)]
pub struct Engine {
    house: Arc<House>,
    launcher: Launcher,
    running: session::Running,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("policy", &self.house.policy).finish_non_exhaustive()
    }
}

/// A command and who asks for it.
#[derive(Debug, Clone)]
pub struct Request {
    caller: Caller,
    spec: CommandSpec,
}

impl Request {
    /// A command asked for by somebody.
    pub fn by(caller: Caller, spec: CommandSpec) -> Self {
        Self { caller, spec }
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

    pub(crate) fn of(house: House) -> Self {
        Self { house: Arc::new(house), launcher: Launcher::new(), running: session::Running::default() }
    }

    /// What is true on this host.
    pub fn facts(&self) -> &HostFacts {
        &self.house.facts
    }

    /// The road up to the draft: everything that would be done, and what policy thinks of it. Starts nothing.
    pub fn explain(&self, request: impl Into<Request>) -> Result<Draft, Error> {
        let Request { caller, spec } = request.into();
        let house = &self.house;
        let command = resolve(&spec, &house.facts, &house.defaults, &Disk)?;
        let ruling = judge(&house.policy, &command, &caller);
        let id = RunId(uuid::Uuid::now_v7());
        Ok(draft(id, command, caller, ruling, &house.facts.abilities)?)
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
        let draft = self.explain(request)?;
        match self.leave(draft).await? {
            Ok(plan) => {
                let child = self.launcher.launch(plan).await?;
                Ok(Started::Running(Session::begin(
                    child,
                    self.house.spool.clone(),
                    &self.running,
                    listening,
                )))
            }
            Err(refusal) => Ok(Started::Refused(refusal)),
        }
    }

    /// Gets leave for a draft and seals it.
    async fn leave(&self, draft: Draft) -> Result<Result<ExecPlan, Refusal>, Error> {
        let permit = match draft.leave() {
            Leave::Granted(permit) => permit,
            Leave::Refused(refusal) => return Ok(Err(refusal)),
            Leave::Ask(question) => match self.house.approver.ask(&draft, question).await {
                Ok(permit) => permit,
                Err(refusal) => return Ok(Err(refusal)),
            },
        };
        Ok(Ok(draft.seal(permit)?))
    }

    /// Stops every running command and waits until nothing is left of any.
    pub async fn shutdown(&self) {
        self.running.end_all().await;
    }
}
