//! One server of a configuration.
//!
//! May not look at other servers: conflicts between servers are reported elsewhere.

use super::filter::ToolFilter;
use super::json::JsonAsWritten;
use super::known;
use super::place::JsonPath;
use super::reader::{ServerListReader, Variables};
use super::{CALL_TIMEOUT, Launch, RemoteServer, STARTUP_TIMEOUT, Server, ServerReach, ServerStart};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

const CALL_RANGE_MS: RangeInclusive<u64> = 1..=86_400_000;
const STARTUP_RANGE_MS: RangeInclusive<u64> = 1..=600_000;
const LONGEST_KEY: usize = 128;

/// The keys of one server and where it stands.
struct ServerEntry<'j> {
    members: &'j [(String, JsonAsWritten)],
    place: &'j JsonPath,
    variables: Variables,
}

impl<'j> ServerEntry<'j> {
    fn get(&self, key: &str) -> Option<(&'j JsonAsWritten, JsonPath)> {
        let (_, value) = self.members.iter().find(|(name, _)| name == key)?;
        Some((value, self.place.key(key)))
    }
}

/// Reads a server. The result is not used if problems were noted.
pub(super) fn server(
    key: &str,
    json: &JsonAsWritten,
    place: &JsonPath,
    reader: &mut ServerListReader<'_>,
) -> Option<Server> {
    if let Some(what) = wrong_server_key(key) {
        reader.problem(place, what);
    }
    let members = reader.object(json, place)?;
    reader.no_key_twice(members, place);
    for (name, what) in members.iter().filter_map(|(name, _)| Some((name, known::wrong_key(name)?))) {
        reader.problem(&place.key(name), what);
    }
    let mut entry = ServerEntry { members, place, variables: reader.variables };
    let start = start(&entry, reader);
    // What is switched off may lack its variables.
    if start == ServerStart::Never {
        entry.variables = Variables::AsWritten;
    }
    let timeout =
        entry.get("timeout_ms").and_then(|(json, place)| reader.millis(json, &place, &CALL_RANGE_MS));
    let startup = entry.get("startup_timeout_ms");
    let startup = startup.and_then(|(json, place)| reader.millis(json, &place, &STARTUP_RANGE_MS));
    let tools = tools(&entry, reader);
    Some(Server {
        key: key.to_owned(),
        reach: reach(&entry, reader)?,
        start,
        tools,
        timeout: timeout.unwrap_or(CALL_TIMEOUT),
        startup_timeout: startup.unwrap_or(STARTUP_TIMEOUT),
    })
}

/// Names begin with the key. Strange characters are replaced there, but something must be left.
fn wrong_server_key(key: &str) -> Option<String> {
    let readable = key.contains(|c: char| c.is_ascii_alphanumeric()) && !key.contains(char::is_control);
    let short = key.len() <= LONGEST_KEY;
    (!readable || !short).then(|| {
        format!(
            "expected a key that names of tools can begin with: at most {LONGEST_KEY} bytes, \
             a letter or digit among them, no control characters"
        )
    })
}

fn start(entry: &ServerEntry<'_>, reader: &mut ServerListReader<'_>) -> ServerStart {
    let mut said = |key| entry.get(key).map(|(json, place)| reader.truth(json, &place));
    let (disabled, enabled, lazy) = (said("disabled"), said("enabled"), said("lazy"));
    if disabled.is_some() && enabled.is_some() {
        reader.problem(entry.place, "expected `disabled` or `enabled`, found both".to_owned());
    }
    // Some clients say it the other way round.
    let off = disabled.unwrap_or(false) || !enabled.unwrap_or(true);
    match (off, lazy.unwrap_or(false)) {
        (true, _) => ServerStart::Never,
        (false, true) => ServerStart::WhenUsed,
        (false, false) => ServerStart::AtOnce,
    }
}

fn tools(entry: &ServerEntry<'_>, reader: &mut ServerListReader<'_>) -> ToolFilter {
    let mut filter = ToolFilter::default();
    let Some((json, place)) = entry.get("tools") else { return filter };
    let Some(members) = reader.object(json, &place) else { return filter };
    reader.no_key_twice(members, &place);
    for (key, value) in members {
        let place = place.key(key);
        match key.as_str() {
            "allow" => filter.allow = Some(reader.texts(value, &place, Variables::AsWritten)),
            "deny" => filter.deny = reader.texts(value, &place, Variables::AsWritten),
            other => reader.problem(&place, known::unknown(other, &["allow", "deny"])),
        }
    }
    filter
}

fn reach(entry: &ServerEntry<'_>, reader: &mut ServerListReader<'_>) -> Option<ServerReach> {
    let mut urls: Vec<_> = known::ADDRESSES.iter().filter_map(|key| entry.get(key)).collect();
    if urls.len() > 1 {
        reader.problem(entry.place, "expected one address, found several".to_owned());
        urls.drain(1..).for_each(|(json, place)| drop(address(entry, json, &place, reader)));
    }
    match (entry.get("command"), urls.pop()) {
        (Some(command), None) => {
            strangers(entry, reader, &["headers"], "url");
            launch(entry, command, reader).map(ServerReach::Command)
        }
        (None, Some(url)) => {
            strangers(entry, reader, &["args", "env", "cwd"], "command");
            remote(entry, url, reader).map(ServerReach::Address)
        }
        (Some(command), Some(url)) => {
            reader.problem(entry.place, "expected `command` or `url`, found both".to_owned());
            // Whichever of them is taken out, the other problems are reported now.
            drop((launch(entry, command, reader), remote(entry, url, reader)));
            None
        }
        (None, None) => {
            reader.problem(entry.place, "expected `command` or `url`, found neither".to_owned());
            drop((folder(entry, reader), given(entry, reader), headers(entry, reader)));
            None
        }
    }
}

