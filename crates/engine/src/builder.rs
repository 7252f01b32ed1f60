//! How an engine is put together.

use crate::approve::{ASK_LIMIT, Approver, Nobody, QuestionQueue, Remember};
use crate::journal::Journal;
use crate::lookout::DISK_WAIT;
use crate::session::TurnRules;
use crate::spool::{NoSpool, Spool, SpoolRules};
use crate::state::{EngineState, PolicyInForce};
use crate::telemetry::Telemetry;
use crate::{Engine, Error};
use runward_core::facts::{Containment, HostFacts};
use runward_core::policy::Policy;
use runward_core::redact::Redactor;
use runward_core::resolve::Defaults;
use runward_core::sandbox::SandboxSettings;
use runward_os::{HostResolver, UpstreamResolver};
use std::sync::Arc;
use std::time::Duration;

/// Configures an [`Engine`]. Begun by [`Engine::builder`]. Everything is optional.
///
/// Unless set otherwise: nothing may run that a program asks for, no person is asked, nothing is written to disk, and
/// **there is no sandbox**.
///
/// ```
/// use runward_engine::{Engine, Mode, Network, Policy, SandboxSettings};
///
/// let engine = Engine::builder()
///     .policy(Policy::allow_programs(["cargo", "git"]))
///     .sandbox(SandboxSettings {
///         mode: Mode::WorkspaceWrite,
///         network: Network::Off,
///         ..SandboxSettings::default()
///     })
///     .build()?;
/// # Ok::<(), runward_engine::Error>(())
/// ```
#[derive(Default)]
pub struct EngineBuilder {
    facts: Option<HostFacts>,
    policy: Option<Policy>,
    defaults: Defaults,
    approver: Option<Arc<dyn Approver>>,
    remember: Option<Arc<dyn Remember>>,
    ask_limit: Option<Duration>,
    spool: Option<SpoolRules>,
    journal: Option<Journal>,
    redactor: Option<Redactor>,
    telemetry: Option<Telemetry>,
    containment: Option<Containment>,
    sandbox: SandboxSettings,
    running: Option<usize>,
    waiting: Option<usize>,
    disk_wait: Option<Duration>,
    no_spool: NoSpool,
    notes: Vec<String>,
    upstream: Option<Arc<dyn UpstreamResolver>>,
}

