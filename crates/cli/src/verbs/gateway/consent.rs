//! Approval of the servers of a list: remembered for one exact command, asked for at the terminal.
//!
//! A person who names a list approves what it says then, and nothing that it says later. A list that was found in a
//! folder starts nothing without approval. May not approve by itself, nor start anything. Read first: [`agreed`].

use crate::ask;
use crate::output::VerbFailure;
use crate::{places, private, remember};
use runward::core::facts::Look;
use runward::core::render::{command_line, one_line, word};
use runward::core::resolve::{find_program, resolve_command};
use runward::core::spec::changes_programs;
use runward::host::Disk;
use runward::{Code, ErrorView, HostFacts};
use runward_mcp::gateway::config::{Roster, Server, ServerReach, ServerStart};
use runward_mcp::gateway::consent::{Consent, ConsentDigest, Consents};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Whether a person may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsentAsking {
    /// The person at the terminal, if there is one.
    AtTerminal,
    /// No person: servers without approval are left out.
    Nobody,
}

/// Why a list is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListOrigin {
    /// The operator named it, which approves what it says the first time.
    Named,
    /// The operator named it, and wants to be asked all the same.
    NamedAndAsked,
    /// It is the usual one.
    Found,
}

/// What may be started.
#[derive(Debug)]
pub(super) struct Agreed {
    /// The list; servers without approval wait for it.
    pub(super) roster: Roster,
    /// One sentence for each server that was left out.
    pub(super) left_out: Vec<String>,
    /// One sentence for each server that was approved by naming the list.
    pub(super) pinned: Vec<String>,
}

/// The servers of a file that may be started. A list beside the user's own configuration needs no approval.
pub(super) fn agreed(
    roster: Roster,
    list: (&Path, ListOrigin),
    facts: &HostFacts,
    asking: ConsentAsking,
) -> Result<Agreed, VerbFailure> {
    let (file, listed) = list;
    let free = is_own(file, facts, &Disk) || listed == ListOrigin::Found && !is_project(file, facts, &Disk);
    if free {
        return Ok(Agreed { roster, left_out: Vec::new(), pinned: Vec::new() });
    }
    let ledger = ConsentLedger::of(file, facts);
    if listed == ListOrigin::Named && !ledger.read()?.was_named(&ledger.name()) {
        let pinned = ledger.pin(&roster)?;
        return Ok(Agreed { roster, left_out: Vec::new(), pinned });
    }
    let asked = asking == ConsentAsking::AtTerminal && somebody_is_there();
    let mut refused = Vec::new();
    for (server, digest) in ledger.missing(&roster)? {
        if !(asked && ledger.ask(server, &digest)?) {
            refused.push(server.key.clone());
        }
    }
    let known = ledger.read()?;
    let left_out = refused.iter().map(|key| sentence(key, file, known.knew(key, &ledger.name()))).collect();
    let mut roster = roster;
    // A call of one of their tools is answered with what they wait for.
    let unagreed = roster.servers.iter_mut().filter(|server| refused.contains(&server.key));
    unagreed.for_each(|server| server.start = ServerStart::WhenAgreed);
    Ok(Agreed { roster, left_out, pinned: Vec::new() })
}

/// The message about a server without approval.
fn sentence(key: &str, file: &Path, changed: bool) -> String {
    let hint = command_line(["runward", "gateway", "consent", &word(file.as_os_str())]);
    let key = one_line(key);
    let why = if changed { "has changed since it was agreed to, and " } else { "" };
    format!(
        "the server `{key}` {why}is left out until you agree to it with `{hint}` [{}]",
        Code::GatewayNeedsConsent
    )
}

/// A person who can be asked and can answer.
pub(super) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether a file may have come with a folder: it lies in a git work tree or below the cwd, and not where the user
/// has the configuration of Runward.
pub(super) fn is_project(file: &Path, facts: &HostFacts, look: &dyn Look) -> bool {
    if is_own(file, facts, look) {
        return false;
    }
    let real = |path: &Path| look.real_path(path).unwrap_or_else(|| path.to_owned());
    let folder = file.parent().map(real).unwrap_or_default();
    let project = places::project_root(facts, look).unwrap_or(&facts.cwd);
    let in_git =
        |path: &Path| path.ancestors().skip(1).any(|folder| look.kind(&folder.join(".git")).is_some());
    let came = |path: &Path| path.starts_with(real(project)) || in_git(path);
    came(&folder.join(file.file_name().unwrap_or_default())) || came(&real(file))
}

/// Whether a file lies beside the user's configuration of Runward. It may be a link to a file elsewhere; only the user
/// can put one there.
pub(super) fn is_own(file: &Path, facts: &HostFacts, look: &dyn Look) -> bool {
    let real = |path: &Path| look.real_path(path).unwrap_or_else(|| path.to_owned());
    let folder = file.parent().map(real).unwrap_or_default();
    places::config_folder(facts).is_some_and(|own| folder.starts_with(real(&own)))
}

