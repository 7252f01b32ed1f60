//! The workspace's crates and what they depend on, as cargo tells it.

use crate::process::Tool;
use crate::root::Root;
use serde_json::Value;

/// A crate of this workspace.
#[derive(Debug)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its manifest, from the repository's top folder.
    pub(crate) manifest: String,
    /// What it depends on directly.
    pub(crate) needs: Vec<Need>,
}

/// One direct dependency.
#[derive(Debug)]
pub(crate) struct Need {
    /// The name of the crate.
    pub(crate) name: String,
    /// Whether only its tests need it.
    pub(crate) only_tests: bool,
}

/// Asks cargo.
pub(crate) fn read(root: &Root) -> Result<Vec<Package>, String> {
    let text = Tool::new("cargo metadata --no-deps --format-version 1").read(root)?;
    let value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    parse(&value).ok_or_else(|| "cargo metadata has an unknown shape".to_owned())
}

fn parse(value: &Value) -> Option<Vec<Package>> {
    let root = value["workspace_root"].as_str()?;
    value["packages"].as_array()?.iter().map(|package| self::package(package, root)).collect()
}

fn package(value: &Value, root: &str) -> Option<Package> {
    let manifest = value["manifest_path"].as_str()?;
    Some(Package {
        name: value["name"].as_str()?.to_owned(),
        manifest: manifest.strip_prefix(root)?.replace('\\', "/").trim_start_matches('/').to_owned(),
        needs: value["dependencies"].as_array()?.iter().map(need).collect::<Option<_>>()?,
    })
}

fn need(value: &Value) -> Option<Need> {
    Some(Need { name: value["name"].as_str()?.to_owned(), only_tests: value["kind"].as_str() == Some("dev") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_cargo_says_is_understood() {
        let value = json!({ "workspace_root": "/r", "packages": [{
            "name": "a", "manifest_path": "/r/crates/a/Cargo.toml",
            "dependencies": [{ "name": "b", "kind": null }, { "name": "c", "kind": "dev" }],
        }]});
        let packages = parse(&value).unwrap();
        assert_eq!((packages[0].name.as_str(), packages[0].manifest.as_str()), ("a", "crates/a/Cargo.toml"));
        assert_eq!(packages[0].needs.iter().map(|need| need.only_tests).collect::<Vec<_>>(), [false, true]);
    }
}
