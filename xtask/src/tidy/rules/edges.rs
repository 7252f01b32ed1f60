//! The allowed dependencies between crates. One that is not in the table is a breach.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::packages::{Dependency, WorkspaceCrate};

/// The crates of the workspace: name, and the others that each may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("runward-core", &[]),
    ("runward-os", &["runward-core"]),
    ("runward-engine", &["runward-core", "runward-os"]),
    ("runward-flow", &["runward-core", "runward-engine"]),
    ("runward-mcp", &["runward-core", "runward-engine", "runward-flow"]),
    ("runward-web", &["runward-core", "runward-engine"]),
    ("runward", &["runward-core", "runward-engine", "runward-mcp", "runward-web", "runward-flow"]),
    ("testkit", &["runward-core", "runward-os", "runward-engine"]),
    ("xtask", &["runward-core", "runward-os", "runward-engine", "testkit"]),
];

/// Foreign crates that only some rooms may use directly.
const GUESTS: &[(&str, &[&str])] = &[
    ("clap", &["runward", "xtask"]),
    ("clap_complete", &["runward", "xtask"]),
    ("clap_mangen", &["runward", "xtask"]),
    ("rmcp", &["runward-mcp", "testkit"]),
    ("axum", &["runward-mcp", "runward-web"]),
    ("reqwest", &["runward-flow", "runward-mcp"]),
];

/// Foreign crates that a room may never use.
const BARRED: &[(&str, &str)] = &[("runward-core", "tokio")];

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.packages.iter().flat_map(check).collect()
}

fn check(package: &WorkspaceCrate) -> Vec<Breach> {
    let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == package.name) else {
        let sentence = format!("the crate `{}` has no row in xtask/src/tidy/rules/edges.rs", package.name);
        return vec![Breach::new("edges", &package.manifest, 1, sentence).about(&package.name)];
    };
    let wrong = package.needs.iter().filter(|need| !allowed(package, may, need));
    wrong
        .map(|need| {
            let sentence = format!("`{}` may not depend on `{}`", package.name, need.name);
            Breach::new("edges", &package.manifest, 1, sentence)
                .about(&format!("{}->{}", package.name, need.name))
        })
        .collect()
}

fn allowed(package: &WorkspaceCrate, may: &[&str], need: &Dependency) -> bool {
    let name = need.name.as_str();
    if ROOMS.iter().any(|(room, _)| *room == name) {
        let for_tests = need.only_tests && (name == "testkit" || name == package.name);
        return may.contains(&name) || for_tests;
    }
    let guest = GUESTS.iter().find(|(guest, _)| *guest == name);
    let welcome = guest.is_none_or(|(_, rooms)| rooms.contains(&package.name.as_str()));
    welcome && (need.only_tests || !BARRED.contains(&(package.name.as_str(), name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, needs: &[(&str, bool)]) -> Vec<String> {
        let needs = needs
            .iter()
            .map(|&(name, only_tests)| Dependency { name: name.to_owned(), only_tests })
            .collect();
        let manifest = "crates/x/Cargo.toml".to_owned();
        let package = WorkspaceCrate { name: name.to_owned(), manifest, needs, published: None };
        check(&package).into_iter().map(|breach| breach.subject).collect()
    }

    #[test]
    fn arrows_of_the_plan_are_fine() {
        assert_eq!(found("runward-core", &[("serde", false), ("testkit", true), ("tokio", true)]), [""; 0]);
        assert_eq!(
            found("runward-engine", &[("runward-core", false), ("runward-os", false), ("tokio", false)]),
            [""; 0]
        );
        assert_eq!(
            found("runward", &[("runward-engine", false), ("clap", false), ("testkit", true)]),
            [""; 0]
        );
    }

    #[test]
    fn arrows_that_are_not_in_the_plan_are_found() {
        assert_eq!(found("runward-core", &[("runward-os", true), ("tokio", false)]).len(), 2);
        assert_eq!(found("runward", &[("runward-os", false)]), ["runward->runward-os"]);
        assert_eq!(found("runward-os", &[("testkit", false)]), ["runward-os->testkit"]);
        assert_eq!(found("runward-engine", &[("clap", false), ("rmcp", false), ("axum", true)]).len(), 3);
        assert_eq!(found("runward-new", &[]), ["runward-new"]);
    }
}
