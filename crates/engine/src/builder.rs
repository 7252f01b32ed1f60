//! How an engine is put together.

use crate::approve::{ASK_LIMIT, Approver, Nobody, Queue, Remember};
use crate::journal::Journal;
use crate::road::{House, InForce};
use crate::spool::{Spool, SpoolRules};
use crate::telemetry::Telemetry;
use crate::{Engine, Error};
use runward_core::facts::{Containment, HostFacts};
use runward_core::policy::Policy;
use runward_core::redact::Redactor;
use runward_core::resolve::Defaults;
use runward_core::sandbox::SandboxSettings;
use std::sync::Arc;
use std::time::Duration;

/// Puts an engine together. What is not said is the safe choice: nothing is allowed, nobody is asked,
/// nothing is written to disk.
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
}

impl std::fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineBuilder").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl EngineBuilder {
    /// Uses these facts instead of asking the host.
    #[must_use]
    pub fn facts(mut self, facts: HostFacts) -> Self {
        self.facts = Some(facts);
        self
    }

    /// The rules that judge every command.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// What holds where a spec says nothing.
    #[must_use]
    pub fn defaults(mut self, defaults: Defaults) -> Self {
        self.defaults = defaults;
        self
    }

    /// Who asks people.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Who writes down what a person always agrees to. Without it, "always" is not on offer.
    #[must_use]
    pub fn remember(mut self, remember: impl Remember + 'static) -> Self {
        self.remember = Some(Arc::new(remember));
        self
    }

    /// How long a person's answer is waited for.
    #[must_use]
    pub fn ask_limit(mut self, limit: Duration) -> Self {
        self.ask_limit = Some(limit);
        self
    }

    /// Where output that does not fit into memory is written.
    #[must_use]
    pub fn spool(mut self, rules: SpoolRules) -> Self {
        self.spool = Some(rules);
        self
    }

    /// Where commands are written down.
    #[must_use]
    pub fn journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Who is told of every command, beside the journal.
    #[must_use]
    pub fn telemetry(mut self, telemetry: Telemetry) -> Self {
        self.telemetry = Some(telemetry);
        self
    }

    /// Who knows what must not be told; without it, only what looks like a secret by itself.
    #[must_use]
    pub fn redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = Some(redactor);
        self
    }

    /// Holds process trees together in this way, if the host can.
    #[must_use]
    pub fn containment(mut self, containment: Containment) -> Self {
        self.containment = Some(containment);
        self
    }

    /// What every command may reach. A command's own wish can only tighten it.
    #[must_use]
    pub fn sandbox(mut self, settings: SandboxSettings) -> Self {
        self.sandbox = settings;
        self
    }

    /// The engine.
    pub fn build(self) -> Result<Engine, Error> {
        let mut facts = match self.facts {
            Some(facts) => facts,
            None => runward_os::probe().map_err(Error::Probe)?,
        };
        if let Some(wanted) = self.containment {
            facts.abilities.containment.retain(|can| *can == wanted);
        }
        let house = House {
            policy: InForce::new(self.policy.unwrap_or_default(), &facts),
            facts,
            defaults: self.defaults,
            sandbox: self.sandbox,
            remember: self.remember,
            ask_limit: self.ask_limit.unwrap_or(ASK_LIMIT),
            questions: Queue::default(),
            spool: self.spool.map(|rules| Spool::new(rules, self.journal.clone())),
            journal: self.journal,
            telemetry: self.telemetry,
            redactor: self.redactor.unwrap_or_default(),
        };
        Ok(Engine::of(house, self.approver.unwrap_or_else(|| Arc::new(Nobody))))
    }
}
