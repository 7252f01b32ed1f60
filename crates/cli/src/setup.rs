//! What every verb needs: the facts of the host, the configuration, and an engine built from both.
//!
//! The only place that reads configuration files.

use crate::args::SandboxArgs;
use crate::ask::TerminalApprover;
use crate::ecosystems::FolderHosts;
use crate::level::Level;
use crate::output::{VerbFailure, tell, tell_at_start};
use crate::places::{self, UserFile};
use crate::remember::OwnersFile;
use runward::config::{
    self, AnswerSettings, ConfigError, ConfigProblem, ConfigSource, ConfigVariable, Settings, Sources,
};
use runward::core::redact::{Redactor, looks_secret};
use runward::core::render::word;
use runward::core::resolve::{Defaults, FoundNode};
use runward::journal::{Journal, JournalNeed, JournalReader, mend};
use runward::telemetry::Telemetry;
use runward::{
    Code, Engine, EngineBuilder, ErrorView, HostFacts, Network, NoSpool, SandboxSettings, SpoolRules, host,
};
use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Facts and settings.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) facts: HostFacts,
    pub(crate) settings: Settings,
    /// The configuration that was named on the command line.
    typed: Option<PathBuf>,
    sandbox: SandboxSettings,
    rules: TypedRules,
    journal: Records,
    redactor: OnceCell<Redactor>,
}

/// Rules that were named on the command line: the operator's own word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TypedRules {
    pub(crate) presets: Vec<String>,
    pub(crate) level: Option<Level>,
    /// The folder that the level is for; none is the one where we were started.
    pub(crate) folder: Option<PathBuf>,
}

impl TypedRules {
    /// Presets alone.
    pub(crate) fn presets(presets: &[String]) -> Self {
        Self { presets: presets.to_vec(), ..Self::default() }
    }

    /// Every preset, those of the level among them.
    fn all(&self) -> Vec<String> {
        let from_level =
            self.level.iter().flat_map(|level| level.presets()).map(|preset| (*preset).to_owned());
        self.presets.iter().cloned().chain(from_level).collect()
    }
}

/// The journal of this process and the other receivers of records, once something may be run.
#[derive(Debug, Default)]
struct Records(OnceCell<Journal>, OnceCell<Telemetry>);

impl Drop for Records {
    /// Everything that was recorded is written before we end.
    fn drop(&mut self) {
        if let Some(journal) = self.0.get() {
            journal.close();
        }
        if let Some(telemetry) = self.1.get() {
            telemetry.flush();
        }
    }
}

/// Whether output that does not fit into memory goes to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpoolChoice {
    /// The answer will say where the rest is.
    ToDisk,
    /// The caller has every byte already.
    Off,
}

impl Setup {
    /// Gathers the facts and reads the configuration.
    pub(crate) fn open(typed: Option<&Path>) -> Result<Self, VerbFailure> {
        Self::on(facts()?, typed, TypedRules::default())
    }

    /// The same, with rules of the command line besides those of the configuration.
    pub(crate) fn allowing(typed: Option<&Path>, rules: TypedRules) -> Result<Self, VerbFailure> {
        let setup = Self::on(facts()?, typed, rules)?.at_level()?;
        if !setup.rules.all().is_empty() && setup.settings.policy().commands.is_some() {
            let option = if setup.rules.presets.is_empty() { "--level" } else { "--preset" };
            tell(&format!(
                "`{option}` adds nothing here: ALLOWED_COMMANDS (or `policy.allowed_commands`) is set, and that list alone governs",
            ));
        }
        Ok(setup)
    }

    /// The same on a host with these facts, in silence, and without the sandbox of a level.
    pub(crate) fn on(
        mut facts: HostFacts,
        typed: Option<&Path>,
        rules: TypedRules,
    ) -> Result<Self, VerbFailure> {
        let settings = read_with(typed, &facts, &rules)?;
        choose_node(&mut facts, &settings);
        let sandbox = settings.sandbox(places::own(typed, &facts));
        let (journal, redactor) = (Records::default(), OnceCell::new());
        let typed = typed.map(Path::to_owned);
        Ok(Self { facts, settings, typed, sandbox, rules, journal, redactor })
    }

    /// The setup of a host without any configuration: for mending one that is broken.
    pub(crate) fn built_in() -> Result<Self, VerbFailure> {
        let (facts, settings) = (facts()?, Settings::built_in().on_this_host());
        let sandbox = settings.sandbox(places::own(None, &facts));
        let (journal, redactor, rules) = (Records::default(), OnceCell::new(), TypedRules::default());
        Ok(Self { facts, settings, typed: None, sandbox, rules, journal, redactor })
    }

