//! Merges lists: the same server once, another of the same key under a name of its own, Runward not at all.
//!
//! May not forget a server without saying why.

use crate::gateway::config::{Launch, Server, ServerListProblem, ServerReach};
use std::collections::BTreeMap;

/// A server that a client knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    /// The name of the client it is from: the suffix of a key that is taken.
    pub client: &'static str,
    /// Its key in that client's file.
    pub key: String,
    /// What it is, or what is wrong with it.
    pub server: Result<Server, Vec<ServerListProblem>>,
    /// Whether it may be taken.
    pub leave: ImportConsent,
}

/// Whether the operator allows a server to be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportConsent {
    /// It may.
    Given,
    /// It came with a folder, and was not asked for.
    NotAsked,
}

/// What was done with a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportFate {
    /// It is new, under this key.
    Added(String),
    /// It is in the list already.
    There {
        /// Under this key.
        key: String,
        /// Variables or headers that differ in the list; the list is kept.
        differing: Vec<String>,
    },
    /// It was not taken.
    Left(NotImported),
}

/// Why a server was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotImported {
    /// It is Runward, which would end in serving itself.
    Runward,
    /// It came with a folder, and those were not asked for.
    NotAsked,
    /// It cannot be used.
    Wrong(Vec<ServerListProblem>),
}

/// The result of adding servers to a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merge {
    /// What was done with each, in the order in which they were found.
    pub fates: Vec<ImportFate>,
    /// What the list lacks, in that order.
    pub new: Vec<Server>,
}

impl Merge {
    /// Adds what was found to a list. Entries of the list stay as they are.
    pub fn of(existing: &[Server], found: &[FoundServer]) -> Self {
        let mut list = existing.to_vec();
        let fates = found.iter().map(|found| fate(&mut list, found)).collect();
        Self { fates, new: list.split_off(existing.len()) }
    }
}

fn fate(list: &mut Vec<Server>, found: &FoundServer) -> ImportFate {
    let server = match &found.server {
        Err(problems) => return ImportFate::Left(NotImported::Wrong(problems.clone())),
        Ok(server) if is_runward(&server.reach) => return ImportFate::Left(NotImported::Runward),
        Ok(_) if found.leave == ImportConsent::NotAsked => return ImportFate::Left(NotImported::NotAsked),
        Ok(server) => server,
    };
    for key in keys(&found.key, found.client) {
        match list.iter().find(|there| there.key == key) {
            None => {
                list.push(Server { key: key.clone(), ..server.clone() });
                return ImportFate::Added(key);
            }
            Some(there) if is_same(&there.reach, &server.reach) => {
                let differing = differing(pairs(&there.reach), pairs(&server.reach));
                return ImportFate::There { key, differing };
            }
            Some(_) => {}
        }
    }
    ImportFate::Left(NotImported::Wrong(Vec::new()))
}

/// The names that a server may get, the plainest first. There is always one more.
fn keys(key: &str, client: &str) -> impl Iterator<Item = String> {
    let (plain, named) = (key.to_owned(), format!("{key}-{client}"));
    let numbered = named.clone();
    let further = (2_u64..).map(move |number| format!("{numbered}-{number}"));
    [plain, named].into_iter().chain(further)
}

/// The same program with the same arguments in the same folder, or the same address.
fn is_same(one: &ServerReach, other: &ServerReach) -> bool {
    match (one, other) {
        (ServerReach::Command(one), ServerReach::Command(other)) => {
            (&one.command, &one.args, &one.cwd) == (&other.command, &other.args, &other.cwd)
        }
        (ServerReach::Address(one), ServerReach::Address(other)) => one.url == other.url,
        _ => false,
    }
}

fn pairs(reach: &ServerReach) -> &BTreeMap<String, String> {
    match reach {
        ServerReach::Command(launch) => &launch.env,
        ServerReach::Address(remote) => &remote.headers,
    }
}

