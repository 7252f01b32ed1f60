//! The result of an import, for people and for programs.
//!
//! May not show a value: only keys, programs, hosts, and names of variables.

use super::import::{ImportedFile, Merged};
use runward::core::render::{one_line, word};
use runward_mcp::gateway::config::written::WrittenServer;
use runward_mcp::gateway::config::{Server, ServerReach};
use runward_mcp::gateway::import::{ImportFate, NotImported};
use serde::Serialize;
use std::path::Path;

/// Everything that was found, and where it went.
#[derive(Debug, Serialize)]
pub(super) struct ImportView {
    file: String,
    /// Whether something was written.
    written: bool,
    added: usize,
    sources: Vec<SourceView>,
    /// Every file that was looked for.
    searched: Vec<String>,
    #[serde(skip)]
    rehearsal: bool,
}

/// One file of a client.
#[derive(Debug, Serialize)]
struct SourceView {
    client: &'static str,
    file: String,
    error: Option<String>,
    servers: Vec<ImportedServerView>,
    #[serde(skip)]
    name: &'static str,
}

/// One server, and whether it was imported.
#[derive(Debug, Serialize)]
struct ImportedServerView {
    key: String,
    /// `added`, `there`, or `left-out`.
    fate: &'static str,
    /// Its key in the list.
    listed_as: Option<String>,
    because: Option<String>,
    /// What starts it, or the host that it runs on.
    program: Option<String>,
    /// Names of its variables or headers.
    variables: Vec<String>,
    /// Keys that are not read here.
    unread: Vec<String>,
}

impl ImportView {
    pub(super) fn of(looked: &[ImportedFile], merged: &Merged, out: &Path, rehearsal: bool) -> Self {
        let mut fates = merged.merge.fates.iter();
        let sources = looked.iter().map(|looked| {
            let servers = looked.servers.iter().flatten();
            let servers =
                servers.zip(fates.by_ref()).map(|(one, fate)| ImportedServerView::of(one, fate)).collect();
            SourceView {
                client: looked.source.client.id,
                name: looked.source.client.name,
                file: word(looked.source.path.as_os_str()),
                error: looked.servers.as_ref().err().cloned(),
                servers,
            }
        });
        let sources = sources.collect();
        let added = merged.merge.new.len();
        let file = word(out.as_os_str());
        let (written, searched) = (added > 0 && !rehearsal, Vec::new());
        Self { file, written, added, sources, searched, rehearsal }
    }

    /// The same, with the files that were looked for.
    pub(super) fn after_looking_at(self, searched: Vec<String>) -> Self {
        Self { searched, ..self }
    }

    /// The same for people.
    pub(super) fn text(&self) -> String {
        let mut lines = Vec::new();
        for source in &self.sources {
            lines.push(format!("{}  {}", source.name, one_line(&source.file)));
            lines.extend(source.error.iter().map(|error| format!("  broken: {}", one_line(error))));
            let widest = source.servers.iter().map(|server| one_line(&server.key).chars().count()).max();
            let widest = widest.unwrap_or(0);
            for server in &source.servers {
                lines.push(format!("  {:<widest$}  {}", one_line(&server.key), one_line(&server.words())));
            }
        }
        lines.push(self.last_line());
        lines.join("\n")
    }

    fn last_line(&self) -> String {
        let file = one_line(&self.file);
        let servers = if self.added == 1 { "1 server".to_owned() } else { format!("{} servers", self.added) };
        match (self.sources.is_empty(), self.added, self.rehearsal) {
            (true, ..) => {
                let places: String =
                    self.searched.iter().map(|file| format!("\n  {}", one_line(file))).collect();
                format!("no client's list of servers was found; looked for:{places}")
            }
            (false, 0, _) => format!("nothing new for {file}"),
            (false, _, true) => format!("{servers} would be added to {file}"),
            (false, _, false) => format!("{servers} added to {file}"),
        }
    }
}

impl ImportedServerView {
    fn of(one: &WrittenServer, fate: &ImportFate) -> Self {
        let (fate, listed_as, because) = match fate {
            ImportFate::Added(key) => ("added", Some(key.clone()), None),
            ImportFate::There { key, differing } => {
                let because = (!differing.is_empty()).then(|| {
                    format!("the list says something else of {}, and is kept", differing.join(", "))
                });
                ("there", Some(key.clone()), because)
            }
            ImportFate::Left(left) => ("left-out", None, Some(reason(left))),
        };
        let server = one.server.as_ref().ok();
        Self {
            key: one.key.clone(),
            fate,
            listed_as,
            because,
            program: server.map(program),
            variables: server.map(variables).unwrap_or_default(),
            unread: one.unread.clone(),
        }
    }

    fn words(&self) -> String {
        let mut words = match (self.fate, &self.listed_as) {
            ("added", Some(key)) if *key != self.key => format!("added as {key}"),
            ("there", Some(key)) if *key != self.key => format!("there already as {key}"),
            ("there", _) => "there already".to_owned(),
            ("added", _) => "added".to_owned(),
            _ => "left out".to_owned(),
        };
        let because = self.because.iter().map(|because| format!(": {because}"));
        words.extend(because);
        if let (Some(program), "added") = (&self.program, self.fate) {
            words += &format!(", {program}");
            if !self.variables.is_empty() {
                words += &format!(" with {}", self.variables.join(", "));
            }
        }
        if !self.unread.is_empty() {
            words += &format!("; not read: {}", self.unread.join(", "));
        }
        words
    }
}

fn reason(left: &NotImported) -> String {
    match left {
        NotImported::Runward => "it is Runward itself".to_owned(),
        NotImported::NotAsked => "it came with this folder; take it with `--project`".to_owned(),
        NotImported::Wrong(problems) => {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        }
    }
}

/// What starts a server, or the host it runs on. Arguments and the rest of an address may hold a secret.
fn program(server: &Server) -> String {
    match &server.reach {
        ServerReach::Command(launch) => launch.command.clone(),
        ServerReach::Address(remote) => host(&remote.url).to_owned(),
    }
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    authority.rsplit('@').next().unwrap_or(authority)
}

fn variables(server: &Server) -> Vec<String> {
    let pairs = match &server.reach {
        ServerReach::Command(launch) => &launch.env,
        ServerReach::Address(remote) => &remote.headers,
    };
    pairs.keys().cloned().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_an_address_only_the_host_is_shown() {
        assert_eq!(super::host("https://user:hunter2@example.com:8443/mcp?key=hunter2"), "example.com:8443");
        assert_eq!(super::host("$URL/hunter2"), "$URL");
    }
}
