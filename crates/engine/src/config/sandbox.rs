//! `[sandbox]`: what its keys may say, and the settings of a sandbox that they come to. May not look at the host: what
//! can be kept there is said when a command is drafted.

use super::key::Key;
use super::{Settings, Value};
use runward_core::sandbox::{Layer, Mode, Network, SandboxSettings};
use std::path::{Path, PathBuf};

/// The words for a network; anything between is a list of hosts.
pub(super) const NETWORK: &[&str] = &["on", "off"];

impl Settings {
    /// What running commands may reach. The paths are Runward's own, which no command may change.
    pub fn sandbox(&self, protected: Vec<PathBuf>) -> SandboxSettings {
        let paths = |name| self.list(name).into_iter().map(PathBuf::from).collect();
        SandboxSettings {
            mode: self.word("sandbox.mode").and_then(Mode::named).unwrap_or_default(),
            network: match self.get("sandbox.network").map(|setting| &setting.value) {
                Some(Value::List(hosts)) => Network::Hosts(hosts.clone()),
                Some(Value::Word(word)) if word == "off" => Network::Off,
                _ => Network::On,
            },
            layers: self.list("sandbox.layers").iter().filter_map(|name| Layer::named(name)).collect(),
            writable: paths("sandbox.writable"),
            deny_read: paths("sandbox.deny_read"),
            protected,
        }
    }
}

/// Paths as they are meant: absolute, with `~` for the home.
pub(super) fn paths(key: &Key, words: Value, home: Option<&Path>) -> Result<Value, String> {
    let Value::List(words) = words else { return Ok(words) };
    let absolute = |word: String| match (in_home(&word), home) {
        (Some(_), None) => Err(format!("`{}` has `{word}`, and nobody knows the home", key.name)),
        // What is not UTF-8 cannot be said in a file of the configuration, nor can what lies in it.
        (Some(rest), Some(home)) => below(home, rest)
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("`{}` has `{word}`, and the path of the home is not UTF-8", key.name)),
        (None, _) if Path::new(&word).is_absolute() => Ok(word),
        (None, _) => Err(format!("`{}` must be {}, not `{word}` in it", key.name, key.kind.expected())),
    };
    words.into_iter().map(absolute).collect::<Result<_, _>>().map(Value::List)
}

fn below(home: &Path, rest: &str) -> PathBuf {
    if rest.is_empty() { home.to_owned() } else { home.join(rest) }
}

fn in_home(word: &str) -> Option<&str> {
    if word == "~" { Some("") } else { word.strip_prefix("~/") }
}

/// Whether whoever may be talked to by the new value may be by the old one, too.
pub(super) fn is_smaller(old: &Value, new: &Value) -> bool {
    let off = |value: &Value| *value == Value::Word("off".to_owned());
    match (old, new) {
        _ if off(new) => true,
        _ if off(old) => false,
        (Value::List(old), Value::List(new)) => new.iter().all(|host| old.contains(host)),
        (Value::List(_), _) => false,
        _ => true,
    }
}
