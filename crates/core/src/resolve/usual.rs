//! The usual places of installers that keep one version: Homebrew, packages, the official installer.
//!
//! May not look whether anything is there, except for Homebrew's folders that carry a version.

use super::installer::Grounds;
use crate::facts::Backslashes;
use std::path::{Path, PathBuf};

const HOMEBREW: &[&str] = &["/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"];

/// Folders in which node may be, each with its name for people, the first to be asked first.
pub(super) fn node_places(on: &Grounds<'_>) -> Vec<(PathBuf, &'static str)> {
    if on.naming.backslashes == Backslashes::Separate { windows(on) } else { unix(on) }
}

fn unix(on: &Grounds<'_>) -> Vec<(PathBuf, &'static str)> {
    let prefix = on.env_path("HOMEBREW_PREFIX").into_iter();
    let prefixes: Vec<&Path> = prefix.chain(HOMEBREW.iter().map(Path::new)).collect();
    let brew = prefixes.iter().flat_map(|prefix| homebrew(prefix, on));
    let packages = ["/usr/local/bin", "/usr/bin"].map(|dir| (PathBuf::from(dir), dir));
    brew.map(|dir| (dir, "Homebrew")).chain(packages).collect()
}

/// `bin` holds what is linked. `node@22` is not linked, so it is looked for in its own folder.
fn homebrew(prefix: &Path, on: &Grounds<'_>) -> Vec<PathBuf> {
    let opt = on.naming.below(prefix, "opt");
    let mut kegs: Vec<(u64, PathBuf)> = Vec::new();
    for name in on.browse.list(&opt) {
        let major =
            name.to_str().and_then(|name| name.strip_prefix("node@")).and_then(|major| major.parse().ok());
        kegs.extend(major.map(|major| (major, on.naming.below(&on.naming.join(&opt, &name), "bin"))));
    }
    kegs.sort_by(|one, other| other.cmp(one));
    // `/usr/local/bin` is not Homebrew's alone, so it is not asked under Homebrew's name.
    let linked = (prefix != Path::new("/usr/local")).then(|| on.naming.below(prefix, "bin"));
    let newest = on.naming.below(&opt, "node/bin");
    linked.into_iter().chain([newest]).chain(kegs.into_iter().map(|(_, dir)| dir)).collect()
}

fn windows(on: &Grounds<'_>) -> Vec<(PathBuf, &'static str)> {
    let roots = ["ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"];
    let named = roots.iter().filter_map(|name| on.env_path(name)).map(Path::to_owned);
    let dirs = named.chain([PathBuf::from(r"C:\Program Files")]);
    dirs.map(|dir| (on.naming.below(&dir, "nodejs"), r"Program Files\nodejs")).collect()
}
