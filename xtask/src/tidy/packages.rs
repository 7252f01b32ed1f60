//! The workspace's crates and what they depend on, as cargo tells it.

use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use serde_json::Value;

/// A crate of this workspace.
#[derive(Debug)]
pub(crate) struct WorkspaceCrate {
    /// Its name.
    pub(crate) name: String,
    /// Its manifest, from the repository's top folder.
    pub(crate) manifest: String,
    /// What it depends on directly.
    pub(crate) needs: Vec<Dependency>,
    /// What others see of it, if it is published.
    pub(crate) published: Option<PublishedManifest>,
}

/// The manifest of a crate that is published, as far as a rule is about it.
#[derive(Debug, Default)]
pub(crate) struct PublishedManifest {
    /// Fields that are not there.
    pub(crate) lacks: Vec<&'static str>,
    /// Dependencies of which one version alone will do.
    pub(crate) pinned: Vec<String>,
}

/// What a page about a crate is made of.
const FIELDS: &[&str] = &[
    "description",
    "license",
    "repository",
    "homepage",
    "documentation",
    "readme",
    "keywords",
    "categories",
    "rust_version",
];

/// One direct dependency.
#[derive(Debug)]
pub(crate) struct Dependency {
    /// The name of the crate.
    pub(crate) name: String,
    /// Whether only its tests need it.
    pub(crate) only_tests: bool,
}

/// Asks cargo.
pub(crate) fn read(root: &RepositoryRoot) -> Result<Vec<WorkspaceCrate>, String> {
    let text = ChildTool::new("cargo metadata --no-deps --format-version 1").read(root)?;
    let value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    parse(&value).ok_or_else(|| "cargo metadata has an unknown shape".to_owned())
}

fn parse(value: &Value) -> Option<Vec<WorkspaceCrate>> {
    let root = value["workspace_root"].as_str()?;
    value["packages"].as_array()?.iter().map(|package| self::package(package, root)).collect()
}

fn package(value: &Value, root: &str) -> Option<WorkspaceCrate> {
    let manifest = value["manifest_path"].as_str()?;
    Some(WorkspaceCrate {
        name: value["name"].as_str()?.to_owned(),
        manifest: manifest.strip_prefix(root)?.replace('\\', "/").trim_start_matches('/').to_owned(),
        needs: value["dependencies"].as_array()?.iter().map(need).collect::<Option<_>>()?,
        published: value["publish"].is_null().then(|| published(value)),
    })
}

fn published(value: &Value) -> PublishedManifest {
    let is_empty = |found: &Value| found.is_null() || found.as_array().is_some_and(Vec::is_empty);
    let mut lacks: Vec<_> = FIELDS.iter().copied().filter(|field| is_empty(&value[*field])).collect();
    if value["metadata"]["docs"]["rs"].is_null() {
        lacks.push("package.metadata.docs.rs");
    }
    let needs = value["dependencies"].as_array().into_iter().flatten();
    let pinned = needs
        .filter(|need| need["kind"] != "dev" && need["req"].as_str().is_some_and(|it| it.starts_with('=')));
    let pinned = pinned.filter_map(|need| need["name"].as_str()).map(str::to_owned).collect();
    PublishedManifest { lacks, pinned }
}

fn need(value: &Value) -> Option<Dependency> {
    Some(Dependency {
        name: value["name"].as_str()?.to_owned(),
        only_tests: value["kind"].as_str() == Some("dev"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_others_see_is_understood() {
        let value = json!({
            "publish": null, "description": "d", "license": "MIT", "repository": "r", "homepage": "h", "documentation": "d",
            "readme": "README.md", "keywords": ["k"], "categories": [], "rust_version": "1.94.1",
            "dependencies": [
                { "name": "b", "req": "=1.0.0", "kind": null },
                { "name": "c", "req": "^1.0.0", "kind": null },
                { "name": "d", "req": "=1.0.0", "kind": "dev" },
            ],
        });
        let found = published(&value);
        assert_eq!(found.lacks, ["categories", "package.metadata.docs.rs"]);
        assert_eq!(found.pinned, ["b"]);
    }

    #[test]
    fn what_cargo_says_is_understood() {
        let value = json!({ "workspace_root": "/r", "packages": [{
            "name": "a", "manifest_path": "/r/crates/a/Cargo.toml", "publish": [],
            "dependencies": [{ "name": "b", "kind": null }, { "name": "c", "kind": "dev" }],
        }]});
        let packages = parse(&value).unwrap();
        assert_eq!((packages[0].name.as_str(), packages[0].manifest.as_str()), ("a", "crates/a/Cargo.toml"));
        assert_eq!(packages[0].needs.iter().map(|need| need.only_tests).collect::<Vec<_>>(), [false, true]);
        assert!(packages[0].published.is_none());
    }
}