    /// The configuration, read again with the same rules of the command line.
    pub(crate) fn read_again(&self, typed: Option<&Path>) -> Result<Settings, VerbFailure> {
        read_with(typed, &self.facts, &self.rules)
    }

    /// The same setup, in the sandbox that its level stands for. A level whose sandbox this host cannot keep is refused:
    /// it would be another level.
    fn at_level(mut self) -> Result<Self, VerbFailure> {
        let folder = self.rules.folder.as_deref().unwrap_or(Path::new(""));
        let hosts = FolderHosts::of(&self.facts.naming.join(&self.facts.cwd, folder));
        // Where the owner has a list of hosts, that is the one.
        let listed = matches!(self.sandbox.network, Network::Hosts(_));
        let wished = |level: &Level| level.sandbox((!listed).then(|| hosts.list.clone()));
        let Some((level, wish)) = self.rules.level.map(|level| (level, wished(&level))) else {
            return Ok(self);
        };
        if wish.is_empty() {
            return Ok(self);
        }
        self.sandbox = self.sandbox.tightened_by(&wish);
        let there = host::sandbox_layers();
        let missing = wish.layers.iter().filter(|layer| !there.contains(layer)).map(|layer| layer.name());
        let missing: Vec<&str> = missing.collect();
        if !missing.is_empty() {
            return Err(VerbFailure::Told(ErrorView {
                code: Code::SandboxUnavailable,
                message: format!(
                    "`--level {}` needs a sandbox, and this host lacks {}",
                    level.name(),
                    missing.join(", ")
                ),
                hint: Some("See `runward doctor` for what is missing, or take `--level build`.".to_owned()),
            }));
        }
        tell(&format!(
            "level work: every command that no rule asks about or denies, inside a sandbox that may write in the workspace alone; {}",
            reach(&self.sandbox.network, &hosts, listed)
        ));
        Ok(self)
    }

    /// What holds where a command says nothing. At the level `work` no variable gets in whose name looks secret.
    fn defaults(&self) -> Defaults {
        let mut defaults = self.settings.defaults();
        if self.rules.level == Some(Level::Work) {
            let names = self.facts.env.keys().filter_map(|name| name.to_str());
            defaults.env.drop.extend(names.filter(|name| looks_secret(name)).map(str::to_owned));
        }
        defaults
    }

    /// How answers to models are made. At the level `work` they are masked, whatever the configuration says.
    pub(crate) fn answers(&self) -> AnswerSettings {
        let answers = self.settings.answers();
        AnswerSettings { mask: answers.mask || self.rules.level == Some(Level::Work), ..answers }
    }

    /// An engine for a program that is started as a client would start it: without the sandbox of commands.
    pub(crate) fn outside(mut self) -> Self {
        self.sandbox = SandboxSettings::default();
        self
    }

    /// The same setup, with a sandbox as tight as the command line says.
    pub(crate) fn tightened(mut self, typed: &SandboxArgs) -> Result<Self, VerbFailure> {
        self.sandbox = tightened(&self.sandbox, typed, &self.settings)?;
        Ok(self)
    }

    /// The masker of secrets: one for all parts, so that what it learns is masked everywhere.
    fn redactor(&self) -> Redactor {
        self.redactor.get_or_init(|| self.settings.redactor(&self.facts.env)).clone()
    }

    /// An engine with this setup's rules.
    pub(crate) fn engine(&self, spooling: SpoolChoice) -> Result<Engine, VerbFailure> {
        let mut builder: EngineBuilder = Engine::builder()
            .facts(self.facts.clone())
            .policy(self.settings.policy())
            .defaults(self.defaults())
            .ask_limit(self.settings.ask_limit())
            .sandbox(self.sandbox.clone())
            .redactor(self.redactor())
            .approver(TerminalApprover::of(&self.facts, &self.settings));
        if let Some(file) = OwnersFile::of(self.typed.as_deref(), &self.facts) {
            builder = builder.remember(file);
        }
        if let Some(way) = self.settings.containment() {
            builder = builder.containment(way);
        }
        builder = match (spooling, self.spool()) {
            (SpoolChoice::Off, _) => builder.without_spool(NoSpool::Unneeded),
            (SpoolChoice::ToDisk, Ok(rules)) => builder.spool(rules),
            (SpoolChoice::ToDisk, Err(why)) => builder.without_spool(NoSpool::Because(why.to_owned())),
        };
        builder = builder.waiting(self.settings.waiting()).disk_wait(self.settings.disk_wait());
        if let Some(most) = self.settings.running() {
            builder = builder.running(most);
        }
        let journal = self.journal()?;
        // A journal that is switched off needs no message.
        let told = |_: &String| journal.is_some() || self.journal_folder().is_none();
        if let Some(note) = self.homeless().filter(told) {
            builder = builder.note(note);
        }
        if let Some(journal) = journal {
            builder = builder.journal(journal);
        }
        if let Some(telemetry) = self.telemetry() {
            builder = builder.telemetry(telemetry);
        }
        Ok(builder.build()?)
    }

