//! Rules of Claude Code: `permissions.deny` and `.ask` of every settings file that it reads, as far as they are about
//! commands. May not read what it is given by its owner's organisation over the net.

use super::pattern;
use super::{ClientRule, RulePlaces, json};
use crate::hook::HookClient;
use runward::Decision;
use serde_json::Value;
use std::path::PathBuf;

pub(super) fn rules(places: &RulePlaces) -> Result<Vec<ClientRule>, String> {
    let mut all = Vec::new();
    for file in files(places) {
        let Some(settings) = json(&file)? else { continue };
        for (list, decision) in [("deny", Decision::Deny), ("ask", Decision::Ask)] {
            let entries = settings.pointer(&format!("/permissions/{list}")).and_then(Value::as_array);
            let entries = entries.into_iter().flatten().filter_map(Value::as_str);
            all.extend(entries.filter_map(|entry| rule(list, decision, entry)));
        }
    }
    Ok(all)
}

fn files(places: &RulePlaces) -> Vec<PathBuf> {
    let managed = [
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ];
    let own = places
        .claude
        .iter()
        .flat_map(|folder| ["settings.json", "settings.local.json"].map(|name| folder.join(name)));
    let around = [".claude/settings.json", ".claude/settings.local.json"]
        .into_iter()
        .flat_map(|name| places.around(name));
    let mut all: Vec<PathBuf> = managed.into_iter().map(PathBuf::from).chain(own).chain(around).collect();
    let mut seen = Vec::new();
    all.retain(|path| {
        !seen.contains(path) && {
            seen.push(path.clone());
            true
        }
    });
    all
}

/// The rule of an entry; nothing where it is not about commands.
fn rule(list: &str, decision: Decision, entry: &str) -> Option<ClientRule> {
    let written = format!("{list} {entry}");
    let tool = entry.split('(').next().unwrap_or_default().trim();
    match tool {
        "Bash" | "*" => {}
        _ => return None,
    }
    let inside = entry.split_once('(').map(|(_, rest)| rest.strip_suffix(')'));
    Some(match inside {
        None => pattern::rule(HookClient::ClaudeCode, decision, written, "*"),
        Some(Some(inside)) => pattern::rule(HookClient::ClaudeCode, decision, written, inside),
        Some(None) => ClientRule { written, rule: None },
    })
}