/// Where the servers of a file run, and what their relative names begin at: those of a project's file where the
/// project is, however deep the user stands in it; those of one's own where the user stands.
pub(super) fn base(file: &Path, facts: &HostFacts) -> PathBuf {
    if !is_project(file, facts, &Disk) {
        return facts.cwd.clone();
    }
    let folder = remember::real(file.parent().unwrap_or(file));
    let is_editors = folder.file_name().is_some_and(|name| name == ".vscode" || name == ".cursor");
    if is_editors { folder.parent().map_or(folder.clone(), Path::to_owned) } else { folder }
}

/// The approvals of one file.
pub(super) struct ConsentLedger<'a> {
    file: &'a Path,
    facts: &'a HostFacts,
    /// Where its servers run, which is part of an approval.
    folder: String,
    /// Where approvals are kept, if there is a place.
    state: Option<PathBuf>,
}

impl<'a> ConsentLedger<'a> {
    pub(super) fn of(file: &'a Path, facts: &'a HostFacts) -> Self {
        let folder = word(base(file, facts).as_os_str());
        Self { file, facts, folder, state: places::state_folder(facts) }
    }

    /// The name under which the file is remembered.
    fn name(&self) -> String {
        word(remember::real(self.file).as_os_str())
    }

    /// Approves everything that the list says, because the person who named it meant it.
    fn pin(&self, roster: &Roster) -> Result<Vec<String>, VerbFailure> {
        let servers: Vec<(&Server, ConsentDigest)> =
            roster.on().map(|server| (server, self.digest(server))).collect();
        let file = self.name();
        self.change(|consents| {
            consents.name(&file);
            for (server, digest) in &servers {
                let (digest, server) = (digest.clone(), server.key.clone());
                consents.agree(Consent { digest, server, file: file.clone() });
            }
        })?;
        Ok(servers.iter().map(|(server, _)| self.pinned(server)).collect())
    }

    /// The message about a server that is approved by naming its list.
    fn pinned(&self, server: &Server) -> String {
        let program = self.program(server);
        let program = if program.is_empty() { String::new() } else { format!(" ({})", one_line(&program)) };
        let key = one_line(&server.key);
        let later = if self.state.is_some() { "; a change of it will need a yes" } else { "" };
        format!("the server `{key}` is started as the list says now: {}{program}{later}", line_of(server))
    }

    /// The file that the command of a server resolves to; nothing where there is none.
    fn program(&self, server: &Server) -> String {
        let ServerReach::Command(launch) = &server.reach else { return String::new() };
        let facts = self.facts;
        let found = resolve_command(&launch.command, facts, &Disk);
        let own = launch.env.get("PATH").map(OsStr::new);
        let path = own.or_else(|| facts.env_var("PATH")).unwrap_or_default();
        let file = if facts.naming.has_separator(OsStr::new(&found)) {
            Some(facts.naming.join(Path::new(&self.folder), &found))
        } else {
            find_program(OsStr::new(&found), path, facts, &Disk)
        };
        file.map(|file| word(file.as_os_str())).unwrap_or_default()
    }

