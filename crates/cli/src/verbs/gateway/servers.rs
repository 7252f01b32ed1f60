//! The list of servers of a gateway: found, read, read again, and the terms for all of them.
//!
//! The only place that reads it. May not start a server.

use super::consent::{self, Agreed, ConsentAsking, ListOrigin, agreed};
use super::listings::StateListings;
use crate::output::{VerbFailure, note, tell};
use crate::places;
use crate::setup::Setup;
use runward::core::redact::Redactor;
use runward::{Code, Engine, ErrorView, HostFacts};
use runward_flow::events::timestamp;
use runward_mcp::gateway::config::Roster;
use runward_mcp::gateway::names::{Separator, ToolNaming};
use runward_mcp::gateway::{
    GatewayTerms, KeepAliveTerms, NoListings, OfferedTools, RememberedListings, Strictness,
    TellGatewayOperator,
};
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
    pub(crate) listed: ListOrigin,
    pub(crate) separator: Separator,
    pub(crate) strictness: Strictness,
    pub(crate) offered: OfferedTools,
    pub(crate) debug: bool,
    pub(crate) log_file: Option<PathBuf>,
    pub(crate) name: Option<String>,
}

impl Servers {
    /// Why a list is used.
    pub(crate) fn listed(asked: Option<&Path>, ask: bool) -> ListOrigin {
        match (asked, ask) {
            (None, _) => ListOrigin::Found,
            (Some(_), false) => ListOrigin::Named,
            (Some(_), true) => ListOrigin::NamedAndAsked,
        }
    }

    /// The list in this file, or the usual one.
    pub(crate) fn file(asked: Option<&Path>, facts: &HostFacts, flag: &str) -> Result<PathBuf, VerbFailure> {
        if let Some(asked) = asked {
            return Ok(facts.naming.join(&facts.cwd, asked));
        }
        places::servers_file(facts).ok_or_else(|| {
            let message = "there is no home folder with a list of servers".to_owned();
            VerbFailure::bad_value(message, &format!("Name it with `{flag} FILE`."))
        })
    }

    /// Reads the list: what may be started of it. The person at the terminal is asked about servers that need approval.
    pub(crate) fn read(&self, facts: &HostFacts) -> Result<Roster, VerbFailure> {
        self.agreed(facts, ConsentAsking::AtTerminal)
    }

    /// Reads the list while its servers run, when there is no person to ask.
    pub(crate) fn read_again(&self, facts: &HostFacts) -> Result<Roster, VerbFailure> {
        self.agreed(facts, ConsentAsking::Nobody)
    }

    fn agreed(&self, facts: &HostFacts, asking: ConsentAsking) -> Result<Roster, VerbFailure> {
        let list = (self.file.as_path(), self.listed);
        let Agreed { roster, left_out, pinned } =
            agreed(self::list(&self.file, facts)?, list, facts, asking)?;
        left_out.iter().chain(&pinned).for_each(|sentence| tell(sentence));
        let too_few = roster.on().next().is_none() || self.strictness == Strictness::FailFast;
        if too_few && !left_out.is_empty() { Err(nobody_agreed(left_out.len())) } else { Ok(roster) }
    }

    /// The terms for all of them.
    pub(crate) fn terms(&self, engine: &Engine, setup: &Setup) -> Result<GatewayTerms, VerbFailure> {
        let facts = &setup.facts;
        let listings: Arc<dyn RememberedListings> = match places::state_folder(facts) {
            Some(folder) => Arc::new(StateListings { folder: folder.join("listings") }),
            None => Arc::new(NoListings),
        };
        Ok(GatewayTerms {
            engine: engine.clone(),
            base: consent::base(&self.file, facts),
            naming: ToolNaming::new(self.separator.clone(), tool_names()),
            care: KeepAliveTerms::default(),
            message_bytes: setup.settings.child_message_bytes(),
            listings,
            start: self.strictness,
            offered: self.offered,
            name: self.name.clone(),
            tell: masked(self.teller()?, engine.redactor().clone()),
            trace: self.debug,
        })
    }

    /// Where the state of the servers is logged: a file, or standard error.
    fn teller(&self) -> Result<TellGatewayOperator, VerbFailure> {
        let Some(path) = &self.log_file else { return Ok(Box::new(say)) };
        let opened = File::options().append(true).create(true).open(path);
        let file = Mutex::new(opened.map_err(|error| {
            VerbFailure::host(&format!("the log file `{}` cannot be written", path.display()), &error)
        })?);
        Ok(Box::new(move |sentence| {
            let line = format!("{} {sentence}\n", timestamp(SystemTime::now()));
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk must not stop the servers, and there is no other place to report it.
            let _ = file.write_all(line.as_bytes());
        }))
    }
}

/// The same log with secrets masked: children print anything, and every message may be logged.
fn masked(tell: TellGatewayOperator, redactor: Redactor) -> TellGatewayOperator {
    Box::new(move |sentence| tell(&redactor.mask(sentence)))
}

/// One line of ours. Programs recognise the line about a resolved name by its beginning.
fn say(line: &str) {
    if line.starts_with("[INFO] ") { note(line) } else { tell(line) }
}

/// Every server of a list.
pub(super) fn list(path: &Path, facts: &HostFacts) -> Result<Roster, VerbFailure> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&file, &error))?;
    let variable = |name: &str| facts.env_var(name).and_then(|value| value.to_str()).map(str::to_owned);
    Ok(Roster::read(&file, &text, &variable)?)
}

/// Servers of a list without approval.
pub(super) fn nobody_agreed(count: usize) -> VerbFailure {
    let servers = if count == 1 { "1 server needs".to_owned() } else { format!("{count} servers need") };
    VerbFailure::Told(ErrorView {
        code: Code::GatewayNeedsConsent,
        message: format!("{servers} a person's approval"),
        hint: Some("Approve them at a terminal with `runward gateway consent FILE`.".to_owned()),
    })
}

fn unreadable(file: &str, error: &io::Error) -> VerbFailure {
    let missing = error.kind() == io::ErrorKind::NotFound;
    let message = if missing {
        format!("the list of servers `{file}` does not exist")
    } else {
        format!("the list of servers `{file}` cannot be read: {error}")
    };
    let hint = "Write one, such as {\"mcpServers\": {\"time\": {\"command\": \"uvx\", \"args\": \
                [\"mcp-server-time\"]}}}, name another with `--config`, or see `runward gateway import`.";
    VerbFailure::Told(ErrorView { code: Code::GatewayBadConfig, message, hint: Some(hint.to_owned()) })
}
