//! What every verb stands on: the facts of the host, the configuration, and an engine built from both.
//!
//! The only place that reads configuration files.

use crate::args::SandboxArgs;
use crate::ask::Terminal;
use crate::output::{Failure, tell};
use crate::places::{self, UserFile};
use crate::remember::OwnersFile;
use runward::config::{self, ConfigError, Problem, Settings, Source, Sources, Variable};
use runward::core::redact::Redactor;
use runward::core::render::word;
use runward::core::resolve::FoundNode;
use runward::journal::{Journal, Need, Reader, mend};
use runward::telemetry::Telemetry;
use runward::{Code, Engine, EngineBuilder, ErrorView, HostFacts, Policy, SandboxSettings, SpoolRules, host};
use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Facts and settings.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) facts: HostFacts,
    pub(crate) settings: Settings,
    /// The configuration that was named on the command line.
    typed: Option<PathBuf>,
    sandbox: SandboxSettings,
    /// Presets that were named on the command line.
    presets: Vec<String>,
    journal: Records,
    redactor: OnceCell<Redactor>,
}

/// The journal of this process, and who else is told, once something may be run.
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
pub(crate) enum Spooling {
    /// The answer will say where the rest is.
    ToDisk,
    /// Whoever asked has every byte already.
    Off,
}

impl House {
    /// Gathers the facts and reads the configuration.
    pub(crate) fn open(typed: Option<&Path>) -> Result<Self, Failure> {
        let mut facts = facts()?;
        let settings = read(typed, &facts)?;
        choose_node(&mut facts, &settings);
        let sandbox = settings.sandbox(places::own(typed, &facts));
        let (journal, redactor) = (Records::default(), OnceCell::new());
        let (typed, presets) = (typed.map(Path::to_owned), Vec::new());
        Ok(Self { facts, settings, typed, sandbox, presets, journal, redactor })
    }

    /// The same house, with presets that somebody typed besides those of the configuration.
    pub(crate) fn allowing(mut self, presets: &[String]) -> Self {
        self.presets = presets.to_vec();
        if !self.presets.is_empty() && self.settings.policy().commands.is_some() {
            tell(
                "`--preset` adds nothing here: ALLOWED_COMMANDS (or `policy.allowed_commands`) is set, and that list alone governs",
            );
        }
        self
    }

    /// The rules of this house, or of other settings, with what was typed besides.
    pub(crate) fn policy(&self, settings: &Settings) -> Policy {
        let mut policy = settings.policy();
        policy.presets.extend(
            self.presets.iter().filter(|name| !policy.presets.contains(name)).cloned().collect::<Vec<_>>(),
        );
        policy
    }

    /// The same house, whose commands are kept as tightly as somebody typed.
    pub(crate) fn tightened(mut self, typed: &SandboxArgs) -> Result<Self, Failure> {
        self.sandbox = tightened(&self.sandbox, typed, &self.settings)?;
        Ok(self)
    }

    /// Who knows what must not be written down or told: one for everybody, so that what it learns is known everywhere.
    fn redactor(&self) -> Redactor {
        self.redactor.get_or_init(|| self.settings.redactor(&self.facts.env)).clone()
    }

    /// An engine that keeps this house's rules.
    pub(crate) fn engine(&self, spooling: Spooling) -> Result<Engine, Failure> {
        let mut builder: EngineBuilder = Engine::builder()
            .facts(self.facts.clone())
            .policy(self.policy(&self.settings))
            .defaults(self.settings.defaults())
            .ask_limit(self.settings.ask_limit())
            .sandbox(self.sandbox.clone())
            .redactor(self.redactor())
            .approver(Terminal::of(&self.facts, &self.settings));
        if let Some(file) = OwnersFile::of(self.typed.as_deref(), &self.facts) {
            builder = builder.remember(file);
        }
        if let Some(way) = self.settings.containment() {
            builder = builder.containment(way);
        }
        if let (Spooling::ToDisk, Some(rules)) = (spooling, self.spool()) {
            builder = builder.spool(rules);
        }
        if let Some(journal) = self.journal()? {
            builder = builder.journal(journal);
        }
        if let Some(telemetry) = self.telemetry() {
            builder = builder.telemetry(telemetry);
        }
        Ok(builder.build()?)
    }

    /// Who is told of every command, if anybody.
    fn telemetry(&self) -> Option<Telemetry> {
        let collector = self.settings.collector()?;
        Some(self.journal.1.get_or_init(|| Telemetry::to(collector, self.redactor())).clone())
    }

    /// Where commands are written down; nowhere, if that is switched off or there is no place for it.
    fn journal(&self) -> Result<Option<Journal>, Failure> {
        let Some(folder) = self.journal_folder() else {
            return match self.settings.journal_need() {
                Need::Wanted => {
                    tell(
                        "commands are not recorded: there is no home to put the journal in; name a folder with `RUNWARD_STATE_DIR`",
                    );
                    Ok(None)
                }
                Need::Required => {
                    let why = "there is no home to put it in".to_owned();
                    Err(runward::Error::NoJournal { why }.into())
                }
            };
        };
        let spool = self.spool().map(|rules| rules.folder);
        let shown = word(folder.as_os_str());
        let rules = self.settings.journal(folder, spool, Arc::new(tell));
        if rules.is_some() && places::usual_state_folder(&self.facts).is_none() {
            tell(&format!("there is no home: commands are recorded in `{shown}`"));
        }
        let new = |rules| Journal::new(rules, self.redactor());
        Ok(rules.map(|rules| self.journal.0.get_or_init(|| new(rules)).clone()))
    }

