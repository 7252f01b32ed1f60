//! Lowers settings to the parts of an engine. May not choose: every value is already there.

use super::{ConfigValue, Settings};
use crate::languages::Languages;
use runward_core::facts::Containment;
use runward_core::policy::{
    AllowedCommands, CodeByName, CwdRoots, Decision, OwnLeave, Policy, Redirecting, SandboxLeave,
};
use runward_core::resolve::{Defaults, EnvRules};
use runward_core::spec::{EnvBase, Limits};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

impl Settings {
    /// The defaults where a spec says nothing.
    pub fn defaults(&self) -> Defaults {
        Defaults { limits: self.limits(), env: self.env() }
    }

    /// The rules that judge every command.
    pub fn policy(&self) -> Policy {
        let (everything, allow): (Vec<_>, Vec<_>) =
            self.list("policy.allow").into_iter().partition(|entry| entry == "*");
        let origin = self.get("policy.allow").map(|setting| setting.origin.to_string()).unwrap_or_default();
        let policy = Policy {
            own_leave: OwnLeave::Counts,
            typed: self.word("policy.typed").and_then(Decision::named).unwrap_or(Decision::Deny),
            allow_everything: (!everything.is_empty())
                .then(|| format!("the configuration says so (`policy.allow` in {origin})")),
            rules: self.configured_rules().map(|setting| setting.rule.clone()).collect(),
            commands: self.said("policy.allowed_commands").map(AllowedCommands::of),
            cwd_roots: CwdRoots::of(self.list("policy.allowed_cwd_roots")),
            presets: self.list("policy.presets"),
            redirect: match self.word("policy.redirect") {
                Some("any") => Redirecting::Any,
                Some("workspace") => Redirecting::Workspace,
                _ => Redirecting::None,
            },
            carried: match self.word("policy.carried") {
                Some("job") => CodeByName::Job,
                _ => CodeByName::Named,
            },
            sandboxed: match self.word("policy.sandboxed") {
                Some("allow") => SandboxLeave::Given,
                _ => SandboxLeave::None,
            },
            workspace: None,
            interactive: self.list("policy.interactive"),
            granted: BTreeMap::new(),
        };
        let policy = policy.with(Decision::Allow, allow);
        let policy = policy.with(Decision::Ask, self.list("policy.ask"));
        policy.with(Decision::Deny, self.list("policy.deny"))
    }

    /// Hosts that markdown agents may import from, and hosts that they may not.
    pub fn flow_hosts(&self) -> (Vec<String>, Vec<String>) {
        (self.list("flows.allow_hosts"), self.list("flows.block_hosts"))
    }

    /// Commands inside one markdown agent that run at the same time.
    pub fn flow_commands_at_once(&self) -> usize {
        self.number("flows.commands_at_once").and_then(|most| usize::try_from(most).ok()).unwrap_or(1)
    }

    /// Bytes of the longest message of a child server.
    pub fn child_message_bytes(&self) -> usize {
        self.number("gateway.message_bytes").and_then(|most| usize::try_from(most).ok()).unwrap_or(1 << 24)
    }

    /// How long to wait for a person's answer.
    pub fn ask_limit(&self) -> Duration {
        self.number("policy.ask_timeout_ms").map_or(crate::approve::ASK_LIMIT, Duration::from_millis)
    }

    /// The way to hold process trees together, if one was chosen.
    pub fn containment(&self) -> Option<Containment> {
        use Containment as C;
        let ways = [C::PidNamespace, C::Cgroup, C::Subreaper, C::Job, C::ProcessGroup];
        ways.into_iter().find(|way| Some(way.name()) == self.word("limits.containment"))
    }

    /// Bytes that all output on disk may take together.
    pub fn spool_total(&self) -> u64 {
        self.number("limits.spool_total_bytes").unwrap_or_default()
    }

    /// Commands that may run at one time, if the configuration says; without that the host does.
    pub fn running(&self) -> Option<usize> {
        self.number("limits.running").and_then(|most| usize::try_from(most).ok())
    }

    /// Commands that may wait for their turn.
    pub fn waiting(&self) -> usize {
        self.number("limits.waiting").and_then(|most| usize::try_from(most).ok()).unwrap_or_default()
    }

    /// How long a command waits for a disk that does not answer.
    pub fn disk_wait(&self) -> Duration {
        self.number("limits.disk_wait_ms").map_or(crate::lookout::DISK_WAIT, Duration::from_millis)
    }

    /// Our node, if the configuration names it.
    pub fn node(&self) -> Option<&Path> {
        self.word("runtimes.node.path").map(Path::new)
    }

    /// The languages that code may be in.
    pub fn languages(&self) -> Languages {
        let configured = self.configured_languages().iter().map(|setting| setting.language.clone());
        configured.fold(Languages::default(), Languages::with)
    }

    fn limits(&self) -> Limits {
        let built_in = Limits::default();
        let time = |name| self.number(name).map(Duration::from_millis);
        Limits {
            wall: time("limits.timeout_ms"),
            idle: time("limits.idle_timeout_ms"),
            output: self.number("limits.output_bytes"),
            memory: self.number("limits.memory_bytes"),
            cpu: time("limits.cpu_ms"),
            processes: self.number("limits.processes"),
            open_files: self.number("limits.open_files"),
            file_size: self.number("limits.file_size_bytes"),
            keep: self.number("limits.keep_bytes").unwrap_or(built_in.keep),
            spool: self.number("limits.spool_bytes").unwrap_or(built_in.spool),
            kill_grace: time("limits.kill_grace_ms").unwrap_or(built_in.kill_grace),
            drain: time("limits.drain_ms").unwrap_or(built_in.drain),
        }
    }

    fn env(&self) -> EnvRules {
        EnvRules {
            base: if self.word("env.base") == Some("inherit") { EnvBase::Inherit } else { EnvBase::Clean },
            allow: self.list("env.allow").into_iter().collect(),
            drop: self.list("env.drop").into_iter().collect(),
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        if let ConfigValue::Number(number) = self.get(name)?.value { Some(number) } else { None }
    }

    pub(super) fn word(&self, name: &str) -> Option<&str> {
        if let ConfigValue::Word(word) = &self.get(name)?.value { Some(word) } else { None }
    }

    pub(super) fn list(&self, name: &str) -> Vec<String> {
        self.said(name).unwrap_or_default()
    }

    /// A list, if one was set: an empty list is not the same as none.
    fn said(&self, name: &str) -> Option<Vec<String>> {
        match &self.get(name)?.value {
            ConfigValue::List(words) => Some(words.clone()),
            _ => None,
        }
    }
}
