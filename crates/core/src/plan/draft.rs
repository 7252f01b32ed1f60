//! The draft: everything that will be done, in one readable value with a digest. It runs nothing.

use super::imprint::imprint;
use crate::facts::{Abilities, Containment, Keeper};
use crate::policy::Ruling;
use crate::render::hex;
use crate::resolve::ResolvedCommand;
use crate::sandbox::{SandboxError, SandboxPlan};
use crate::spec::{Caller, Terminal};
use serde::{Serialize, Serializer};
use std::ffi::OsStr;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

/// The name of one run: unguessable, unique, given by the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RunId(#[serde(serialize_with = "hyphenated")] pub uuid::Uuid);

fn hyphenated<S: Serializer>(id: &uuid::Uuid, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(id)
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether a variable tells programs to use a proxy.
fn is_about_proxies(name: &OsStr) -> bool {
    const NAMES: [&str; 7] = [
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "ftp_proxy",
        "no_proxy",
        "npm_config_proxy",
        "npm_config_https_proxy",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The identity of one whole draft. Two drafts never share it: the run's own name is part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlanDigest([u8; 32]);

impl fmt::Display for PlanDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for PlanDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlanDigest({self})")
    }
}

impl Serialize for PlanDigest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// How a command is made to end: asked, given time, killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StopLadder {
    /// Time between asking (`SIGTERM` to the whole tree, where there are signals) and killing.
    pub grace: Duration,
    /// The same for what outlived a command that ended by itself: the answer is waiting for it.
    pub leftovers_grace: Duration,
    /// How long killing may take before it is reported as failed.
    pub patience: Duration,
}

/// What is kept of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CapturePlan {
    /// Bytes of each stream kept in memory, half at each end.
    pub keep: u64,
    /// Bytes of both streams written to the spool.
    pub spool: u64,
    /// How long output is read after the command ended.
    pub drain: Duration,
}

/// A limit, and its keeper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeptLimit {
    /// Its name, as in the configuration.
    pub name: &'static str,
    /// Its value, in milliseconds, bytes or pieces.
    pub value: u64,
    /// Its keeper.
    pub by: Keeper,
}

/// Everything that will be done to run one command: the file, arguments, environment, limits and sandbox, and what the
/// rules say. It starts nothing. `Engine::explain` gives one; the engine carries out what it says and nothing else.
#[derive(Debug, Serialize)]
pub struct Draft {
    id: RunId,
    command: ResolvedCommand,
    caller: Caller,
    ruling: Ruling,
    containment: Containment,
    /// The sandbox around it; nothing is ever claimed that is not kept.
    #[serde(skip_serializing_if = "SandboxPlan::is_off")]
    sandbox: SandboxPlan,
    limits: Vec<KeptLimit>,
    ladder: StopLadder,
    capture: CapturePlan,
    /// Computed when it is first asked for.
    #[serde(skip)]
    digest: OnceLock<PlanDigest>,
}

/// Draws the draft of a judged command, without a sandbox.
pub fn draft(
    id: RunId,
    command: ResolvedCommand,
    caller: Caller,
    ruling: Ruling,
    abilities: &Abilities,
) -> Result<Draft, SandboxError> {
    let containment = abilities
        .containment
        .first()
        .copied()
        .ok_or_else(|| SandboxError::unkept("a process tree together"))?;
    if matches!(command.terminal(), Terminal::Pty { .. }) && !abilities.pty {
        return Err(SandboxError::unkept("a pseudo-terminal"));
    }
    let command = ruling.given().applied(command);
    let limits = kept_limits(&command, abilities)?;
    let wanted = command.limits();
    Ok(Draft {
        id,
        containment,
        sandbox: SandboxPlan::default(),
        limits,
        ladder: StopLadder {
            grace: wanted.kill_grace,
            leftovers_grace: wanted.kill_grace.min(Duration::from_millis(100)),
            patience: Duration::from_secs(2),
        },
        capture: CapturePlan { keep: wanted.keep, spool: wanted.spool, drain: wanted.drain },
        command,
        caller,
        ruling,
        digest: OnceLock::new(),
    })
}

fn kept_limits(command: &ResolvedCommand, abilities: &Abilities) -> Result<Vec<KeptLimit>, SandboxError> {
    let limits = command.limits();
    let millis =
        |time: Option<Duration>| time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let ours = Some(Keeper::Runward);
    let wanted = [
        ("timeout_ms", millis(limits.wall), ours),
        ("idle_timeout_ms", millis(limits.idle), ours),
        ("output_bytes", limits.output, ours),
        ("memory_bytes", limits.memory, abilities.memory),
        ("cpu_ms", millis(limits.cpu), abilities.per_process),
        ("processes", limits.processes, abilities.processes),
        ("open_files", limits.open_files, abilities.per_process),
        ("file_size_bytes", limits.file_size, abilities.per_process),
    ];
    let mut kept = Vec::new();
    for (name, value, keeper) in wanted {
        let Some(value) = value else { continue };
        let by = keeper.ok_or_else(|| SandboxError::unkept(format!("the limit `{name}`")))?;
        kept.push(KeptLimit { name, value, by });
    }
    Ok(kept)
}

fn digest_of(draft: &Draft) -> PlanDigest {
    PlanDigest(*blake3::hash(&imprint(draft)).as_bytes())
}

impl Draft {
    /// The run's name.
    pub fn id(&self) -> RunId {
        self.id
    }
    /// The command.
    pub fn command(&self) -> &ResolvedCommand {
        &self.command
    }
    /// Who asks.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
    /// What policy thinks of it.
    pub fn ruling(&self) -> &Ruling {
        &self.ruling
    }
    /// How its processes are held together.
    pub fn containment(&self) -> Containment {
        self.containment
    }
    /// Names of the sandbox's layers.
    pub fn sandbox_layers(&self) -> &[String] {
        self.sandbox.names()
    }
    /// The sandbox around the command.
    pub fn sandbox(&self) -> &SandboxPlan {
        &self.sandbox
    }
    /// The same draft, in this sandbox. It is another draft than before: leave for the one is none for it.
    #[must_use]
    pub fn within(mut self, sandbox: SandboxPlan) -> Self {
        if sandbox.hosts().is_some() {
            // The host's proxy cannot be reached from inside: it is used outside, for listed hosts.
            self.command.env.retain(|name, _| !is_about_proxies(name));
        }
        self.sandbox = sandbox;
        self.digest = OnceLock::new();
        self
    }
    /// Limits, and their keepers.
    pub fn limits(&self) -> &[KeptLimit] {
        &self.limits
    }
    /// The value of a limit, if this keeper keeps it.
    pub fn limit_by(&self, name: &str, keeper: Keeper) -> Option<u64> {
        self.limits.iter().find(|limit| limit.name == name && limit.by == keeper).map(|limit| limit.value)
    }
    /// How it is made to end.
    pub fn ladder(&self) -> StopLadder {
        self.ladder
    }
    /// What is kept of its output.
    pub fn capture(&self) -> CapturePlan {
        self.capture
    }
    /// The identity of this very draft.
    pub fn digest(&self) -> PlanDigest {
        *self.digest.get_or_init(|| digest_of(self))
    }
}
