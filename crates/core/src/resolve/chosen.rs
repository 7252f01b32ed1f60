//! Which version a person chose with their installer.
//!
//! May not fall back to another version: the caller knows what to do when nothing was chosen.

use super::installer::{Grounds, Installer, VersionChoice, program_in};
use super::version::WantedVersion;
use std::path::{Path, PathBuf};

/// What was chosen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ChosenVersion {
    /// This very program.
    Program(PathBuf),
    /// The newest that meets this.
    Version(WantedVersion),
    /// The newest there is.
    Newest,
    /// None of this installer's own: the system's.
    System,
}

/// Aliases may name aliases; a circle ends here.
const LONGEST_CHAIN: usize = 8;

/// The choice, and where it was read.
pub(super) fn chosen(
    by: &Installer,
    names: &[&str],
    on: &Grounds<'_>,
) -> Option<(ChosenVersion, &'static str)> {
    by.roots(on).iter().find_map(|root| match by.choice {
        VersionChoice::None => None,
        VersionChoice::NvmAlias => Some((nvm_alias(root, on)?, "default alias")),
        VersionChoice::FnmAlias => Some((fnm_alias(root, names, by, on)?, "default alias")),
        VersionChoice::VoltaPlatform => Some((volta_platform(root, on)?, "default")),
        VersionChoice::VersionFile => Some((version_file(root, on)?, "version file")),
    })
}

/// `default` → `lts/*` → `lts/jod` → `v22.1.0`; each is a file below `alias`.
fn nvm_alias(root: &Path, on: &Grounds<'_>) -> Option<ChosenVersion> {
    let aliases = on.naming.below(root, "alias");
    let mut name = "default".to_owned();
    for _ in 0..LONGEST_CHAIN {
        // A name that leads out of the folder is no alias.
        if name.split('/').any(|part| part == "..") {
            return None;
        }
        match on.browse.read_small(&on.naming.below(&aliases, &name)) {
            Some(text) => name = text.lines().next()?.trim().to_owned(),
            None => return plain_choice(&name),
        }
    }
    None
}

fn plain_choice(name: &str) -> Option<ChosenVersion> {
    match name {
        "node" | "stable" => Some(ChosenVersion::Newest),
        "system" => Some(ChosenVersion::System),
        version => WantedVersion::read(version).map(ChosenVersion::Version),
    }
}

/// A link to the folder of the version; its name is used as it is.
fn fnm_alias(root: &Path, names: &[&str], by: &Installer, on: &Grounds<'_>) -> Option<ChosenVersion> {
    let linked = on.naming.below(root, "aliases/default");
    // The link leads to `…/installation`, so only what follows that remains.
    let [plain, with_endings] = by.programs.map(|below| below.trim_start_matches("installation"));
    let below = if on.naming.executable_endings.is_empty() { plain } else { with_endings };
    program_in(&on.naming.below(&linked, below), names, on).map(ChosenVersion::Program)
}

fn volta_platform(root: &Path, on: &Grounds<'_>) -> Option<ChosenVersion> {
    let text = on.browse.read_small(&on.naming.below(root, "tools/user/platform.json"))?;
    let platform: serde_json::Value = serde_json::from_str(&text).ok()?;
    WantedVersion::read(platform.get("node")?.get("runtime")?.as_str()?).map(ChosenVersion::Version)
}

/// One version per line, the first is the choice; `#` begins a comment.
fn version_file(root: &Path, on: &Grounds<'_>) -> Option<ChosenVersion> {
    let text = on.browse.read_small(&on.naming.below(root, "version"))?;
    let words = text.lines().filter_map(|line| line.split('#').next()).flat_map(str::split_whitespace);
    words.into_iter().next().and_then(|name| plain_choice(name.strip_prefix("node-").unwrap_or(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::host::MadeUpHost;
    use crate::resolve::installer::installers_of;

    /// The version that the named installer's choice means.
    fn choice(name: &str, host: &MadeUpHost) -> Option<ChosenVersion> {
        let facts = host.facts();
        let on =
            Grounds { env: &facts.env, home: facts.home.as_deref(), naming: &facts.naming, browse: host };
        let installers = installers_of("node");
        let installer = installers.iter().find(|installer| installer.name == name).unwrap();
        chosen(installer, &["node"], &on).map(|(chosen, _)| chosen)
    }

    fn nvm(aliases: &[(&str, &str)]) -> Option<ChosenVersion> {
        let host = MadeUpHost::unix().env("NVM_DIR", "/n");
        let put =
            |host: MadeUpHost, (name, text): &(&str, &str)| host.text(&format!("/n/alias/{name}"), text);
        choice("nvm", &aliases.iter().fold(host, put))
    }

    fn version(text: &str) -> Option<ChosenVersion> {
        WantedVersion::read(text).map(ChosenVersion::Version)
    }

    #[test]
    fn nvm_aliases() {
        assert_eq!(nvm(&[]), None);
        assert_eq!(nvm(&[("default", "")]), None);
        assert_eq!(nvm(&[("default", "22.1\n")]), version("22.1"));
        assert_eq!(nvm(&[("default", "node")]), Some(ChosenVersion::Newest));
        assert_eq!(nvm(&[("default", "system")]), Some(ChosenVersion::System));
        assert_eq!(nvm(&[("default", "iojs")]), None);
        assert_eq!(
            nvm(&[("default", "work"), ("work", "lts/jod"), ("lts/jod", "v22.1.0")]),
            version("22.1.0")
        );
    }

    #[test]
    fn a_chain_of_aliases_has_an_end_and_stays_inside() {
        assert_eq!(nvm(&[("default", "default")]), None);
        assert_eq!(nvm(&[("default", "../outside"), ("../outside", "22")]), None);
    }

    #[test]
    fn a_version_file_may_hold_comments_and_prefixes() {
        let of = |text: &str| choice("nodenv", &MadeUpHost::unix().text("/home/ada/.nodenv/version", text));
        assert_eq!(of("# mine\nnode-22.1.0\n20.0.0\n"), version("22.1.0"));
        assert_eq!(of("system"), Some(ChosenVersion::System));
        assert_eq!(of("\n"), None);
    }

    #[test]
    fn an_fnm_alias_that_dangles_is_no_choice() {
        let host = MadeUpHost::unix().link("/home/ada/.fnm/aliases/default", "/gone");
        assert_eq!(choice("fnm", &host), None);
    }
}