impl std::fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineBuilder").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl EngineBuilder {
    /// Uses these facts about the host instead of gathering them ([`probe`](crate::host::probe)). For tests, and for
    /// programs that gathered them before.
    #[must_use]
    pub fn facts(mut self, facts: HostFacts) -> Self {
        self.facts = Some(facts);
        self
    }

    /// The rules that judge every command. Without them, nothing may run that a program asks for.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Limits and environment where a [`CommandSpec`](crate::CommandSpec) says nothing.
    #[must_use]
    pub fn defaults(mut self, defaults: Defaults) -> Self {
        self.defaults = defaults;
        self
    }

    /// How a person is asked where a rule says [`Decision::Ask`](crate::Decision::Ask). Without it, such commands are
    /// refused.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Writes the rules for a person who answers "always". Without it, that answer is not offered.
    #[must_use]
    pub fn remember(mut self, remember: impl Remember + 'static) -> Self {
        self.remember = Some(Arc::new(remember));
        self
    }

    /// How long to wait for a person's answer; [`ASK_LIMIT`] (two minutes) by default.
    #[must_use]
    pub fn ask_limit(mut self, limit: Duration) -> Self {
        self.ask_limit = Some(limit);
        self
    }

    /// Where output that does not fit into memory is written. Without it, only the head and the tail are kept.
    #[must_use]
    pub fn spool(mut self, rules: SpoolRules) -> Self {
        self.spool = Some(rules);
        self
    }

    /// Why there is no spool, for the receipts of commands that print more than is kept.
    #[must_use]
    pub fn without_spool(mut self, why: NoSpool) -> Self {
        self.no_spool = why;
        self
    }

    /// The most commands that run at one time; further ones wait for their turn. The default depends on how many files this
    /// process may open, and on the processors.
    #[must_use]
    pub fn running(mut self, most: usize) -> Self {
        self.running = Some(most);
        self
    }

    /// The most commands that wait for their turn; one more fails with [`Error::Crowded`].
    #[must_use]
    pub fn waiting(mut self, most: usize) -> Self {
        self.waiting = Some(most);
        self
    }

    /// How long a command waits for a disk that does not answer, before it fails with [`Error::Unresponsive`]. 5 seconds by
    /// default.
    #[must_use]
    pub fn disk_wait(mut self, wait: Duration) -> Self {
        self.disk_wait = Some(wait);
        self
    }

    /// Adds a sentence to the notes of every receipt.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Records every command in this journal.
    #[cfg(feature = "journal")]
    #[must_use]
    pub fn journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Sends every command as a span to a collector.
    #[cfg(feature = "telemetry")]
    #[must_use]
    pub fn telemetry(mut self, telemetry: Telemetry) -> Self {
        self.telemetry = Some(telemetry);
        self
    }

    /// Masks secrets in what is written down, such as the values of variables with secret-looking names. Without it, only
    /// what looks like a secret by itself is masked.
    #[must_use]
    pub fn redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = Some(redactor);
        self
    }

    /// Holds process trees together in this way only. Where the host cannot, commands fail. By default the best way that
    /// the host has is taken.
    #[must_use]
    pub fn containment(mut self, containment: Containment) -> Self {
        self.containment = Some(containment);
        self
    }

    /// The sandbox of every command; off by default. A command's own [`SandboxWish`](crate::SandboxWish) can only tighten
    /// it.
    #[must_use]
    pub fn sandbox(mut self, settings: SandboxSettings) -> Self {
        self.sandbox = settings;
        self
    }

    /// Turns the names of listed hosts into addresses in this way instead of the host's own. For tests, which have no
    /// addresses that are public.
    #[doc(hidden)]
    #[must_use]
    pub fn upstream(mut self, resolver: impl UpstreamResolver) -> Self {
        self.upstream = Some(Arc::new(resolver));
        self
    }

    /// Builds the engine. Does not need a runtime, and starts nothing.
    ///
    /// # Errors
    /// [`Error::Probe`], where the facts of this host cannot be gathered.
    pub fn build(self) -> Result<Engine, Error> {
        let mut facts = match self.facts {
            Some(facts) => facts,
            None => runward_os::probe().map_err(Error::Probe)?,
        };
        if let Some(wanted) = self.containment {
            facts.abilities.containment.retain(|can| *can == wanted);
        }
        let usual = TurnRules::default();
        let turns = TurnRules {
            running: self.running.unwrap_or(usual.running),
            waiting: self.waiting.unwrap_or(usual.waiting),
        };
        let disk_wait = self.disk_wait.unwrap_or(DISK_WAIT);
        let state = EngineState {
            policy: PolicyInForce::new(self.policy.unwrap_or_default(), &facts),
            facts,
            defaults: self.defaults,
            sandbox: self.sandbox,
            remember: self.remember,
            ask_limit: self.ask_limit.unwrap_or(ASK_LIMIT),
            questions: QuestionQueue::default(),
            spool: self.spool.map(|rules| Spool::new(rules, self.journal.clone(), disk_wait)),
            journal: self.journal,
            telemetry: self.telemetry,
            redactor: self.redactor.unwrap_or_default(),
            upstream: self.upstream.unwrap_or_else(|| Arc::new(HostResolver)),
            no_spool: self.no_spool,
            notes: self.notes,
        };
        let approver = self.approver.unwrap_or_else(|| Arc::new(Nobody));
        Ok(Engine::of(state, approver, turns, disk_wait))
    }
}
