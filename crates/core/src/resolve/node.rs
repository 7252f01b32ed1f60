//! `node`, `npm` and `npx` as *our* node means them.

use crate::facts::{HostFacts, Look};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Our node, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundNode {
    /// Where it is, as found; links are not followed.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// Which place it was found in, such as `RUNWARD_NODE` or `nvm`.
    pub place: String,
}

/// What `node`, `npm` and `npx` resolve to; `None` for every other name.
pub(super) fn ours(name: &OsStr, facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    let name = name.to_str()?;
    let resolved = resolve_command(name, facts, look);
    (resolved != name).then(|| PathBuf::from(resolved))
}

pub(super) fn reason(facts: &HostFacts) -> String {
    facts.node.as_ref().map_or_else(String::new, |node| format!("our node, found through {}", node.place))
}

/// Resolves `node`, `npm` and `npx` to absolute paths; anything else, and whatever is not found, is returned
/// unchanged.
pub fn resolve_command(command: &str, facts: &HostFacts, look: &dyn Look) -> String {
    let Some(node) = &facts.node else { return command.to_owned() };
    match command {
        "node" => node.path.to_string_lossy().into_owned(),
        "npm" | "npx" => node
            .path
            .parent()
            .map(|dir| dir.join(command))
            .filter(|beside| look.kind(beside).is_some())
            .map_or_else(|| command.to_owned(), |beside| beside.to_string_lossy().into_owned()),
        _ => command.to_owned(),
    }
}
