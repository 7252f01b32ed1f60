//! `node`, `npm` and `npx` as *our* node means them.
//!
//! May not look for node; that is [`search_node`](super::search_node)'s job, done once.

use crate::facts::{FileKind, HostFacts, Look};
use serde::Serialize;
use std::path::PathBuf;

/// Our node, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundNode {
    /// Where it is, as found; links are not followed.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// Which place it was found in, such as `RUNWARD_NODE` or `nvm (default alias)`.
    pub place: String,
}

/// Resolves `node`, `npm` and `npx` to absolute paths; anything else, and whatever is not found, is returned
/// unchanged.
pub fn resolve_command(command: &str, facts: &HostFacts, look: &dyn Look) -> String {
    // A path that is not UTF-8 cannot be said in a `String`; a lossy one would name another file.
    let ours = ours(command, facts, look).and_then(|path| path.into_os_string().into_string().ok());
    ours.unwrap_or_else(|| command.to_owned())
}

/// What is logged about a resolution: nothing where it changed nothing. Never for stdout.
pub fn resolution_log_line(before: &str, after: &str) -> Option<String> {
    (before != after).then(|| format!("[INFO] Resolved '{before}' to '{after}'"))
}

/// What `node`, `npm` and `npx` mean here; `None` for every other name, and where nothing was found.
pub(super) fn ours(name: &str, facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    match name {
        "node" => facts.node.as_ref().map(|node| node.path.clone()),
        "npm" | "npx" => beside_node(name, facts, look),
        _ => None,
    }
}

fn beside_node(name: &str, facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    let naming = &facts.naming;
    let dir = naming.parent(&facts.node.as_ref()?.path)?;
    let is_file = |path: &PathBuf| look.kind(path) == Some(FileKind::File);
    // Where endings make programs, npm's own is `.cmd`; the bare file beside it is for Git Bash and WSL.
    let with_ending = (!naming.executable_endings.is_empty()).then(|| format!("{name}.cmd"));
    let spellings = with_ending.as_deref().into_iter().chain([name]);
    spellings.map(|spelling| naming.join(&dir, spelling)).find(is_file)
}

/// How our node was found, in words for `explain`.
pub(super) fn reason(facts: &HostFacts) -> String {
    facts.node.as_ref().map_or_else(String::new, |node| format!("our node, found through {}", node.place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::host::MadeUpHost;
    use proptest::prelude::*;

    fn with_node(mut host: MadeUpHost, path: &str) -> MadeUpHost {
        host.facts_mut().node = Some(FoundNode { path: path.into(), place: "PATH".to_owned() });
        host
    }

    fn resolved(command: &str, host: &MadeUpHost) -> String {
        resolve_command(command, host.facts(), host)
    }

    #[test]
    fn the_three_names_beside_each_other() {
        let host = MadeUpHost::unix().program("/opt/bin/node").program("/opt/bin/npm").folder("/opt/bin/npx");
        let host = with_node(host, "/opt/bin/node");
        assert_eq!(resolved("node", &host), "/opt/bin/node");
        assert_eq!(resolved("npm", &host), "/opt/bin/npm");
        assert_eq!(resolved("npx", &host), "npx", "a folder is not a file");
    }

    #[test]
    fn windows_rules_hold_wherever_this_runs() {
        let host = MadeUpHost::windows().program(r"C:\nodejs\node.exe").program(r"C:\nodejs\npm.CMD");
        let host = with_node(host, r"C:\nodejs\node.exe");
        assert_eq!(resolved("npm", &host), r"C:\nodejs\npm.cmd");
    }

    #[test]
    fn a_dangling_link_is_not_there() {
        let host = MadeUpHost::unix().program("/opt/bin/node").link("/opt/bin/npm", "../lib/gone.js");
        assert_eq!(resolved("npm", &with_node(host, "/opt/bin/node")), "npm");
    }

    #[test]
    fn logged_only_when_changed() {
        let line = resolution_log_line("node", "/usr/local/bin/node");
        assert_eq!(line.as_deref(), Some("[INFO] Resolved 'node' to '/usr/local/bin/node'"));
        assert_eq!(resolution_log_line("python", "python"), None);
    }

    proptest! {
        #[test]
        fn every_other_name_is_unchanged(name in any::<String>()) {
            prop_assume!(!["node", "npm", "npx"].contains(&name.as_str()));
            let host = with_node(MadeUpHost::unix().program("/opt/bin/node"), "/opt/bin/node");
            prop_assert_eq!(resolved(&name, &host), name);
        }
    }
}
