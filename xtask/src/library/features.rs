//! Every feature of the library alone, none, and all: what nobody but a stranger builds has to build without a warning.
//!
//! The features are asked of cargo, so a new one is checked without being named here.

use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use serde_json::Value;

/// The packages whose features others choose. Those of `runward` that the engine has too are only passed on.
const CHOSEN: [&str; 2] = ["runward-engine", "runward"];

/// Checks every combination.
pub(crate) fn each_builds(root: &RepositoryRoot) -> ChoreResult {
    let text = ChildTool::new("cargo metadata --no-deps --format-version 1").read(root)?;
    let value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    for (package, features) in combinations(&value) {
        println!("{package}: {}", if features.is_empty() { "no feature" } else { &features });
        let line = format!("cargo clippy --quiet --package {package} --lib --no-default-features --locked");
        ChildTool::new(&line).args(["--features", &features, "--", "-D", "warnings"]).run(root)?;
    }
    Ok(())
}

/// Package and features, in the order in which they are checked.
fn combinations(value: &Value) -> Vec<(&'static str, String)> {
    let of = |package: &str| -> Vec<String> {
        let packages = value["packages"].as_array().into_iter().flatten();
        let found = packages.filter(|one| one["name"] == package);
        found.filter_map(|one| one["features"].as_object()).flat_map(|all| all.keys().cloned()).collect()
    };
    let engine = of(CHOSEN[0]);
    let mut all = Vec::new();
    for package in CHOSEN {
        all.push((package, String::new()));
        // A default with a name of its own is checked under that name.
        let own = of(package).into_iter().filter(|name| name != "default");
        let own = own.filter(|name| package == CHOSEN[0] || !engine.contains(name));
        all.extend(own.map(|name| (package, name)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn none_and_each_alone_and_what_is_passed_on_once() {
        let value = json!({ "packages": [
            { "name": "runward-engine", "features": { "default": [], "full": [], "journal": [] } },
            { "name": "runward", "features": { "default": ["cli"], "cli": [], "journal": [] } },
        ]});
        let all: Vec<_> =
            combinations(&value).into_iter().map(|(package, names)| format!("{package} {names}")).collect();
        let expected =
            ["runward-engine ", "runward-engine full", "runward-engine journal", "runward ", "runward cli"];
        assert_eq!(all, expected);
    }
}