    fn place(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|folder| folder.join("consents.json"))
    }

    /// Every approval ever given.
    pub(super) fn read(&self) -> Result<Consents, VerbFailure> {
        let Some(place) = self.place() else { return Ok(Consents::default()) };
        let text = private::read(&place).map_err(|error| unreadable(&place, &error.to_string()))?;
        let Some(text) = text else { return Ok(Consents::default()) };
        serde_json::from_str(&text).map_err(|error| unreadable(&place, &error.to_string()))
    }

    /// What has to be approved before it is started.
    pub(super) fn missing<'r>(
        &self,
        roster: &'r Roster,
    ) -> Result<Vec<(&'r Server, ConsentDigest)>, VerbFailure> {
        Ok(self.read()?.missing(roster, |server| self.digest(server)))
    }

    /// What the approval of a server covers.
    pub(super) fn digest(&self, server: &Server) -> ConsentDigest {
        ConsentDigest::of(server, &self.folder, &self.program(server))
    }

    /// Shows a server to the person at the terminal; a yes is remembered.
    pub(super) fn ask(&self, server: &Server, digest: &ConsentDigest) -> Result<bool, VerbFailure> {
        let line = ask::put(&format!("{}\nStart it, now and later? [y]es / [N]o ", self.shown(server)));
        let yes = line.is_ok_and(|line| is_yes(&line));
        if yes {
            self.agree(server, digest)?;
        }
        Ok(yes)
    }

    /// Remembers a yes.
    pub(super) fn agree(&self, server: &Server, digest: &ConsentDigest) -> Result<(), VerbFailure> {
        let consent = Consent { digest: digest.clone(), server: server.key.clone(), file: self.name() };
        self.change(|consents| consents.agree(consent))
    }

    /// Withdraws every approval of a server of this file, as it is now and as it was.
    pub(super) fn withdraw(&self, server: &Server) -> Result<(), VerbFailure> {
        let (now, file) = (self.digest(server), self.name());
        self.change(|consents| {
            let is_its = |consent: &&Consent| consent.server == server.key && consent.file == file;
            let mut digests: Vec<ConsentDigest> =
                consents.all().iter().filter(is_its).map(|consent| consent.digest.clone()).collect();
            digests.push(now);
            digests.iter().for_each(|digest| consents.withdraw(digest));
        })
    }

    fn change(&self, how: impl FnOnce(&mut Consents)) -> Result<(), VerbFailure> {
        // Without a place to remember it, it counts this once.
        let (Some(state), Some(place)) = (&self.state, self.place()) else { return Ok(()) };
        let told = |error: io::Error| VerbFailure::host("the agreement could not be remembered", &error);
        let _held = remember::hold(&state.join("consents.lock")).map_err(told)?;
        let mut consents = self.read()?;
        how(&mut consents);
        let text = serde_json::to_string_pretty(&consents).map_err(|error| told(io::Error::other(error)))?;
        private::replace(&place, &format!("{text}\n")).map_err(told)
    }

    /// What would be started: everything but values that may be secrets.
    fn shown(&self, server: &Server) -> String {
        let file = one_line(&word(self.file.as_os_str()));
        let mut lines = vec![format!("{file} wants to use the server {}:", one_line(&server.key))];
        let listed = |what: &str, names: Vec<String>| {
            (!names.is_empty()).then(|| format!("  {what}: {}", names.join(", ")))
        };
        lines.push(format!("  {}", line_of(server)));
        lines.extend(listed(
            "program",
            Some(one_line(&self.program(server))).into_iter().filter(|program| !program.is_empty()).collect(),
        ));
        match &server.reach {
            ServerReach::Command(launch) => {
                lines.extend(listed("variables", launch.env.iter().map(variable).collect()));
                let cwd = Path::new(&self.folder).join(launch.cwd.as_deref().unwrap_or_default());
                lines.push(format!("  folder: {}", one_line(&word(cwd.as_os_str()))));
            }
            ServerReach::Address(remote) => {
                lines.extend(listed("headers", remote.headers.keys().map(|name| one_line(name)).collect()));
            }
        }
        lines.join("\n")
    }
}

/// A variable by its name; with its value where that decides which program runs, since it is part of the command then.
fn variable((name, value): (&String, &String)) -> String {
    if name.eq_ignore_ascii_case("PATH") || changes_programs(OsStr::new(name)) {
        command_line([format!("{name}={value}")])
    } else {
        one_line(name)
    }
}

/// The exact command line of a server, or its address.
pub(super) fn line_of(server: &Server) -> String {
    match &server.reach {
        ServerReach::Command(launch) => command_line(std::iter::once(&launch.command).chain(&launch.args)),
        ServerReach::Address(remote) => one_line(&remote.url),
    }
}

/// Only a clear yes is a yes.
fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

fn unreadable(place: &Path, why: &str) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::ConfigInvalid,
        message: format!("what was agreed to cannot be read from `{}`: {why}", word(place.as_os_str())),
        hint: Some("Delete the file; you will be asked again.".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup;
    use std::fs;

    #[test]
    fn a_file_of_the_folder_or_of_any_repository_is_a_projects_and_ones_own_is_not() {
        let home = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(home.path()).unwrap();
        let mut facts = setup::facts().unwrap();
        let folder = |name: &str| {
            fs::create_dir_all(home.join(name)).unwrap();
            home.join(name)
        };
        facts.cwd = folder("work/app/src");
        folder("work/app/.git");
        folder("elsewhere/.git");
        folder("config/runward");
        facts.env.insert("XDG_CONFIG_HOME".into(), home.join("config").into());
        facts.env.insert("APPDATA".into(), home.join("config").into());
        let is = |name: &str| is_project(&home.join(name), &facts, &Disk);
        assert!(is("work/app/.mcp.json") && is("work/app/src/.mcp.json") && is("elsewhere/x/s.json"));
        assert!(!is("config/runward/servers.json") && !is("work/other.json") && !is(".cursor/mcp.json"));
        assert!(is("work/app/../app/s.json") && is("config/runward/../../work/app/s.json"));
        folder("work/app/.vscode");
        assert_eq!(base(&home.join("work/app/.vscode/mcp.json"), &facts), home.join("work/app"));
        assert_eq!(base(&home.join("work/app/.mcp.json"), &facts), home.join("work/app"));
        assert_eq!(base(&home.join("config/runward/servers.json"), &facts), facts.cwd);
    }

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        assert!(is_yes("y\n") && is_yes(" YES \r\n"));
        assert!(!is_yes("") && !is_yes("\n") && !is_yes("yeah\n") && !is_yes("n\n"));
    }
}
