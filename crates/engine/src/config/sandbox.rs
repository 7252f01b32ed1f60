//! `[sandbox]`: the values of its keys, and the sandbox settings that they make. May not look at the host: what
//! it can enforce is known when a command is drafted.

use super::key::{ConfigKey, ValueKind};
use super::{ConfigValue, Settings};
use runward_core::network::{HostList, ListedHost, PrivateHosts};
use runward_core::sandbox::{Layer, Mode, Network, SandboxSettings};
use std::path::{Path, PathBuf};
use toml::de::{DeArray, DeValue};

/// The words for a network; anything between is a list of hosts.
pub(super) const NETWORK: &[&str] = &["on", "off"];

impl Settings {
    /// The sandbox of running commands. The paths are Runward's own, which no command may change.
    pub fn sandbox(&self, protected: Vec<PathBuf>) -> SandboxSettings {
        let paths = |name| self.list(name).into_iter().map(PathBuf::from).collect();
        SandboxSettings {
            mode: self.word("sandbox.mode").and_then(Mode::named).unwrap_or_default(),
            network: match self.get("sandbox.network").map(|setting| &setting.value) {
                // A list that is none was refused when it was read.
                Some(ConfigValue::List(hosts)) => Network::Hosts(HostList::parse(hosts).unwrap_or_default()),
                Some(ConfigValue::Word(word)) if word == "off" => Network::Off,
                _ => Network::On,
            },
            network_private: PrivateHosts::parse(&self.list("sandbox.network_private")).unwrap_or_default(),
            layers: self.list("sandbox.layers").iter().filter_map(|name| Layer::named(name)).collect(),
            writable: paths("sandbox.writable"),
            deny_read: paths("sandbox.deny_read"),
            protected,
        }
    }
}

/// Paths as they are meant: absolute, with `~` for the home.
pub(super) fn paths(key: &ConfigKey, words: ConfigValue, home: Option<&Path>) -> Result<ConfigValue, String> {
    let ConfigValue::List(words) = words else { return Ok(words) };
    let absolute = |word: String| match (in_home(&word), home) {
        (Some(_), None) => Err(format!("`{}` has `{word}`, and the home folder is not known", key.name)),
        // What is not UTF-8 cannot be said in a file of the configuration, nor can what lies in it.
        (Some(rest), Some(home)) => below(home, rest)
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("`{}` has `{word}`, and the path of the home is not UTF-8", key.name)),
        (None, _) if Path::new(&word).is_absolute() => Ok(word),
        (None, _) => Err(format!("`{}` must be {}, not `{word}` in it", key.name, key.kind.expected())),
    };
    words.into_iter().map(absolute).collect::<Result<_, _>>().map(ConfigValue::List)
}

fn below(home: &Path, rest: &str) -> PathBuf {
    if rest.is_empty() { home.to_owned() } else { home.join(rest) }
}

fn in_home(word: &str) -> Option<&str> {
    if word == "~" { Some("") } else { word.strip_prefix("~/") }
}

/// Whether the new value allows only hosts that the old one allows too.
pub(super) fn is_smaller(old: &ConfigValue, new: &ConfigValue) -> bool {
    let off = |value: &ConfigValue| *value == ConfigValue::Word("off".to_owned());
    match (old, new) {
        _ if off(new) => true,
        _ if off(old) => false,
        (ConfigValue::List(old), ConfigValue::List(new)) => beyond(old, new).is_none(),
        (ConfigValue::List(_), _) => false,
        _ => true,
    }
}

/// The first of the new hosts that the old ones do not admit.
pub(super) fn beyond(old: &[String], new: &[String]) -> Option<String> {
    match (HostList::parse(old), HostList::parse(new)) {
        (Ok(old), Ok(new)) => old.first_beyond(&new).map(ListedHost::text).map(str::to_owned),
        _ => new.first().cloned(),
    }
}

/// What is wrong with the entries of a list of hosts, each with its place.
pub(super) fn wrong_hosts(key: &ConfigKey, words: &DeArray<'_>) -> Vec<(usize, String)> {
    let wrong = |word: &toml::Spanned<DeValue<'_>>| {
        let DeValue::String(text) = word.get_ref() else { return None };
        let one = [text.to_string()];
        let error = match key.kind {
            ValueKind::Network => HostList::parse(&one).err(),
            ValueKind::HostNames => PrivateHosts::parse(&one).err(),
            _ => None,
        };
        error.map(|error| (word.span().start, format!("`{}`: {error}", key.name)))
    };
    words.iter().filter(|word| !is_blank(word.get_ref())).filter_map(wrong).collect()
}

/// What is empty is told for every list alike.
fn is_blank(word: &DeValue<'_>) -> bool {
    matches!(word, DeValue::String(text) if text.trim().is_empty())
}

/// The hosts of a list whose entries are good, one by one.
pub(super) fn hosts(key: &ConfigKey, words: ConfigValue) -> Result<ConfigValue, String> {
    let ConfigValue::List(hosts) = &words else { return Ok(words) };
    match HostList::parse(hosts) {
        Ok(_) => Ok(words),
        Err(error) => Err(format!("`{}`: {error}", key.name)),
    }
}
