//! The state of an engine, and the road up to leave: resolve, judge, draft.
//!
//! All that looks at files for one call is here, behind an `Arc`, so that a thread can do it ([`crate::lookout`]). May
//! not start anything, ask a person or wait.

use crate::approve::{QuestionQueue, Remember};
use crate::attempt::Attempt;
use crate::journal::Journal;
use crate::road::Request;
use crate::spool::{NoSpool, Spool};
use crate::telemetry::Telemetry;
use crate::{Error, Workspace, workspace};
use runward_core::error::{Coded, ErrorView};
use runward_core::facts::HostFacts;
use runward_core::plan::{Draft, Refusal, RunId, draft};
use runward_core::policy::{Decision, Policy, PolicyGround, Rule, SandboxLeave, judge, judge_absent};
use runward_core::redact::Redactor;
use runward_core::resolve::{Defaults, ResolveError, resolve};
use runward_core::sandbox::{self, SandboxError, SandboxGround, SandboxPlan, SandboxSettings};
use runward_core::spec::CommandSpec;
use runward_os::{Disk, HeldFolder, UpstreamResolver};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The state of an engine. The rules alone may change while it runs.
pub(crate) struct EngineState {
    pub(crate) facts: HostFacts,
    pub(crate) policy: PolicyInForce,
    pub(crate) defaults: Defaults,
    pub(crate) sandbox: SandboxSettings,
    pub(crate) remember: Option<Arc<dyn Remember>>,
    pub(crate) ask_limit: Duration,
    pub(crate) questions: QuestionQueue,
    pub(crate) spool: Option<Spool>,
    pub(crate) journal: Option<Journal>,
    pub(crate) redactor: Redactor,
    pub(crate) telemetry: Option<Telemetry>,
    /// Who turns the names of listed hosts into addresses.
    pub(crate) upstream: Arc<dyn UpstreamResolver>,
    /// Why there is no spool, where there is none.
    pub(crate) no_spool: NoSpool,
    /// What every receipt says.
    pub(crate) notes: Vec<String>,
}

/// A draft, and its folder, held open while a person is asked about it: meanwhile no other folder can get the
/// same inode number.
pub(crate) struct Drawn {
    pub(crate) draft: Box<Draft>,
    pub(crate) held: Option<HeldFolder>,
}

