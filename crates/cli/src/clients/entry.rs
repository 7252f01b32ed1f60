//! Runward's entry in a client's list: in each client's words, and read back from them.
//!
//! May not show a value of a variable.

use super::table::{EntryForm, KnownClient};
use crate::level::Level;
use runward::core::render::base64;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a client starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunwardEntry {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
}

/// Seconds that Codex waits for a call; by itself it gives up after 60, before a longer command ends.
const CODEX_CALL_SECONDS: u64 = 600;

/// Seconds that goose waits for a call.
const GOOSE_CALL_SECONDS: u64 = 300;

/// Programs that fetch a package and run it.
const FETCHERS: &[&str] = &["npx", "bunx", "uvx", "pnpx"];

impl RunwardEntry {
    /// The entry in the words of a client.
    pub(crate) fn in_form(&self, form: EntryForm, key: &str) -> Value {
        let Self { command, args, env } = self;
        let with_env = |mut value: Value, name: &str| {
            if let (false, Value::Object(members)) = (env.is_empty(), &mut value) {
                members.insert(name.to_owned(), json!(env));
            }
            value
        };
        let plain = json!({"command": command, "args": args});
        match form {
            EntryForm::Plain | EntryForm::Amp => with_env(plain, "env"),
            EntryForm::Typed | EntryForm::Servers => {
                with_env(json!({"type": "stdio", "command": command, "args": args}), "env")
            }
            EntryForm::Copilot => {
                with_env(json!({"type": "local", "command": command, "args": args, "tools": ["*"]}), "env")
            }
            EntryForm::Zed => with_env(json!({"source": "custom", "command": command, "args": args}), "env"),
            EntryForm::Opencode => {
                let whole: Vec<&String> = std::iter::once(command).chain(args).collect();
                with_env(json!({"type": "local", "command": whole, "enabled": true}), "environment")
            }
            EntryForm::Codex => with_env(
                json!({"command": command, "args": args, "tool_timeout_sec": CODEX_CALL_SECONDS}),
                "env",
            ),
            EntryForm::Goose => with_env(
                json!({
                    "name": key, "type": "stdio", "enabled": true, "cmd": command, "args": args,
                    "timeout": GOOSE_CALL_SECONDS,
                }),
                "envs",
            ),
            EntryForm::Continue => with_env(json!({"name": key, "command": command, "args": args}), "env"),
        }
    }

    /// What an entry of a client starts; none where it starts nothing.
    pub(crate) fn of(form: EntryForm, entry: &Value) -> Option<Self> {
        let words = |value: Option<&Value>| -> Vec<String> {
            let items = value.and_then(Value::as_array).into_iter().flatten();
            items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let pairs = |name: &str| -> BTreeMap<String, String> {
            let members = entry.get(name).and_then(Value::as_object).into_iter().flatten();
            members
                .map(|(key, value)| {
                    (key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                })
                .collect()
        };
        match form {
            EntryForm::Opencode => {
                let mut whole = words(entry.get("command")).into_iter();
                Some(Self { command: whole.next()?, args: whole.collect(), env: pairs("environment") })
            }
            EntryForm::Goose => {
                let command = entry.get("cmd")?.as_str()?.to_owned();
                Some(Self { command, args: words(entry.get("args")), env: pairs("envs") })
            }
            _ => {
                let command = entry.get("command")?.as_str()?.to_owned();
                Some(Self { command, args: words(entry.get("args")), env: pairs("env") })
            }
        }
    }

    /// Whether it starts Runward as a server: itself, or fetched under its name.
    pub(crate) fn is_runward(&self) -> bool {
        let name = self.command.rsplit(['/', '\\']).next().unwrap_or(&self.command);
        let name = [".exe", ".cmd"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        let mut words = self.args.iter().filter(|arg| !arg.starts_with('-'));
        if name == "runward" {
            // `runward exec -- server` starts another server.
            return words.next().is_none_or(|verb| verb == "mcp" || verb == "gateway");
        }
        let is_ours = |package: &String| package.split('@').next() == Some("runward");
        FETCHERS.contains(&name) && words.next().is_some_and(is_ours)
    }

    /// The rules in it.
    pub(crate) fn rules(&self) -> EntryRules {
        let mut rules =
            EntryRules { allowed: self.env.get("ALLOWED_COMMANDS").cloned(), ..EntryRules::default() };
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            let (name, value) = match arg.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (arg.as_str(), None),
            };
            match name {
                "--preset" => rules.presets.extend(value.or_else(|| args.next().cloned())),
                "--level" => {
                    let level = value.or_else(|| args.next().cloned()).and_then(|name| Level::named(&name));
                    rules.presets.extend(
                        level.iter().flat_map(|level| level.presets()).map(|preset| (*preset).to_owned()),
                    );
                    rules.sandboxed |= level == Some(Level::Work);
                }
                _ => rules.others.push(arg.clone()),
            }
        }
        rules.variables = self
            .env
            .iter()
            .filter(|(name, _)| *name != "ALLOWED_COMMANDS")
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        rules
    }
}

/// What an entry allows, and what else it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EntryRules {
    pub(crate) presets: BTreeSet<String>,
    pub(crate) allowed: Option<String>,
    /// Whether commands run in a sandbox.
    pub(crate) sandboxed: bool,
    /// Every other argument, in order.
    others: Vec<String>,
    variables: BTreeMap<String, String>,
}

