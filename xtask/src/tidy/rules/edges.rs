//! Who may depend on whom. An arrow that is not in the table does not exist.

use super::super::breach::Breach;
use super::super::house::House;
use super::super::packages::{Need, Package};

/// Crates of the house: name, and which others of the house it may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("runward-core", &[]),
    ("runward-os", &["runward-core"]),
    ("runward", &["runward-core", "runward-os"]),
    ("runward-flow", &["runward-core", "runward"]),
    ("runward-mcp", &["runward-core", "runward", "runward-flow"]),
    ("runward-web", &["runward-core", "runward"]),
    ("runward-cli", &["runward-core", "runward", "runward-mcp", "runward-web", "runward-flow"]),
    ("testkit", &["runward-core", "runward-os", "runward"]),
    ("xtask", &["runward-core", "runward-os", "runward", "testkit"]),
];

/// Foreign crates that only some rooms may use directly.
const GUESTS: &[(&str, &[&str])] = &[
    ("clap", &["runward-cli", "xtask"]),
    ("clap_complete", &["runward-cli", "xtask"]),
    ("clap_mangen", &["runward-cli", "xtask"]),
    ("rmcp", &["runward-mcp", "testkit"]),
    ("axum", &["runward-mcp", "runward-web"]),
    ("liquid-core", &["runward-flow"]),
    ("liquid-lib", &["runward-flow"]),
    ("ureq", &["runward-flow"]),
];

/// Foreign crates that a room may never use.
const BARRED: &[(&str, &str)] = &[("runward-core", "tokio")];

/// The rule.
pub(crate) fn rule(house: &House) -> Vec<Breach> {
    house.packages.iter().flat_map(check).collect()
}

fn check(package: &Package) -> Vec<Breach> {
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

fn allowed(package: &Package, may: &[&str], need: &Need) -> bool {
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
        let needs =
            needs.iter().map(|&(name, only_tests)| Need { name: name.to_owned(), only_tests }).collect();
        let package = Package { name: name.to_owned(), manifest: "crates/x/Cargo.toml".to_owned(), needs };
        check(&package).into_iter().map(|breach| breach.subject).collect()
    }

    #[test]
    fn arrows_of_the_plan_are_fine() {
        assert_eq!(found("runward-core", &[("serde", false), ("testkit", true), ("tokio", true)]), [""; 0]);
        assert_eq!(
            found("runward", &[("runward-core", false), ("runward-os", false), ("tokio", false)]),
            [""; 0]
        );
        assert_eq!(found("runward-cli", &[("runward", false), ("clap", false), ("testkit", true)]), [""; 0]);
    }

    #[test]
    fn arrows_that_are_not_in_the_plan_are_found() {
        assert_eq!(found("runward-core", &[("runward-os", true), ("tokio", false)]).len(), 2);
        assert_eq!(found("runward-cli", &[("runward-os", false)]), ["runward-cli->runward-os"]);
        assert_eq!(found("runward-os", &[("testkit", false)]), ["runward-os->testkit"]);
        assert_eq!(found("runward", &[("clap", false), ("rmcp", false), ("axum", true)]).len(), 3);
        assert_eq!(found("runward-new", &[]), ["runward-new"]);
    }
}