impl EngineState {
    fn ground(&self, contained: bool) -> PolicyGround<'_> {
        PolicyGround { facts: &self.facts, look: &Disk, contained }
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
        let policy = self.policy.now();
        let contained = self.would_contain(&policy, spec);
        judge_absent(&policy, spec, caller, &self.ground(contained), &self.defaults)
    }

    /// The same error, which names only programs that may run.
    fn discreet(&self, request: &Request, mut error: ResolveError) -> ResolveError {
        let ResolveError::NotFound { nearest, .. } = &mut error else { return error };
        let policy = self.policy.now();
        let contained = self.would_contain(&policy, &request.spec);
        nearest.retain(|other| {
            let mut spec = request.spec.clone();
            spec.program = spec.program.named(other);
            let command = resolve(&spec, &self.facts, &self.defaults, &Disk);
            let judged =
                command.map(|command| judge(&policy, &command, &request.caller, &self.ground(contained)));
            judged.is_ok_and(|ruling| ruling.decision() != Decision::Deny)
        });
        error
    }

    /// The road up to the draft.
    pub(crate) fn drawn(&self, request: &Request) -> Result<Draft, Error> {
        let Request { caller, spec, workspace, .. } = request;
        let command = resolve(spec, &self.facts, &self.defaults, &Disk)?;
        let policy = self.policy.now();
        let id = RunId(uuid::Uuid::new_v4());
        let admitted = workspace.as_ref().map(|it| it.admit(command.cwd(), &self.facts.naming));
        if let Some(Err(told)) = admitted {
            // What may not run needs no sandbox.
            let ruling =
                judge(&policy, &command, caller, &self.ground(false)).refused_by(workspace::RULE, told);
            return Ok(draft(id, command, caller.clone(), ruling, &self.facts.abilities)?);
        }
        // A command that is bound to no workspace of its own has that of the rules: where Runward was started, or the
        // folder that a server was given.
        let of_rules = || vec![policy.workspace.clone().unwrap_or_else(|| self.facts.cwd.clone())];
        let folders = || workspace.as_ref().map_or_else(of_rules, Workspace::roots);
        let walls = self.walls(spec, folders, command.cwd())?;
        let ruling = judge(&policy, &command, caller, &self.ground(walls.contains_all()));
        let draft = draft(id, command, caller.clone(), ruling, &self.facts.abilities)?;
        Ok(if walls.is_off() { draft } else { draft.within(walls) })
    }

    /// The draft of a request. The caller records one that cannot be drafted.
    pub(crate) fn drafted(&self, request: &Request) -> Result<Result<Drawn, Refusal>, Error> {
        match self.drawn(request) {
            Ok(draft) => {
                let asks = draft.ruling().decision() == Decision::Ask;
                let held = if asks { HeldFolder::of(draft.command())? } else { None };
                Ok(Ok(Drawn { draft: Box::new(draft), held }))
            }
            Err(Error::Resolve(error)) => match self.withholds(request, &error) {
                Some(refusal) => Ok(Err(refusal)),
                None => Err(Error::Resolve(self.discreet(request, error))),
            },
            Err(error) => Err(error),
        }
    }

    /// Records what did not run.
    pub(crate) fn note(&self, asked: &Attempt<'_>, why: &dyn Coded) {
        if let Some(journal) = &self.journal {
            journal.refused(asked, &ErrorView::of(why));
        }
    }

    /// The refusal that hides whether a program exists, if policy says so.
    #[cfg(feature = "languages")]
    pub(crate) fn keeps_back(&self, request: &Request) -> Option<Refusal> {
        let refusal = self.refuses_absent(request)?;
        self.note(&Attempt::of(&request.caller, &request.spec), &refusal);
        Some(refusal)
    }

    /// Whether a command that cannot be resolved would have run in a whole sandbox.
    fn would_contain(&self, policy: &Policy, spec: &CommandSpec) -> bool {
        let folders = || vec![policy.workspace.clone().unwrap_or_else(|| self.facts.cwd.clone())];
        let walls = || self.walls(spec, folders, &self.facts.cwd);
        policy.sandboxed == SandboxLeave::Given && walls().is_ok_and(|walls| walls.contains_all())
    }

    /// The sandbox of a command: what the operator set, tightened by what is wished.
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
        let place = SandboxGround {
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

/// The rules in force. A command is judged by one snapshot of them.
#[derive(Debug)]
pub(crate) struct PolicyInForce(RwLock<Arc<Policy>>);

impl PolicyInForce {
    pub(crate) fn new(policy: Policy, facts: &HostFacts) -> Self {
        Self(RwLock::new(Arc::new(policy.found(facts, &Disk))))
    }

    pub(crate) fn now(&self) -> Arc<Policy> {
        // Nothing panics while it holds the lock; if it did, the rules would still be whole.
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn replace(&self, policy: Policy, facts: &HostFacts) {
        let policy = Arc::new(policy.found(facts, &Disk));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = policy;
    }

    /// Adds rules to those in force by now. Files are looked at while others judge: a disk that hangs blocks
    /// no other command.
    pub(crate) fn add(&self, rules: &[Rule], facts: &HostFacts) {
        loop {
            let before = self.now();
            let mut policy = Policy::clone(&before);
            let new = rules.iter().filter(|rule| !policy.rules.contains(rule)).cloned();
            policy.rules.extend(new.collect::<Vec<_>>());
            let after = Arc::new(policy.found(facts, &Disk));
            let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
            if Arc::ptr_eq(&held, &before) {
                *held = after;
                return;
            }
        }
    }

    /// Opens a tool beside whatever is in force by now.
    pub(crate) fn grant(&self, tool: &str, because: &str) {
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if held.granted.get(tool).is_none_or(|why| why != because) {
            *held = Arc::new(Policy::clone(&held).grant(tool, because));
        }
    }
}