    /// What receives every command (telemetry), if anything does.
    fn telemetry(&self) -> Option<Telemetry> {
        let collector = self.settings.collector()?;
        Some(self.journal.1.get_or_init(|| Telemetry::to(collector, self.redactor())).clone())
    }

    /// Where commands are recorded; nowhere, if that is switched off or there is no place for it.
    fn journal(&self) -> Result<Option<Journal>, VerbFailure> {
        let Some(folder) = self.journal_folder() else {
            return match self.settings.journal_need() {
                JournalNeed::Wanted => {
                    tell_at_start(&self.homeless().unwrap_or_default());
                    Ok(None)
                }
                JournalNeed::Required => {
                    let why = "there is no home to put it in".to_owned();
                    Err(runward::Error::NoJournal { why }.into())
                }
            };
        };
        let spool = self.spool().ok().map(|rules| rules.folder);
        let rules = self.settings.journal(folder, spool, Arc::new(tell));
        if let (Some(_), Some(note)) = (&rules, self.homeless()) {
            tell_at_start(&note);
        }
        let new = |rules| Journal::new(rules, self.redactor());
        Ok(rules.map(|rules| self.journal.0.get_or_init(|| new(rules)).clone()))
    }

    /// The journal's folder.
    pub(crate) fn journal_folder(&self) -> Option<PathBuf> {
        Some(places::state_folder(&self.facts)?.join("journal"))
    }

    /// The journal, to look into; none if nothing was recorded yet.
    pub(crate) fn reader(&self) -> Result<Option<JournalReader>, VerbFailure> {
        let Some(folder) = self.journal_folder() else { return Ok(None) };
        mend(&folder);
        let spool = places::state_folder(&self.facts).map(|folder| folder.join("spool"));
        Ok(JournalReader::open(&folder, spool.as_deref())?)
    }

    /// Where output goes that does not fit into memory, or why it goes nowhere.
    fn spool(&self) -> Result<SpoolRules, &'static str> {
        let total = self.settings.spool_total();
        let folder = places::state_folder(&self.facts)
            .ok_or("because there is no home to put it in; name a folder with `RUNWARD_STATE_DIR`")?
            .join("spool");
        if self.settings.defaults().limits.spool == 0 {
            return Err("because `limits.spool_bytes` is 0");
        }
        if total == 0 {
            return Err("because `limits.spool_total_bytes` is 0");
        }
        Ok(SpoolRules { folder, total })
    }

    /// The warning where there is no home: records are kept elsewhere, or nowhere.
    fn homeless(&self) -> Option<String> {
        if places::usual_state_folder(&self.facts).is_some() {
            return None;
        }
        Some(match self.journal_folder() {
            Some(folder) => {
                format!("there is no home: commands are recorded in `{}`", word(folder.as_os_str()))
            }
            None => {
                "commands are not recorded: there is no home to put the journal in; name a folder with `RUNWARD_STATE_DIR`"
                    .to_owned()
            }
        })
    }
}

/// Options tighten a sandbox; one that would loosen it is refused.
fn tightened(
    set: &SandboxSettings,
    typed: &SandboxArgs,
    settings: &Settings,
) -> Result<SandboxSettings, VerbFailure> {
    let now = set.tightened_by(&typed.wish());
    let from_level = settings.sandbox(Vec::new()).network != set.network;
    let refused = |option: &str, key: &str| {
        let held = settings.get(key).map(|setting| match key {
            "sandbox.network" if from_level => format!("{} (--level)", set.network.name()),
            _ => format!("{} ({})", setting.value, setting.origin),
        });
        let message = format!("`{option}` would loosen `{key}` = {}", held.unwrap_or_default());
        VerbFailure::bad_value(
            message,
            "Leave it out, or change the configuration: an option can only tighten.",
        )
    };
    match (typed.sandbox, &typed.network) {
        (Some(mode), _) if mode != now.mode => {
            Err(refused(&format!("--sandbox {}", mode.name()), "sandbox.mode"))
        }
        (_, Some(network)) if !is_within(network, &set.network) => {
            Err(refused(&format!("--network {}", network.name()), "sandbox.network"))
        }
        _ => Ok(now),
    }
}

