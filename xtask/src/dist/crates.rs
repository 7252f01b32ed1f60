//! What a binary is built of, as cargo tells it: the crates of `cargo tree` for one target, and where they lie.

use super::target::DistTarget;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// One crate of which code is in the binary or wrote code of it.
#[derive(Debug)]
pub(crate) struct ShippedCrate {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// Its licence, as it says.
    pub(crate) licence: String,
    /// Where its source lies.
    pub(crate) folder: PathBuf,
    /// The sum of what was fetched; ours were not.
    pub(crate) sum: Option<String>,
    /// The crates that it uses, by name and version.
    pub(crate) uses: Vec<(String, String)>,
}

type NameAndVersion = (String, String);

/// Every crate but `runward` itself, by name and version.
pub(crate) fn shipped(root: &RepositoryRoot, target: &DistTarget) -> Result<Vec<ShippedCrate>, String> {
    let triple = target.triple;
    let tree =
        ChildTool::new("cargo tree --locked --package runward --edges normal --prefix none --no-dedupe")
            .args(["--target", triple, "--format", "{p}"])
            .read(root)?;
    let named: BTreeSet<NameAndVersion> = tree.lines().filter_map(name_and_version).collect();
    let asked = format!("cargo metadata --locked --format-version 1 --filter-platform {triple}");
    let text = ChildTool::new(&asked).read(root)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let sums = sums(&super::text_of(root, "Cargo.lock")?);
    let packages = value["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ids: BTreeMap<&str, NameAndVersion> =
        packages.iter().filter_map(|package| Some((package["id"].as_str()?, identity(package)?))).collect();
    let uses = uses(&value, &ids, &named);
    let mut crates = Vec::new();
    for package in packages {
        let Some(identity) = identity(package).filter(|it| named.contains(it) && it.0 != "runward") else {
            continue;
        };
        crates.push(shipped_crate(package, &identity, &sums, &uses)?);
    }
    crates.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    // One more is named: the binary's own.
    if crates.len() + 1 == named.len() {
        Ok(crates)
    } else {
        Err(format!("cargo's tree has {} crates and its metadata {} of them", named.len() - 1, crates.len()))
    }
}

fn shipped_crate(
    package: &Value,
    identity: &NameAndVersion,
    sums: &BTreeMap<NameAndVersion, String>,
    uses: &BTreeMap<NameAndVersion, Vec<NameAndVersion>>,
) -> Result<ShippedCrate, String> {
    let (name, version) = identity.clone();
    let licence = package["license"].as_str();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
    Ok(ShippedCrate {
        licence: licence.ok_or_else(|| format!("the crate `{name}` names no licence"))?.replace('/', " OR "),
        folder: manifest.parent().ok_or_else(|| format!("the crate `{name}` lies nowhere"))?.to_owned(),
        sum: sums.get(identity).cloned(),
        uses: uses.get(identity).cloned().unwrap_or_default(),
        name,
        version,
    })
}

/// `name v1.2.3 (…)`.
fn name_and_version(line: &str) -> Option<NameAndVersion> {
    let mut words = line.split(' ');
    Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
}

fn identity(package: &Value) -> Option<NameAndVersion> {
    Some((package["name"].as_str()?.to_owned(), package["version"].as_str()?.to_owned()))
}

/// Who uses whom, among those that are named.
fn uses(
    value: &Value,
    ids: &BTreeMap<&str, NameAndVersion>,
    named: &BTreeSet<NameAndVersion>,
) -> BTreeMap<NameAndVersion, Vec<NameAndVersion>> {
    let nodes = value["resolve"]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let pairs = nodes.iter().filter_map(|node| {
        let identity = ids.get(node["id"].as_str()?)?.clone();
        let mut used: Vec<_> = node["deps"]
            .as_array()?
            .iter()
            .filter(|edge| {
                edge["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|it| it["kind"].is_null()))
            })
            .filter_map(|edge| ids.get(edge["pkg"].as_str()?).filter(|it| named.contains(*it)).cloned())
            .collect();
        used.sort();
        Some((identity, used))
    });
    pairs.collect()
}

/// The sums in a lock file, which is simple enough to read line by line.
fn sums(lock: &str) -> BTreeMap<NameAndVersion, String> {
    let field = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let packages = lock.split("[[package]]").skip(1);
    packages
        .filter_map(|part| Some(((field(part, "name")?, field(part, "version")?), field(part, "checksum")?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_tree_is_understood() {
        let line = "runward-core v0.1.0 (/somewhere/crates/core)";
        assert_eq!(name_and_version(line), Some(("runward-core".to_owned(), "0.1.0".to_owned())));
        assert_eq!(name_and_version(""), None);
    }

    #[test]
    fn sums_are_read_from_the_lock_file() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1\"\nchecksum = \"ff\"\n\n[[package]]\nname = \"b\"\nversion = \"2\"\n";
        let sums = sums(lock);
        assert_eq!(sums.len(), 1);
        assert_eq!(sums[&("a".to_owned(), "1".to_owned())], "ff");
    }

    #[test]
    fn the_binary_is_built_of_known_crates_with_licences() {
        let root = RepositoryRoot::find().unwrap();
        let crates = shipped(&root, DistTarget::find("x86_64-unknown-linux-gnu").unwrap()).unwrap();
        let find = |name: &str| crates.iter().find(|it| it.name == name).unwrap();
        assert!(find("runward-engine").sum.is_none() && find("serde").sum.is_some());
        assert!(!find("runward-engine").uses.is_empty());
        assert!(
            !crates.iter().any(|it| it.name == "windows-sys" || it.name == "insta" || it.name == "xtask")
        );
    }
}