impl EntryRules {
    /// Whether nothing is allowed by the entry itself.
    pub(crate) fn is_empty(&self) -> bool {
        self.presets.is_empty() && self.allowed.is_none()
    }

    /// Whether this allows no more than another, and says the same besides. A list of commands governs alone, so another
    /// one may allow more; so may an option that is gone.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.presets.is_subset(&other.presets)
            && self.allowed == other.allowed
            // Inside a sandbox more may run, and outside what runs may do more.
            && self.sandboxed == other.sandboxed
            && self.others == other.others
            && self.variables == other.variables
    }
}

/// An entry without the values of its variables.
pub(crate) fn veiled(entry: &Value) -> Value {
    let hide = |value: &Value| match value {
        Value::Object(members) => {
            members.keys().map(|name| (name.clone(), Value::from("…"))).collect::<Map<_, _>>().into()
        }
        _ => Value::from("…"),
    };
    match entry {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let is_secret =
                    matches!(key.as_str(), "env" | "environment" | "envs" | "headers" | "http_headers");
                (key.clone(), if is_secret { hide(value) } else { value.clone() })
            })
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// An address that adds the entry when it is opened, where a client has such addresses.
pub(crate) fn deep_link(client: KnownClient, key: &str, entry: &Value) -> Option<String> {
    let name = percent(key);
    match client.id {
        "cursor" => {
            let config = percent(&base64(entry.to_string().as_bytes()));
            Some(format!("cursor://anysphere.cursor-deeplink/mcp/install?name={name}&config={config}"))
        }
        "lm-studio" => {
            let config = percent(&base64(entry.to_string().as_bytes()));
            Some(format!("lmstudio://add_mcp?name={name}&config={config}"))
        }
        "vscode" | "vscode-insiders" => {
            let mut whole = json!({"name": key});
            if let (Value::Object(whole), Value::Object(members)) = (&mut whole, entry) {
                whole.extend(members.clone());
            }
            let scheme = if client.id == "vscode" { "vscode" } else { "vscode-insiders" };
            Some(format!("{scheme}:mcp/install?{}", percent(&whole.to_string())))
        }
        _ => None,
    }
}

fn percent(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::table::CLIENTS;
    use super::*;

    fn entry(command: &str, args: &[&str]) -> RunwardEntry {
        RunwardEntry {
            command: command.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: BTreeMap::new(),
        }
    }

    #[test]
    fn an_entry_is_read_back_from_the_words_of_every_client() {
        let mut ours = entry("/b/runward", &["mcp", "--level", "build"]);
        ours.env.insert("ALLOWED_COMMANDS".to_owned(), "ls,git".to_owned());
        for client in CLIENTS {
            let value = ours.in_form(client.form, "runward");
            assert_eq!(RunwardEntry::of(client.form, &value).as_ref(), Some(&ours), "{}", client.id);
        }
    }

    #[test]
    fn runward_is_known_in_every_spelling() {
        for (command, args) in [
            ("runward", &["mcp"][..]),
            ("/usr/bin/runward", &["gateway"]),
            ("C:\\bin\\runward.exe", &[]),
            ("npx", &["-y", "runward@1", "mcp"]),
        ] {
            assert!(entry(command, args).is_runward(), "{command}");
        }
        for (command, args) in
            [("runward", &["exec", "--", "x"][..]), ("npx", &["-y", "other"]), ("x", &["runward"])]
        {
            assert!(!entry(command, args).is_runward(), "{command}");
        }
    }

    #[test]
    fn rules_are_compared_by_what_they_allow() {
        let of = |args: &[&str]| entry("runward", args).rules();
        let build = of(&["mcp", "--level", "build"]);
        assert!(of(&["mcp", "--preset", "readonly"]).is_within(&build));
        assert!(of(&["mcp", "--preset=build", "--preset", "readonly"]).is_within(&build));
        assert!(!build.is_within(&of(&["mcp", "--level=look"])));
        assert!(!build.is_within(&of(&["mcp", "--level", "work"])), "the sandbox would be gone");
        assert!(!of(&["mcp", "--level", "work"]).is_within(&build), "inside the sandbox more may run");
        assert!(!of(&["mcp"]).is_within(&of(&["mcp", "--tools", "execute_command"])));
        let mut listed = entry("runward", &["mcp"]);
        listed.env.insert("ALLOWED_COMMANDS".to_owned(), "ls".to_owned());
        assert!(!listed.rules().is_within(&build) && !build.is_within(&listed.rules()));
    }

    #[test]
    fn of_variables_only_the_names_are_shown() {
        let value = json!({"command": "x", "env": {"T": "hunter2"}, "headers": {"A": "hunter2"}});
        let shown = veiled(&value).to_string();
        assert!(!shown.contains("hunter2") && shown.contains("\"T\""), "{shown}");
    }

    #[test]
    fn a_link_carries_the_whole_entry() {
        assert_eq!(
            (base64(b"a").as_str(), base64(b"ab").as_str(), base64(b"abc").as_str()),
            ("YQ==", "YWI=", "YWJj")
        );
        let cursor = CLIENTS.iter().find(|client| client.id == "cursor").unwrap();
        let link = deep_link(*cursor, "runward", &json!({"command": "r"})).unwrap();
        assert_eq!(
            link,
            "cursor://anysphere.cursor-deeplink/mcp/install?name=runward&config=eyJjb21tYW5kIjoiciJ9"
        );
        assert_eq!(deep_link(CLIENTS[0], "runward", &json!({})), None);
    }
}