/// Whether the one network reaches no host that the other does not.
fn is_within(network: &Network, held: &Network) -> bool {
    match (network, held) {
        (_, Network::On) | (Network::Off, _) => true,
        (Network::Hosts(hosts), Network::Hosts(held)) => held.covers(hosts),
        _ => false,
    }
}

/// The hosts of a level, for whoever starts it.
fn reach(network: &Network, hosts: &FolderHosts, listed: bool) -> String {
    match network {
        Network::Hosts(list) if listed => {
            format!("it may connect to {} (sandbox.network)", Network::Hosts(list.clone()).name())
        }
        Network::Hosts(list) if list.entries().is_empty() => "it may connect to no host".to_owned(),
        Network::Hosts(list) => {
            format!("it may connect to {} (for {})", list.texts().join(", "), hosts.names.join(", "))
        }
        _ => "it has no network".to_owned(),
    }
}

/// Uses the configured node, unless the environment, which is nearer to this command, names one.
pub(crate) fn choose_node(facts: &mut HostFacts, settings: &Settings) {
    if let (Some(node), None) = (settings.node(), facts.env_var("RUNWARD_NODE")) {
        facts.node = Some(FoundNode { path: node.to_owned(), place: "runtimes.node.path".to_owned() });
    }
}

/// The facts of this host.
pub(crate) fn facts() -> Result<HostFacts, VerbFailure> {
    host::probe().map_err(|source| runward::Error::Probe(source).into())
}

/// Reads the configuration there is.
pub(crate) fn read(typed: Option<&Path>, facts: &HostFacts) -> Result<Settings, VerbFailure> {
    read_with(typed, facts, &TypedRules::default())
}

fn read_with(typed: Option<&Path>, facts: &HostFacts, rules: &TypedRules) -> Result<Settings, VerbFailure> {
    let user = match places::user_file(typed, facts) {
        UserFile::Named(file) => Some(source(&file)?.ok_or_else(|| missing(&file))?),
        UserFile::Usual(file) => source(&file)?,
        UserFile::Nowhere => None,
    };
    Ok(load_under(user, facts, rules)?.on_this_host())
}

/// The configuration there is, with this as the owner's file.
pub(crate) fn load_with(user: Option<ConfigSource>, facts: &HostFacts) -> Result<Settings, VerbFailure> {
    load_under(user, facts, &TypedRules::default())
}

fn load_under(
    user: Option<ConfigSource>,
    facts: &HostFacts,
    rules: &TypedRules,
) -> Result<Settings, VerbFailure> {
    let read = |file: Option<PathBuf>| file.map_or(Ok(None), |file| source(&file));
    let project = read(places::project_file(facts, &host::Disk))?;
    let here = read(places::here_file(facts, &host::Disk))?;
    Ok(config::load(&Sources {
        user,
        variables: variables(facts)?,
        presets: rules.all(),
        sandboxed: rules.level.map(Level::sandboxed).unwrap_or_default(),
        project,
        here,
        home: facts.home.clone(),
    })?)
}

/// The variables of the environment that say what a key would.
fn variables(facts: &HostFacts) -> Result<Vec<ConfigVariable>, VerbFailure> {
    let said = config::VARIABLES.iter().filter_map(|(name, _)| Some((*name, facts.env_var(name)?)));
    said.map(|(name, value)| match value.to_str() {
        Some(text) => Ok(ConfigVariable { name, text: text.to_owned() }),
        None => {
            let problem = ConfigProblem {
                file: name.to_owned(),
                line: None,
                what: "its value is not UTF-8".to_owned(),
            };
            Err(ConfigError::of(vec![problem]).into())
        }
    })
    .collect()
}

/// The files that are read, as they are found now.
pub(crate) fn files_in_use(typed: Option<&Path>, facts: &HostFacts) -> Vec<PathBuf> {
    let user = match places::user_file(typed, facts) {
        UserFile::Named(file) => Some(file),
        UserFile::Usual(file) => Some(file).filter(|file| file.is_file()),
        UserFile::Nowhere => None,
    };
    let project = places::project_file(facts, &host::Disk);
    user.into_iter().chain(project).chain(places::here_file(facts, &host::Disk)).collect()
}

/// A file's text; `None` where there is no file.
fn source(path: &Path) -> Result<Option<ConfigSource>, VerbFailure> {
    let file = word(path.as_os_str());
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(ConfigSource { file, text })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let what = format!("the file could not be read: {error}");
            Err(ConfigError::of(vec![ConfigProblem { file, line: None, what }]).into())
        }
    }
}

fn missing(path: &Path) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::ConfigInvalid,
        message: format!("the configuration file `{}` does not exist", word(path.as_os_str())),
        hint: Some("Create it, or name another with `--config` or `RUNWARD_CONFIG`.".to_owned()),
    })
}