/// Keys that go with the other way to reach a server. Empty ones say nothing, and some clients write them.
fn strangers(entry: &ServerEntry<'_>, reader: &mut ServerListReader<'_>, keys: &[&str], with: &str) {
    for key in keys {
        let Some((json, place)) = entry.get(key) else { continue };
        let empty = match json {
            JsonAsWritten::Null => true,
            JsonAsWritten::List(items) => items.is_empty(),
            JsonAsWritten::Object(members) => members.is_empty(),
            _ => false,
        };
        if !empty {
            reader.problem(&place, format!("expected `{key}` only together with `{with}`"));
        }
    }
}

fn launch(
    entry: &ServerEntry<'_>,
    (json, place): (&JsonAsWritten, JsonPath),
    reader: &mut ServerListReader<'_>,
) -> Option<Launch> {
    let launch = match json {
        JsonAsWritten::Object(members) => launch_in_object(entry, members, &place, reader),
        _ => program(entry, (json, place), reader),
    };
    let cwd = folder(entry, reader);
    Some(Launch { cwd, ..launch? })
}

fn folder(entry: &ServerEntry<'_>, reader: &mut ServerListReader<'_>) -> Option<String> {
    let cwd = entry.get("cwd").and_then(|(json, place)| reader.text(json, &place, entry.variables));
    if cwd.as_ref().is_some_and(String::is_empty) {
        reader.problem(&entry.place.key("cwd"), "expected a folder, found an empty string".to_owned());
    }
    cwd
}

/// Arguments and variables.
fn given(
    entry: &ServerEntry<'_>,
    reader: &mut ServerListReader<'_>,
) -> (Vec<String>, BTreeMap<String, String>) {
    let variables = entry.variables;
    let args = entry.get("args").map(|(json, place)| reader.texts(json, &place, variables));
    let env = entry.get("env").map(|(json, place)| reader.pairs(json, &place, variables, is_variable));
    (args.unwrap_or_default(), env.unwrap_or_default())
}

/// Program, arguments and variables in an object of their own, as Zed once wrote them.
fn launch_in_object(
    entry: &ServerEntry<'_>,
    members: &[(String, JsonAsWritten)],
    place: &JsonPath,
    reader: &mut ServerListReader<'_>,
) -> Option<Launch> {
    const KEYS: &[&str] = &["path", "args", "env"];
    reader.no_key_twice(members, place);
    for (key, _) in members.iter().filter(|(key, _)| !KEYS.contains(&key.as_str())) {
        reader.problem(&place.key(key), known::unknown(key, KEYS));
    }
    strangers(entry, reader, &["args", "env"], "command` as a string, or inside `command");
    let inner = ServerEntry { members, place, variables: entry.variables };
    let Some(path) = inner.get("path") else {
        reader.problem(place, "expected a key `path`, found none".to_owned());
        given(&inner, reader);
        return None;
    };
    program(&inner, path, reader)
}

fn program(
    entry: &ServerEntry<'_>,
    (json, place): (&JsonAsWritten, JsonPath),
    reader: &mut ServerListReader<'_>,
) -> Option<Launch> {
    let command = reader.text(json, &place, entry.variables);
    if command.as_ref().is_some_and(|command| command.trim().is_empty()) {
        reader.problem(&place, "expected a program, found an empty string".to_owned());
    }
    let (args, env) = given(entry, reader);
    Some(Launch { command: command?, args, env, cwd: None })
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

fn remote(
    entry: &ServerEntry<'_>,
    (json, place): (&JsonAsWritten, JsonPath),
    reader: &mut ServerListReader<'_>,
) -> Option<RemoteServer> {
    let url = address(entry, json, &place, reader);
    let headers = headers(entry, reader);
    Some(RemoteServer { url: url?, headers })
}

fn address(
    entry: &ServerEntry<'_>,
    json: &JsonAsWritten,
    place: &JsonPath,
    reader: &mut ServerListReader<'_>,
) -> Option<String> {
    let variables = entry.variables;
    let url = reader.text(json, place, variables);
    let known = |url: &str| variables == Variables::Expanded || !url.contains('$');
    let wrong = |url: &String| known(url) && !is_address(url);
    if url.as_ref().is_some_and(wrong) {
        reader.problem(place, "expected an address that begins with `https://` or `http://`".to_owned());
    }
    url
}

fn headers(entry: &ServerEntry<'_>, reader: &mut ServerListReader<'_>) -> BTreeMap<String, String> {
    let mut headers = BTreeMap::new();
    if let Some((json, place)) = entry.get("headers") {
        headers = reader.pairs(json, &place, entry.variables, is_header);
        for (name, _) in headers.iter().filter(|(_, value)| value.contains(char::is_control)) {
            reader.problem(&place.key(name), "expected a value without control characters".to_owned());
        }
    }
    headers
}

fn is_address(url: &str) -> bool {
    let rest = ["https://", "http://"].iter().find_map(|scheme| {
        let start = url.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &url[scheme.len()..])
    });
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    !host.is_empty() && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn is_header(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
