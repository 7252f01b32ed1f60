//! The list of servers of a gateway: found, read, read again, and what holds for all of them.
//!
//! The only place that reads it. May not start a server.

use super::consent::{self, Agreed, Asking, Listed, agreed};
use super::listings::StateListings;
use crate::output::{Failure, note, tell};
use crate::places;
use runward::core::redact::Redactor;
use runward::{Code, Engine, ErrorView, HostFacts};
use runward_flow::events::timestamp;
use runward_mcp::gateway::config::Roster;
use runward_mcp::gateway::names::{Naming, Separator};
use runward_mcp::gateway::{Care, Listings, NoListings, Strictness, Tell, Terms};
use runward_mcp::tool_names;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// A list of servers, and how they are served.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    pub(crate) file: PathBuf,
    pub(crate) listed: Listed,
    pub(crate) separator: Separator,
    pub(crate) strictness: Strictness,
    pub(crate) debug: bool,
    pub(crate) log_file: Option<PathBuf>,
    pub(crate) name: Option<String>,
}

impl Servers {
    /// How a list came to be used.
    pub(crate) fn listed(asked: Option<&Path>, ask: bool) -> Listed {
        match (asked, ask) {
            (None, _) => Listed::Found,
            (Some(_), false) => Listed::Named,
            (Some(_), true) => Listed::NamedAndAsked,
        }
    }

    /// The list in this file, or the usual one.
    pub(crate) fn file(asked: Option<&Path>, facts: &HostFacts, flag: &str) -> Result<PathBuf, Failure> {
        if let Some(asked) = asked {
            return Ok(facts.naming.join(&facts.cwd, asked));
        }
        places::servers_file(facts).ok_or_else(|| {
            let message = "nobody knows where the list of servers is".to_owned();
            Failure::bad_value(message, &format!("Name it with `{flag} FILE`."))
        })
    }

    /// Reads the list: what may be started of it. Whoever sits at the terminal is asked about what needs a yes.
    pub(crate) fn read(&self, facts: &HostFacts) -> Result<Roster, Failure> {
        self.agreed(facts, Asking::AtTerminal)
    }

    /// Reads the list while its servers run, when nobody waits to be asked.
    pub(crate) fn read_again(&self, facts: &HostFacts) -> Result<Roster, Failure> {
        self.agreed(facts, Asking::Nobody)
    }

    fn agreed(&self, facts: &HostFacts, asking: Asking) -> Result<Roster, Failure> {
        let list = (self.file.as_path(), self.listed);
        let Agreed { roster, left_out, pinned } =
            agreed(self::list(&self.file, facts)?, list, facts, asking)?;
        left_out.iter().chain(&pinned).for_each(|sentence| tell(sentence));
        let too_few = roster.servers.is_empty() || self.strictness == Strictness::FailFast;
        if too_few && !left_out.is_empty() { Err(nobody_agreed(left_out.len())) } else { Ok(roster) }
    }

    /// What holds for all of them.
    pub(crate) fn terms(&self, engine: &Engine, facts: &HostFacts) -> Result<Terms, Failure> {
        let listings: Arc<dyn Listings> = match places::state_folder(facts) {
            Some(folder) => Arc::new(StateListings { folder: folder.join("listings") }),
            None => Arc::new(NoListings),
        };
        Ok(Terms {
            engine: engine.clone(),
            base: consent::base(&self.file, facts),
            naming: Naming::new(self.separator.clone(), tool_names()),
            care: Care::default(),
            listings,
            start: self.strictness,
            name: self.name.clone(),
            tell: masked(self.teller()?, engine.redactor().clone()),
            trace: self.debug,
        })
    }

    /// Who is told how the servers fare: a file, or whoever reads our errors.
    fn teller(&self) -> Result<Tell, Failure> {
        let Some(path) = &self.log_file else { return Ok(Box::new(say)) };
        let opened = File::options().append(true).create(true).open(path);
        let file = Mutex::new(opened.map_err(|error| {
            Failure::host(&format!("the log file `{}` cannot be written", path.display()), &error)
        })?);
        Ok(Box::new(move |sentence| {
            let line = format!("{} {sentence}\n", timestamp(SystemTime::now()));
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk must not stop the servers; there is nobody else to be told.
            let _ = file.write_all(line.as_bytes());
        }))
    }
}

/// Tells the same without its secrets: children say what they like, and every message may be told.
fn masked(tell: Tell, redactor: Redactor) -> Tell {
    Box::new(move |sentence| tell(&redactor.mask(sentence)))
}

/// One of our lines. Others read what a name was resolved to by its own beginning.
fn say(line: &str) {
    if line.starts_with("[INFO] ") { note(line) } else { tell(line) }
}

/// Every server of a list.
pub(super) fn list(path: &Path, facts: &HostFacts) -> Result<Roster, Failure> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&file, &error))?;
    let variable = |name: &str| facts.env_var(name).and_then(|value| value.to_str()).map(str::to_owned);
    Ok(Roster::read(&file, &text, &variable)?)
}

/// Servers of a list that nobody agreed to.
pub(super) fn nobody_agreed(count: usize) -> Failure {
    let servers = if count == 1 { "1 server needs".to_owned() } else { format!("{count} servers need") };
    Failure::Told(ErrorView {
        code: Code::GatewayNeedsConsent,
        message: format!("{servers} somebody's yes"),
        hint: Some("Agree to them at a terminal with `runward gateway consent FILE`.".to_owned()),
    })
}

fn unreadable(file: &str, error: &io::Error) -> Failure {
    let missing = error.kind() == io::ErrorKind::NotFound;
    let message = if missing {
        format!("the list of servers `{file}` does not exist")
    } else {
        format!("the list of servers `{file}` cannot be read: {error}")
    };
    let hint = "Write one, such as {\"mcpServers\": {\"time\": {\"command\": \"uvx\", \"args\": \
                [\"mcp-server-time\"]}}}, name another with `--config`, or see `runward gateway import`.";
    Failure::Told(ErrorView { code: Code::GatewayBadConfig, message, hint: Some(hint.to_owned()) })
}
