//! The text of a list: a new one, or an old one with servers added and every old byte kept.
//!
//! May not read or write a file.

use crate::gateway::config::{CALL_TIMEOUT, STARTUP_TIMEOUT, Server, ServerReach, ServerStart, written};
use serde_json::{Value, json};

/// The text of a list of these servers.
pub fn whole(servers: &[Server]) -> String {
    format!("{{\n  \"mcpServers\": {{\n{}\n  }}\n}}\n", entries(servers))
}

/// A text with servers added at the end of its list; `None` where that cannot be done without changing the rest.
pub fn added_to(old: &str, servers: &[Server]) -> Option<String> {
    let plain = written::plain(old);
    let list = List::find(&plain)?;
    let comma = if list.is_empty { "" } else { "," };
    let rest = &old[list.end..];
    let gap = if list.is_empty && rest.starts_with('}') { "\n  " } else { "" };
    let new = format!("{}{comma}\n{}{gap}{rest}", &old[..list.end], entries(servers));
    says(&new, old, servers).then_some(new)
}

/// Whether a text says what the old one said, then these servers, and nothing else.
fn says(new: &str, old: &str, servers: &[Server]) -> bool {
    let (Ok(new), Ok(mut all)) = (written::in_json("", new), written::in_json("", old)) else { return false };
    let added = servers.iter().map(|server| written::WrittenServer {
        key: server.key.clone(),
        server: Ok(server.clone()),
        unread: Vec::new(),
    });
    all.extend(added);
    new == all
}

/// Where servers can be added in a text without comments.
struct List {
    /// Behind the last thing in the list, or behind its opening brace.
    end: usize,
    is_empty: bool,
}

impl List {
    /// The object `mcpServers` at the top of a text.
    fn find(plain: &str) -> Option<Self> {
        let (mut depth, mut at, mut open) = (0_usize, 0, None);
        let bytes = plain.as_bytes();
        while at < bytes.len() {
            match bytes[at] {
                b'"' => {
                    let end = string_end(bytes, at);
                    let is_key = || plain[end..].trim_start().starts_with(':');
                    if depth == 1 && &plain[at..end] == "\"mcpServers\"" && is_key() {
                        open = Some(plain[end..].find('{')? + end);
                    }
                    at = end;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    if let (1, Some(open)) = (depth, open) {
                        let inside = plain.get(open + 1..at)?.trim_end();
                        return Some(Self { end: open + 1 + inside.len(), is_empty: inside.is_empty() });
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    bytes.len().min(at + 1)
}

fn entries(servers: &[Server]) -> String {
    let entries = servers.iter().map(|server| {
        let members = members(server).into_iter().map(|(key, value)| format!("      \"{key}\": {value}"));
        let members: Vec<String> = members.collect();
        format!("    {}: {{\n{}\n    }}", json!(server.key), members.join(",\n"))
    });
    entries.collect::<Vec<_>>().join(",\n")
}

/// The members of a server, in the order in which people write it. Defaults are left out.
fn members(server: &Server) -> Vec<(&'static str, Value)> {
    let mut members = Vec::new();
    match &server.reach {
        ServerReach::Command(launch) => {
            members.push(("command", json!(launch.command)));
            members.extend((!launch.args.is_empty()).then(|| ("args", json!(launch.args))));
            members.extend((!launch.env.is_empty()).then(|| ("env", json!(launch.env))));
            members.extend(launch.cwd.as_ref().map(|cwd| ("cwd", json!(cwd))));
        }
        ServerReach::Address(remote) => {
            members.push(("url", json!(remote.url)));
            members.extend((!remote.headers.is_empty()).then(|| ("headers", json!(remote.headers))));
        }
    }
    match server.start {
        ServerStart::AtOnce | ServerStart::WhenAgreed => {}
        ServerStart::WhenUsed => members.push(("lazy", json!(true))),
        ServerStart::Never => members.push(("disabled", json!(true))),
    }
    let tools = &server.tools;
    match (&tools.allow, tools.deny.is_empty()) {
        (None, true) => {}
        (None, false) => members.push(("tools", json!({"deny": tools.deny}))),
        (Some(allow), true) => members.push(("tools", json!({"allow": allow}))),
        (Some(allow), false) => members.push(("tools", json!({"allow": allow, "deny": tools.deny}))),
    }
    let millis = |time: std::time::Duration| json!(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    if server.timeout != CALL_TIMEOUT {
        members.push(("timeout_ms", millis(server.timeout)));
    }
    if server.startup_timeout != STARTUP_TIMEOUT {
        members.push(("startup_timeout_ms", millis(server.startup_timeout)));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn servers(text: &str) -> Vec<Server> {
        let all = written::in_json("f", text).unwrap();
        all.into_iter().map(|one| one.server.unwrap()).collect()
    }

    const FULL: &str = r#"{"mcpServers": {
        "a \"b\"": {"command": "x", "args": ["$A", "é"], "env": {"T": "${T}"}, "cwd": "/c", "lazy": true,
                    "tools": {"allow": [], "deny": ["d"]}, "timeout_ms": 5, "startup_timeout_ms": 6},
        "c": {"url": "https://x/$Y", "headers": {"H": "v"}, "disabled": true, "tools": {"deny": ["d"]}},
        "d": {"command": "y", "tools": {"allow": ["z"]}}
    }}"#;

    #[test]
    fn a_list_says_what_the_servers_are() {
        let all = servers(FULL);
        assert_eq!(servers(&whole(&all)), all);
        let one = whole(&servers(r#"{"mcpServers": {"s": {"command": "x", "args": ["a"]}}}"#));
        let shown = "{\n  \"mcpServers\": {\n    \"s\": {\n      \"command\": \"x\",\n      \"args\": [\"a\"]\n    }\n  }\n}\n";
        assert_eq!(one, shown);
    }

    #[test]
    fn every_byte_of_an_old_list_stays_where_servers_are_added() {
        for old in [
            "{\"mcpServers\": {}}",
            "{\"mcpServers\": {\n}}",
            "{\n  // mine\n  \"x\": {\"mcpServers\": {}},\n  \"mcpServers\": {\"o\": {\"command\": \"}\"}}\n}",
            "{\"mcpServers\": {\"o\": {\"command\": \"y\"}, // note }\n /* { */ },}",
            "{\"mcpServers\": {\"o\": {\"command\": \"y\", \"k\": 1,},},}",
        ] {
            let new = added_to(old, &servers(FULL)).unwrap_or_else(|| panic!("{old}"));
            assert_eq!(written::in_json("f", &new).unwrap().len(), 3 + usize::from(old.contains("\"o\"")));
            let around = |at: usize| new.starts_with(&old[..at]) && new.ends_with(&old[at..]);
            let kept = (0..=old.len()).any(around);
            assert!(kept, "{new}");
        }
    }

    #[test]
    fn a_text_without_the_usual_list_is_left_alone() {
        for old in
            ["", "{}", "[]", "{\"servers\": {}}", "{\"mcpServers\": []}", "{\"mcpServers\": {", "no JSON"]
        {
            assert_eq!(added_to(old, &servers(FULL)), None, "{old}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(old in "[\"{}\\[\\]:, \\\\/a\\n]{0,40}") {
            let _ = added_to(&format!("{{\"mcpServers\":{old}"), &servers(FULL));
        }
    }
}