fn differing(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<String> {
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

/// Programs that fetch a package and run it.
const FETCHERS: &[&str] = &["npx", "bunx", "uvx", "pnpx"];

/// Whether a server is Runward: itself, or fetched under its name.
fn is_runward(reach: &ServerReach) -> bool {
    let ServerReach::Command(Launch { command, args, .. }) = reach else { return false };
    let program = program(command);
    if program == "runward" {
        // `runward exec -- server` starts another server, and is none itself.
        let verb = args.iter().find(|arg| !arg.starts_with('-'));
        return verb.is_none_or(|verb| verb == "mcp" || verb == "gateway");
    }
    let package = args.iter().find(|arg| !arg.starts_with('-'));
    let is_ours = |package: &String| package.split('@').next() == Some("runward");
    FETCHERS.contains(&program) && package.is_some_and(is_ours)
}

fn program(command: &str) -> &str {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    [".exe", ".cmd"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::config::written;

    fn found(client: &'static str, servers: &str) -> Vec<FoundServer> {
        let all = written::in_json("f", &format!(r#"{{"mcpServers": {{{servers}}}}}"#)).unwrap();
        let of = |one: written::WrittenServer| FoundServer {
            client,
            key: one.key,
            server: one.server,
            leave: ImportConsent::Given,
        };
        all.into_iter().map(of).collect()
    }

    fn there(key: &str) -> ImportFate {
        ImportFate::There { key: key.to_owned(), differing: Vec::new() }
    }

    #[test]
    fn the_same_server_is_taken_once_and_another_gets_the_clients_name() {
        let mut all = found("claude-code", r#""git": {"command": "a"}, "web": {"url": "https://x"}"#);
        all.extend(found("cursor", r#""git": {"command": "b"}, "web": {"url": "https://x"}"#));
        all.extend(found("cursor", r#""git": {"command": "c"}"#));
        let merge = Merge::of(&[], &all);
        let added = |key: &str| ImportFate::Added(key.to_owned());
        let fates = [added("git"), added("web"), added("git-cursor"), there("web"), added("git-cursor-2")];
        assert_eq!(merge.fates, fates);
        let keys: Vec<&str> = merge.new.iter().map(|server| server.key.as_str()).collect();
        assert_eq!(keys, ["git", "web", "git-cursor", "git-cursor-2"]);
    }

    #[test]
    fn adding_the_same_again_changes_nothing() {
        let mut all = found("claude-code", r#""git": {"command": "a"}"#);
        all.extend(found("cursor", r#""git": {"command": "b"}"#));
        let list = Merge::of(&[], &all).new;
        let again = Merge::of(&list, &all);
        assert_eq!((again.fates, again.new), (vec![there("git"), there("git-cursor")], Vec::new()));
    }

    #[test]
    fn what_the_list_says_of_a_variable_is_kept_and_told_by_name() {
        let list =
            Merge::of(&[], &found("claude-code", r#""s": {"command": "x", "env": {"A": "1", "B": "2"}}"#))
                .new;
        let merge =
            Merge::of(&list, &found("cursor", r#""s": {"command": "x", "env": {"A": "9", "C": "3"}}"#));
        let differing = ["A", "B", "C"].map(str::to_owned).to_vec();
        assert_eq!(merge.fates, [ImportFate::There { key: "s".to_owned(), differing }]);
        assert_eq!(merge.new, []);
    }

    #[test]
    fn runward_itself_is_left_out() {
        for itself in [
            r#"{"command": "runward", "args": ["mcp"]}"#,
            r#"{"command": "/usr/bin/runward", "args": ["gateway", "--config", "x"]}"#,
            r#"{"command": "C:\\bin\\runward.exe"}"#,
            r#"{"command": "npx", "args": ["-y", "runward@latest", "mcp"]}"#,
        ] {
            let merge = Merge::of(&[], &found("claude-code", &format!(r#""r": {itself}"#)));
            assert_eq!(merge.fates, [ImportFate::Left(NotImported::Runward)], "{itself}");
        }
        for other in [
            r#"{"command": "runward", "args": ["exec", "--", "server"]}"#,
            r#"{"command": "npx", "args": ["-y", "server", "runward"]}"#,
        ] {
            assert_eq!(
                Merge::of(&[], &found("claude-code", &format!(r#""r": {other}"#))).new.len(),
                1,
                "{other}"
            );
        }
    }

    #[test]
    fn what_came_with_a_folder_is_taken_only_with_leave() {
        let mut all = found("claude-code", r#""s": {"command": "x"}"#);
        all[0].leave = ImportConsent::NotAsked;
        let merge = Merge::of(&[], &all);
        assert_eq!((merge.fates, merge.new), (vec![ImportFate::Left(NotImported::NotAsked)], Vec::new()));
    }

    #[test]
    fn what_is_wrong_is_left_out_with_its_problems() {
        let merge = Merge::of(&[], &found("claude-code", r#""s": {"command": 1}"#));
        assert!(
            matches!(&merge.fates[0], ImportFate::Left(NotImported::Wrong(problems)) if problems.len() == 1)
        );
    }
}
