//! The bundle, read and unpacked by the tool of those who defined it, and started as a client would.

use super::answer::{end_of, program, serves, succeeds};
use super::{Trial, bytes, ensure};
use crate::dist::mcpb;
use crate::{ChoreResult, node};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let folder = trial.folder("mcpb")?;
    let file = trial.package(&mcpb::file_name(trial.target, &trial.version))?;
    succeeds(tool(trial, &folder).arg("unpack").arg(&file).arg("unpacked"))?;
    let inside = folder.join("unpacked");
    succeeds(tool(trial, &folder).arg("validate").arg(inside.join("manifest.json")))?;
    trial.is_the_binary(&inside.join("server/runward"))?;
    let text = bytes(&inside.join("manifest.json"))?;
    let manifest: Value = serde_json::from_slice(&text).map_err(|error| format!("the manifest: {error}"))?;
    for presets in ["readonly", "readonly,build"] {
        serves(&mut started(&manifest, &inside, &folder, presets))?;
    }
    flags_exist(&manifest, &inside)
}

fn tool(trial: &Trial<'_>, folder: &Path) -> Command {
    let mut command = program(trial.root.join(node::PROGRAM), folder);
    command.arg(trial.root.join(node::PACKAGES).join("@anthropic-ai/mcpb/dist/cli/cli.js"));
    command
}

/// The command of the manifest, with the user's answers in their places.
fn started(manifest: &Value, inside: &Path, folder: &Path, presets: &str) -> Command {
    let fill = |text: &Value| {
        let text = text.as_str().unwrap_or_default();
        text.replace("${__dirname}", &inside.display().to_string())
            .replace("${user_config.folder}", &folder.display().to_string())
            .replace("${user_config.presets}", presets)
    };
    let config = &manifest["server"]["mcp_config"];
    let mut command = program(fill(&config["command"]), folder);
    command.args(config["args"].as_array().into_iter().flatten().map(fill));
    command
}

fn flags_exist(manifest: &Value, inside: &Path) -> ChoreResult {
    let help = end_of(program(inside.join("server/runward"), inside).args(["mcp", "--help"]))?.stdout;
    let words = manifest["server"]["mcp_config"]["args"].as_array().into_iter().flatten();
    for flag in words.filter_map(Value::as_str).filter(|word| word.starts_with("--")) {
        ensure(help.contains(flag), || format!("`runward mcp` has no flag `{flag}`"))?;
    }
    Ok(())
}
