//! Finding *our* node: a native program has no `process.execPath`, so it looks around, once.
//!
//! Named paths first, then PATH, then the usual places of installers. The first that is an executable file
//! wins and is used as found; links are not followed. May not run anything to learn its version.

use super::chosen::{ChosenVersion, chosen};
use super::installer::{Grounds, Installed, Installer, installers_of, program_in};
use super::{FoundNode, program, usual};
use crate::facts::{Browse, HostFacts, Naming, lookup};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const NODE: &[&str] = &["node"];

/// What there is to go by when node is looked for.
#[derive(Debug, Clone, Copy)]
pub struct NodeHints<'a> {
    /// `[runtimes.node] path` of the configuration.
    pub configured: Option<&'a Path>,
    /// Runward's own environment.
    pub env: &'a BTreeMap<OsString, OsString>,
    /// The person's home.
    pub home: Option<&'a Path>,
    /// How names are spelled here.
    pub naming: &'a Naming,
}

impl<'a> NodeHints<'a> {
    /// The hints that facts about a host hold, and what the configuration says.
    pub fn of(facts: &'a HostFacts, configured: Option<&'a Path>) -> Self {
        Self { configured, env: &facts.env, home: facts.home.as_deref(), naming: &facts.naming }
    }
}

/// A path that a setting named, and that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedNode {
    /// Which setting named it, such as `RUNWARD_NODE`.
    pub place: String,
    /// The path as named.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// Why it was skipped.
    pub because: &'static str,
}

/// What a search for node came to; `runward doctor` shows all of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NodeSearch {
    /// Our node.
    pub found: Option<FoundNode>,
    /// Named paths that were passed over before it was found.
    pub skipped: Vec<SkippedNode>,
}

/// Our node, if there is one.
pub fn discover_node(hints: &NodeHints<'_>, browse: &dyn Browse) -> Option<FoundNode> {
    search_node(hints, browse).found
}

/// Our node, and what was passed over on the way to it.
pub fn search_node(hints: &NodeHints<'_>, browse: &dyn Browse) -> NodeSearch {
    let on = Grounds { env: hints.env, home: hints.home, naming: hints.naming, browse };
    let mut skipped = Vec::new();
    let found = named(hints, &on, &mut skipped)
        .or_else(|| on_path(&on))
        .or_else(|| installers_of("node").iter().find_map(|installer| from(installer, &on)))
        .or_else(|| usual_places(&on));
    NodeSearch { found, skipped }
}

fn named(hints: &NodeHints<'_>, on: &Grounds<'_>, skipped: &mut Vec<SkippedNode>) -> Option<FoundNode> {
    let variable = |name: &'static str| {
        let value = lookup(on.env, on.naming, OsStr::new(name)).filter(|value| !value.is_empty());
        (name, value.map(Path::new))
    };
    let names = [
        variable("RUNWARD_NODE"),
        ("[runtimes.node] path", hints.configured),
        variable("npm_node_execpath"),
        variable("NODE"),
    ];
    for (place, path) in names {
        let Some(path) = path else { continue };
        match usable(path, on) {
            Ok(path) => return Some(FoundNode { path, place: place.to_owned() }),
            Err(because) => {
                skipped.push(SkippedNode { place: place.to_owned(), path: path.to_owned(), because });
            }
        }
    }
    None
}

fn usable(path: &Path, on: &Grounds<'_>) -> Result<PathBuf, &'static str> {
    // What a relative path means would change with the folder that Runward happens to be started in.
    if !on.naming.is_absolute(path) {
        return Err("it is not an absolute path");
    }
    program::spelled(path, on.naming, on.browse).ok_or_else(|| match on.browse.kind(path) {
        None => "nothing is there",
        Some(_) => "it is not an executable file",
    })
}

fn on_path(on: &Grounds<'_>) -> Option<FoundNode> {
    let list = lookup(on.env, on.naming, OsStr::new("PATH"))?;
    let path = program::search(OsStr::new("node"), list, on.naming, on.browse)?;
    Some(FoundNode { path, place: "PATH".to_owned() })
}

/// The person's choice where it is installed, the newest otherwise.
fn from(installer: &Installer, on: &Grounds<'_>) -> Option<FoundNode> {
    let installed = installer.installed(NODE, on);
    let choice = chosen(installer, NODE, on);
    let by_choice = choice.and_then(|(chosen, read)| {
        let path = match chosen {
            ChosenVersion::System => return Some(None),
            ChosenVersion::Program(path) => Some(path),
            ChosenVersion::Newest => installed.first().map(|newest| newest.path.clone()),
            ChosenVersion::Version(wanted) => newest(&installed, |one| wanted.is_met_by(&one.version)),
        };
        path.map(|path| Some(FoundNode { path, place: format!("{} ({read})", installer.name) }))
    });
    by_choice.unwrap_or_else(|| {
        let path = newest(&installed, |_| true)?;
        Some(FoundNode { path, place: installer.name.to_owned() })
    })
}

fn newest(installed: &[Installed], meets: impl Fn(&Installed) -> bool) -> Option<PathBuf> {
    installed.iter().find(|one| meets(one)).map(|one| one.path.clone())
}

fn usual_places(on: &Grounds<'_>) -> Option<FoundNode> {
    usual::node_places(on).into_iter().find_map(|(dir, place)| {
        Some(FoundNode { path: program_in(&dir, NODE, on)?, place: place.to_owned() })
    })
}
