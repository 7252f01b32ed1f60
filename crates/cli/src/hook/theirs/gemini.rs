//! Rules of Gemini CLI: `tools.exclude`, as far as it is about commands. Its policy files are not understood, so where there
//! is one nothing is wrapped.

use super::pattern;
use super::{ClientRule, RulePlaces, json};
use crate::hook::HookClient;
use runward::Decision;
use serde_json::Value;

pub(super) fn rules(places: &RulePlaces) -> Result<Vec<ClientRule>, String> {
    let home = places.home.iter().map(|home| home.join(".gemini/settings.json"));
    let mut all = Vec::new();
    for file in home.chain(places.around(".gemini/settings.json")) {
        let Some(settings) = json(&file)? else { continue };
        let lists =
            ["/tools/exclude", "/excludeTools"].iter().filter_map(|at| settings.pointer(at)?.as_array());
        all.extend(lists.flatten().filter_map(Value::as_str).filter_map(rule));
    }
    let policies = places.home.iter().map(|home| home.join(".gemini/policies"));
    for folder in policies.chain(places.around(".gemini/policies")) {
        if std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(format!("the policies in `{}` cannot be taken over", folder.display()));
        }
    }
    Ok(all)
}

fn rule(entry: &str) -> Option<ClientRule> {
    let written = format!("exclude {entry}");
    let (tool, inside) = match entry.split_once('(') {
        Some((tool, rest)) => (tool, rest.strip_suffix(')').unwrap_or("?")),
        None => (entry, "*"),
    };
    let is_shell = ["run_shell_command", "ShellTool"].contains(&tool.trim());
    // What is excluded is a beginning.
    let pattern = if inside == "*" { "*".to_owned() } else { format!("{inside} *") };
    is_shell.then(|| pattern::rule(HookClient::Gemini, Decision::Deny, written, &pattern))
}
