//! Servers as other clients wrote them, one by one: a problem in one does not affect the others.
//!
//! Variables stay as they are written. Keys of other clients are translated to ours where the meaning is the same. May
//! not take a server if its meaning would change: that is a problem.

use super::json::{self, JsonAsWritten};
use super::place::JsonPath;
use super::problem::{BadConfig, ServerListProblem};
use super::reader::{ServerListReader, Variables};
use super::{Server, comments, entry, known, lists};

/// One server of a client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenServer {
    /// What it is called there.
    pub key: String,
    /// What it is, or everything that is wrong with it.
    pub server: Result<Server, Vec<ServerListProblem>>,
    /// Keys that are not read here.
    pub unread: Vec<String>,
}

/// The same text without comments and trailing commas, everything else at its place.
pub fn plain(text: &str) -> String {
    comments::blanked(text)
}

/// The servers of a JSON file. A file without a list has none.
pub fn in_json(file: &str, text: &str) -> Result<Vec<WrittenServer>, BadConfig> {
    let json = json::parse(&comments::blanked(text)).map_err(|problem| BadConfig::of(file, vec![problem]))?;
    let JsonAsWritten::Object(members) = &json else { return Ok(Vec::new()) };
    Ok(lists::all(members).into_iter().flat_map(|(place, list)| each(list, &place)).collect())
}

/// The servers of a TOML file: `[mcp_servers.KEY]`.
pub fn in_toml(file: &str, text: &str) -> Result<Vec<WrittenServer>, BadConfig> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let what = format!("expected TOML: {}", error.message().lines().next().unwrap_or_default());
        BadConfig::of(file, vec![ServerListProblem { place: "top level".to_owned(), what }])
    })?;
    let list = table.get("mcp_servers").map(of_toml);
    Ok(list.map(|list| each(&list, &JsonPath::top().key("mcp_servers"))).unwrap_or_default())
}

fn each(list: &JsonAsWritten, place: &JsonPath) -> Vec<WrittenServer> {
    let JsonAsWritten::Object(servers) = list else { return Vec::new() };
    servers.iter().map(|(key, value)| one(key, value, &place.key(key))).collect()
}

fn one(key: &str, value: &JsonAsWritten, place: &JsonPath) -> WrittenServer {
    let mut unread = Vec::new();
    let ours = match value {
        JsonAsWritten::Object(members) => JsonAsWritten::Object(in_our_words(members, &mut unread)),
        other => other.clone(),
    };
    let mut reader = ServerListReader::new(&|_| None);
    reader.variables = Variables::Checked;
    let server = entry::server(key, &ours, place, &mut reader);
    let server = match (server, reader.problems) {
        (Some(server), problems) if problems.is_empty() => Ok(server),
        (_, problems) => Err(problems),
    };
    WrittenServer { key: key.to_owned(), server, unread }
}

/// The keys of a server, those of other clients translated to ours.
fn in_our_words(
    members: &[(String, JsonAsWritten)],
    unread: &mut Vec<String>,
) -> Vec<(String, JsonAsWritten)> {
    let mut ours: Vec<(String, JsonAsWritten)> = Vec::new();
    for (key, value) in members {
        let millis = |seconds: &JsonAsWritten| match seconds {
            JsonAsWritten::Whole(seconds) => JsonAsWritten::Whole(seconds.saturating_mul(1000)),
            other => other.clone(),
        };
        match key.as_str() {
            "includeTools" | "enabled_tools" => inside(&mut ours, "tools", "allow", value.clone()),
            "excludeTools" | "disabledTools" | "disabled_tools" => {
                inside(&mut ours, "tools", "deny", value.clone());
            }
            "startup_timeout_sec" => ours.push(("startup_timeout_ms".to_owned(), millis(value))),
            "tool_timeout_sec" => ours.push(("timeout_ms".to_owned(), millis(value))),
            "bearer_token_env_var" => {
                let token = named(value, |name| format!("Bearer ${{{name}}}"));
                inside(&mut ours, "headers", "Authorization", token);
            }
            "http_headers" => all_inside(&mut ours, "headers", value, JsonAsWritten::clone),
            "env_http_headers" => {
                all_inside(&mut ours, "headers", value, |name| named(name, |name| format!("${{{name}}}")));
            }
            "env_vars" => passed_on(&mut ours, value),
            _ if known::is_strange(key) => unread.push(key.clone()),
            _ => ours.push((key.clone(), value.clone())),
        }
    }
    ours
}

/// Names of variables that a server is given as they are.
fn passed_on(ours: &mut Vec<(String, JsonAsWritten)>, names: &JsonAsWritten) {
    let JsonAsWritten::List(names) = names else { return ours.push(("env".to_owned(), names.clone())) };
    for name in names {
        if let JsonAsWritten::Text(key) = name {
            inside(ours, "env", key, JsonAsWritten::Text(format!("${{{key}}}")));
        }
    }
}

fn named(value: &JsonAsWritten, written: impl Fn(&str) -> String) -> JsonAsWritten {
    match value {
        JsonAsWritten::Text(name) => JsonAsWritten::Text(written(name)),
        other => other.clone(),
    }
}

fn all_inside(
    ours: &mut Vec<(String, JsonAsWritten)>,
    outer: &str,
    values: &JsonAsWritten,
    written: impl Fn(&JsonAsWritten) -> JsonAsWritten,
) {
    if let JsonAsWritten::Object(members) = values {
        members.iter().for_each(|(key, value)| inside(ours, outer, key, written(value)));
    } else {
        ours.push((outer.to_owned(), values.clone()));
    }
}

