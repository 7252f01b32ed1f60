//! Where the list of servers stands in the files of common clients.
//!
//! May not read servers.

use super::json::JsonAsWritten;
use super::place::JsonPath;
use runward_engine::core::resolve::nearest;

/// What the list of servers may be called at the top of a file: by most clients, by VS Code in a file of its own
/// and in its settings, by Zed.
const NAMES: &[&str] = &["mcpServers", "servers", "mcp.servers", "context_servers"];

/// Where VS Code's settings may have it, too: the list inside an object.
const NESTED: (&str, &str) = ("mcp", "servers");

/// Every list of servers at the top of a file. The lists of single projects, which `~/.claude.json` has further
/// down, are not among them.
pub(super) fn all(members: &[(String, JsonAsWritten)]) -> Vec<(JsonPath, &JsonAsWritten)> {
    let top = JsonPath::top();
    let mut lists = Vec::new();
    for (key, value) in members {
        if NAMES.contains(&key.as_str()) {
            lists.push((top.key(key), value));
        } else if let (true, JsonAsWritten::Object(inner)) = (key == NESTED.0, value) {
            let inner = inner.iter().filter(|(key, _)| key == NESTED.1);
            lists.extend(inner.map(|(inner, list)| (top.key(key).key(inner), list)));
        }
    }
    lists
}

/// What is wrong where there is not exactly one list of servers.
pub(super) fn wrong(members: &[(String, JsonAsWritten)], found: &[(JsonPath, &JsonAsWritten)]) -> String {
    if found.len() > 1 {
        let places: Vec<String> = found.iter().map(|(place, _)| format!("`{place}`")).collect();
        return format!("expected one list of servers, found {}", places.join(" and "));
    }
    let near = members.iter().find(|(key, _)| !nearest(key, NAMES).is_empty());
    match near {
        Some((key, _)) => format!("expected a key `mcpServers`, found `{}`", key.escape_debug()),
        None => "expected a key `mcpServers`, found none".to_owned(),
    }
}