    /// The journal's folder.
    pub(crate) fn journal_folder(&self) -> Option<PathBuf> {
        Some(places::state_folder(&self.facts)?.join("journal"))
    }

    /// The journal, to look into; none if nothing was recorded yet.
    pub(crate) fn reader(&self) -> Result<Option<Reader>, Failure> {
        let Some(folder) = self.journal_folder() else { return Ok(None) };
        mend(&folder);
        let spool = places::state_folder(&self.facts).map(|folder| folder.join("spool"));
        Ok(Reader::open(&folder, spool.as_deref())?)
    }

    /// Where output goes that does not fit into memory; nowhere, if it may take no room there.
    fn spool(&self) -> Option<SpoolRules> {
        let each = self.settings.defaults().limits.spool;
        let total = self.settings.spool_total();
        let folder = places::state_folder(&self.facts)?.join("spool");
        (each > 0 && total > 0).then_some(SpoolRules { folder, total })
    }
}

/// What somebody typed makes a sandbox tighter; what would loosen it is refused.
fn tightened(
    set: &SandboxSettings,
    typed: &SandboxArgs,
    settings: &Settings,
) -> Result<SandboxSettings, Failure> {
    let now = set.tightened_by(&typed.wish());
    let refused = |option: &str, key: &str| {
        let held = settings.get(key).map(|setting| format!("{} ({})", setting.value, setting.origin));
        let message = format!("`{option}` would loosen `{key}` = {}", held.unwrap_or_default());
        Failure::bad_value(message, "Leave it out, or change the configuration: an option can only tighten.")
    };
    match (typed.sandbox, &typed.network) {
        (Some(mode), _) if mode != now.mode => {
            Err(refused(&format!("--sandbox {}", mode.name()), "sandbox.mode"))
        }
        (_, Some(network)) if *network != now.network => {
            Err(refused(&format!("--network {}", network.name()), "sandbox.network"))
        }
        _ => Ok(now),
    }
}

/// Makes the configured node ours, unless the environment, which is nearer to this very command, names one.
pub(crate) fn choose_node(facts: &mut HostFacts, settings: &Settings) {
    if let (Some(node), None) = (settings.node(), facts.env_var("RUNWARD_NODE")) {
        facts.node = Some(FoundNode { path: node.to_owned(), place: "runtimes.node.path".to_owned() });
    }
}

/// The facts of this host.
pub(crate) fn facts() -> Result<HostFacts, Failure> {
    host::probe().map_err(|source| runward::Error::Probe(source).into())
}

/// Reads the configuration there is.
pub(crate) fn read(typed: Option<&Path>, facts: &HostFacts) -> Result<Settings, Failure> {
    let user = match places::user_file(typed, facts) {
        UserFile::Named(file) => Some(source(&file)?.ok_or_else(|| missing(&file))?),
        UserFile::Usual(file) => source(&file)?,
        UserFile::Nowhere => None,
    };
    load_with(user, facts)
}

/// The configuration there is, with this as the owner's file.
pub(crate) fn load_with(user: Option<Source>, facts: &HostFacts) -> Result<Settings, Failure> {
    let read = |file: Option<PathBuf>| file.map_or(Ok(None), |file| source(&file));
    let project = read(places::project_file(facts, &host::Disk))?;
    let here = read(places::here_file(facts, &host::Disk))?;
    Ok(config::load(&Sources {
        user,
        variables: variables(facts)?,
        project,
        here,
        home: facts.home.clone(),
    })?)
}

/// The variables of the environment that say what a key would.
fn variables(facts: &HostFacts) -> Result<Vec<Variable>, Failure> {
    let said = config::VARIABLES.iter().filter_map(|(name, _)| Some((*name, facts.env_var(name)?)));
    said.map(|(name, value)| match value.to_str() {
        Some(text) => Ok(Variable { name, text: text.to_owned() }),
        None => {
            let problem =
                Problem { file: name.to_owned(), line: None, what: "its value is not UTF-8".to_owned() };
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
fn source(path: &Path) -> Result<Option<Source>, Failure> {
    let file = word(path.as_os_str());
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(Source { file, text })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let what = format!("the file could not be read: {error}");
            Err(ConfigError::of(vec![Problem { file, line: None, what }]).into())
        }
    }
}

fn missing(path: &Path) -> Failure {
    Failure::Told(ErrorView {
        code: Code::ConfigInvalid,
        message: format!("the configuration file `{}` does not exist", word(path.as_os_str())),
        hint: Some("Create it, or name another with `--config` or `RUNWARD_CONFIG`.".to_owned()),
    })
}
