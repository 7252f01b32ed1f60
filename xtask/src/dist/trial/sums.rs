//! The file of sums, the registry's document and the list of parts, against the files that they are about.

use super::answer::{program, succeeds};
use super::{Trial, bytes, ensure};
use crate::ChoreResult;
use crate::dist::folder::SUMS;
use crate::dist::sum::sha256;
use crate::process::ChildTool;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    succeeds(program("sha256sum", &trial.packages).args(["--check", "--strict", "--quiet", SUMS]))?;
    trial.is_the_binary(&trial.package(&format!("runward-{}-{}", trial.version, trial.target.triple))?)?;
    registry(trial)?;
    parts(trial)
}

fn registry(trial: &Trial<'_>) -> ChoreResult {
    let document = read(trial, "server.json")?;
    let is_right =
        document["version"] == trial.version.as_str() && document["name"] == "io.github.runward/runward";
    ensure(is_right, || format!("server.json begins {document}"))?;
    let readme = crate::dist::text_of(trial.root, "README.md")?;
    ensure(readme.contains("mcp-name: io.github.runward/runward"), || {
        "README does not show `mcp-name: io.github.runward/runward`, by which the registry knows the crate"
            .to_owned()
    })?;
    let packages = document["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let kinds: Vec<_> = packages.iter().filter_map(|package| package["registryType"].as_str()).collect();
    ensure(kinds == ["npm", "pypi", "cargo", "mcpb"], || format!("server.json has {kinds:?}"))?;
    for package in packages {
        let Some(sum) = package["fileSha256"].as_str() else { continue };
        let name = match package["registryType"].as_str() {
            Some("npm") => crate::dist::npm::file_name(&trial.version),
            _ => package["identifier"]
                .as_str()
                .and_then(|url| url.rsplit('/').next())
                .unwrap_or_default()
                .to_owned(),
        };
        let found = sha256(&bytes(&trial.package(&name)?)?);
        ensure(found == sum, || format!("server.json says {sum} of `{name}`, which has {found}"))?;
    }
    Ok(())
}

/// Exactly the crates of cargo's tree, asked for here once more.
fn parts(trial: &Trial<'_>) -> ChoreResult {
    let triple = trial.target.triple;
    let document = read(trial, &format!("runward-{}-{triple}.cdx.json", trial.version))?;
    let named = |value: &Value| {
        format!(
            "{} v{}",
            value["name"].as_str().unwrap_or_default(),
            value["version"].as_str().unwrap_or_default()
        )
    };
    let mut listed: BTreeSet<_> =
        document["components"].as_array().into_iter().flatten().map(named).collect();
    listed.insert(named(&document["metadata"]["component"]));
    let tree = ChildTool::new("cargo tree --locked -p runward -e normal --prefix none --target")
        .args([triple])
        .read(trial.root)?;
    let words = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let wanted: BTreeSet<_> = tree.lines().filter(|line| !line.is_empty()).map(words).collect();
    let differ: Vec<_> = listed.symmetric_difference(&wanted).collect();
    ensure(differ.is_empty(), || format!("the list of parts and cargo's tree differ: {differ:?}"))?;
    println!("{} parts", listed.len());
    Ok(())
}

fn read(trial: &Trial<'_>, name: &str) -> Result<Value, String> {
    serde_json::from_slice(&bytes(&trial.package(name)?)?).map_err(|error| format!("`{name}`: {error}"))
}