/// Puts a value into an object of these members, which is made where there is none.
fn inside(ours: &mut Vec<(String, JsonAsWritten)>, outer: &str, key: &str, value: JsonAsWritten) {
    let there = ours.iter_mut().find_map(|(name, json)| match json {
        JsonAsWritten::Object(members) if name == outer => Some(members),
        _ => None,
    });
    match there {
        Some(members) => members.push((key.to_owned(), value)),
        None => ours.push((outer.to_owned(), JsonAsWritten::Object(vec![(key.to_owned(), value)]))),
    }
}

fn of_toml(value: &toml::Value) -> JsonAsWritten {
    match value {
        toml::Value::String(text) => JsonAsWritten::Text(text.clone()),
        toml::Value::Boolean(truth) => JsonAsWritten::Bool(*truth),
        toml::Value::Integer(number) => {
            u64::try_from(*number).map_or(JsonAsWritten::Number, JsonAsWritten::Whole)
        }
        toml::Value::Float(number) => whole(*number).map_or(JsonAsWritten::Number, JsonAsWritten::Whole),
        toml::Value::Datetime(time) => JsonAsWritten::Text(time.to_string()),
        toml::Value::Array(items) => JsonAsWritten::List(items.iter().map(of_toml).collect()),
        toml::Value::Table(table) => {
            JsonAsWritten::Object(table.iter().map(|(key, value)| (key.clone(), of_toml(value))).collect())
        }
    }
}

/// Times are often written with a point: `20.0`.
fn whole(number: f64) -> Option<u64> {
    let text = format!("{number:.0}");
    text.parse().ok().filter(|_| number.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::{ServerReach, ServerStart};
    use super::*;
    use std::time::Duration;

    #[test]
    fn one_that_is_wrong_keeps_none_of_the_others() {
        let text = r#"{"mcpServers": {
            "good": {"command": "x", "args": ["$NONE", "${A:-b}"], "env": {"T": "${env:TOKEN}"}, "future": 1},
            "wrong": {"command": 1},
            "asks": {"command": "x", "args": ["${input:key}"]},
            "file": {"command": "x", "envFile": ".env"},
            "address": {"url": "ftp://x"}, "variable": {"url": "$URL/mcp"}
        }}"#;
        let all = in_json("f", text).unwrap();
        let problems = |at: usize| all[at].server.clone().unwrap_err()[0].to_string();
        let ServerReach::Command(launch) = all[0].server.clone().unwrap().reach else { panic!("{all:?}") };
        assert_eq!(launch.args, ["$NONE", "${A:-b}"]);
        assert_eq!(launch.env["T"], "${env:TOKEN}");
        assert_eq!(all[0].unread, ["future"]);
        assert_eq!(problems(1), "mcpServers.wrong.command: expected a string, found a number");
        assert!(problems(2).contains("found `${input:…}`"), "{}", problems(2));
        assert!(problems(3).contains("envFile"), "{}", problems(3));
        assert!(problems(4).contains("expected an address"), "{}", problems(4));
        assert!(all[5].server.is_ok());
        assert_eq!(in_json("f", r#"{"theme": "dark"}"#).unwrap(), []);
        assert!(in_json("f", "{").is_err());
    }

    #[test]
    fn tools_of_other_clients_are_put_into_our_words() {
        let text = r#"{"mcpServers": {"s": {"command": "x", "includeTools": ["a"], "excludeTools": ["b"]}}}"#;
        let server = in_json("f", text).unwrap().remove(0).server.unwrap();
        assert_eq!(
            (server.tools.allow, server.tools.deny),
            (Some(vec!["a".to_owned()]), vec!["b".to_owned()])
        );
    }

    #[test]
    fn the_file_of_codex_is_read_in_our_words() {
        let text = r#"
            model = "o3"
            [mcp_servers.docs]
            command = "npx"
            args = ["-y", "docs"]
            env = { KEY = "value" }
            env_vars = ["HOME_TOKEN"]
            startup_timeout_sec = 20.0
            tool_timeout_sec = 5
            enabled_tools = ["find"]
            [mcp_servers.far]
            url = "https://example.com/mcp"
            bearer_token_env_var = "FAR_TOKEN"
            env_http_headers = { "X-Org" = "ORG" }
            http_headers = { "X-A" = "b" }
            enabled = false
        "#;
        let all = in_toml("config.toml", text).unwrap();
        let docs = all[0].server.clone().unwrap();
        let ServerReach::Command(launch) = &docs.reach else { panic!("{all:?}") };
        assert_eq!(
            (launch.env["KEY"].as_str(), launch.env["HOME_TOKEN"].as_str()),
            ("value", "${HOME_TOKEN}")
        );
        assert_eq!((docs.startup_timeout, docs.timeout), (Duration::from_secs(20), Duration::from_secs(5)));
        assert_eq!(docs.tools.allow, Some(vec!["find".to_owned()]));
        let far = all[1].server.clone().unwrap();
        let ServerReach::Address(remote) = &far.reach else { panic!("{all:?}") };
        let headers: Vec<_> = remote.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        assert_eq!(headers, ["Authorization: Bearer ${FAR_TOKEN}", "X-A: b", "X-Org: ${ORG}"]);
        assert_eq!(far.start, ServerStart::Never);
        assert_eq!(in_toml("f", "model = 1").unwrap(), []);
        assert!(in_toml("f", "[x").unwrap_err().to_string().starts_with("f: top level: expected TOML: "));
    }
}
